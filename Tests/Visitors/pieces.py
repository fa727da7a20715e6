"""The three pages as visitors find them: what there is to touch, and what a touch asks the engine for. No rule of a piece is here."""
from typing import NamedTuple

from thrum import Refused

# dBFS: a theme's chime, where its first partial sounds, and from where on the tone is heard beside it.
CHIME = -16
HEARD = CHIME - 12


class Thing(NamedTuple):
    """Something on the page: `does` is called when it is tapped; None for what can only be looked at or stroked. `size` is how much of the
    screen it has beside others."""

    id: str
    label: str
    role: str
    does: object = None
    size: int = 1


class Page:
    """What is on the screen for one visitor. `log` has what was announced and not judged yet."""

    # The topics that the page draws.
    drawn = frozenset()
    query = ""

    def __init__(self, house):
        self.house, self.front = house, house.page
        self.state = self.ask(self.query)
        self.is_exploring = False
        self.regions = []
        self.view = ""
        self.began()

    def began(self):
        """Somebody has come."""

    def ask(self, method, **fields):
        """What the engine answers; None where it refuses, as a page then shows the reason."""
        try:
            return self.front.ask(method, **fields)
        except Refused:
            return None

    def over(self):
        """What the page asks for when the visit has ended, as announcements."""
        return []

    def take(self, topic, body):
        """Draws what was announced."""
        if topic == self.shown:
            self.state = body

    def tell_regions(self, things):
        """Tells the engine what is where: rows, in their order."""
        self.regions = things
        self.ask("explore.regions", regions=[
            {"id": thing.id, "label": thing.label, "role": thing.role, "x": 0, "y": round(row / len(things), 3), "width": 1,
             "height": round(1 / len(things) - 0.001, 3)} for row, thing in enumerate(things)])

    def activate(self, region):
        """Does what a click on a region would do."""
        thing = next((thing for thing in self.regions if thing.id == region), None)
        if thing and thing.does:
            thing.does()

    def look(self, view):
        """Something that opens another view of the page."""
        def open_it():
            self.view = view
        return open_it

    @property
    def fields(self):
        """Whose it is, for what costs something."""
        return {"household": self.state["household"]} if self.state.get("household") else {}


class Feed(Page):
    name = "colorscroller"
    topics = ["scroll", "unlock", "held", "toast", "palette", "intervention", "counters", "rank", "reset", "leaderboard"]
    drawn = frozenset(["scroll", "unlock", "toast", "intervention", "rank"])
    query, shown = "feed.state", "scroll"
    bounds = [("are told the tone within 12 dB of the chime", lambda tally: tally.marks.get("tone", -99) >= HEARD, 0.5),
              ("meet a rare", lambda tally: "rare" in tally.marks, 0.5),
              ("meet a special", lambda tally: "special" in tally.marks, 0.25)]

    @staticmethod
    def figures(tallies):
        unlocked, named = (sum(tally.marks.get(mark, 0) for tally in tallies) for mark in ("unlocked", "named"))
        cards = sorted(tally.marks.get("cards", 0) for tally in tallies)
        yield "cards, the median visitor", cards[len(cards) // 2]
        yield "unlocks that were named by a toast", f"{named} of {unlocked}, {named / max(1, unlocked):.1%}"

    def things(self):
        return [Thing("feed", "Next card", "button", self.step)]

    def step(self):
        """A second tap, of who explores by touch."""
        self.ask("feed.scroll", index=self.state["index"] + 1)

    def over(self):
        return [("leaderboard", self.ask("feed.leaderboard"))]

    def swiped(self):
        self.front.tell("swipe", direction="up", velocity=2)

    def is_living(self, topic, body):
        # `cards` are those that this scroll has added.
        return topic == "scroll" and len(body["cards"]) > 0

    def is_ending(self, topic, body):
        return topic == "leaderboard" and body.get("lastSession", {}).get("cards") == self.state["blocksViewed"] > 0

    def mark(self, marks, topic, body):
        if topic == "scroll":
            marks["tone"] = max(marks.get("tone", -99), body["toneLevel"])
            marks["cards"] = body["blocksViewed"]
        if topic == "unlock":
            marks[body["skin"]["rarity"]] = True
            marks["unlocked"] = marks.get("unlocked", 0) + 1
        if topic == "toast":
            marks["named"] = marks.get("named", 0) + 1


class Kitty(Page):
    name = "scrollkitty"
    topics = ["cat", "lost", "shield", "summary", "day", "streak", "message"]
    drawn = frozenset(["cat", "lost", "shield", "message", "summary"])
    query, shown = "kitty.state", "cat"
    bounds = []

    @staticmethod
    def figures(tallies):
        yield "had a cat of their own", f"{sum('own' in tally.marks for tally in tallies) / len(tallies):.1%}"

    def began(self):
        self.app, self.answers = None, []

    def things(self):
        if self.view == "hours":
            return [Thing(f"{hours}", f"{hours} hours", "toggle", lambda hours=hours: self.answer("addicted", step="hours", number=hours))
                    for hours in (2, 4, 6, 8)]
        if self.view == "addicted":
            return [Thing(choice, choice, "toggle", lambda choice=choice: self.answer("age", step="addicted", choice=choice))
                    for choice in ("never", "seldom", "sometimes", "often", "always")]
        if self.view == "age":
            return [Thing(choice, choice, "toggle", lambda choice=choice: self.answer("years", step="age", choice=choice))
                    for choice in self.ages()]
        if self.view == "years":
            return [Thing("on", "Go on", "button", self.look(""))]
        cat = Thing("cat", f"The cat, {self.state['condition']}", "image")
        if self.app is not None:
            app = next((app for app in self.state["apps"] if app["name"] == self.app), None)
            if app and app["shield"] in ("shielded", "locked"):
                anyway = Thing("anyway", "Open anyway", "button", lambda: self.ask("kitty.bypass", app=self.app), 2)
                return [cat, *([anyway] if app["canBypass"] else []), Thing("back", "Back", "button", self.leave_app)]
            return [cat, Thing("close", "Close", "button", self.close_app)]
        apps = [Thing(app["name"], f"{app['name']}, {app['shield']}", "button", lambda name=app["name"]: setattr(self, "app", name))
                for app in self.state["apps"]]
        whose = (Thing("leave", "Say good night", "button", lambda: self.ask("household.enter")) if self.state["isOwn"]
                 else Thing("own", "A cat of your own", "button", self.look("hours"), 2))
        return [whose, cat, *apps]

    def ages(self):
        steps = (self.ask("kitty.onboarding", length="quick") or {"steps": []})["steps"]
        return next((step["choices"] for step in steps if step["step"] == "age"), ["18-24"])

    def answer(self, next_view, **given):
        self.answers.append(given)
        self.view = next_view
        if next_view == "years":
            self.ask("household.enter", household="guest")
            for answer in self.answers:
                self.ask("kitty.onboard", **answer)
            self.answers = []

    def leave_app(self):
        self.app = None

    def close_app(self):
        name, self.app = self.app, None
        if any(app["name"] == name and app["shield"] == "open" for app in self.state["apps"]):
            self.ask("kitty.shield", app=name)

    def is_living(self, topic, body):
        return topic == "cat" and body["condition"] != "dead"

    def is_ending(self, topic, body):
        return topic == "message" and (body["group"].startswith("nightly") or body["group"] == "terminal") or topic == "summary"

    def mark(self, marks, topic, body):
        if topic == "cat" and body["isOwn"]:
            marks["own"] = True


class Pet(Page):
    name = "unhooked"
    topics = ["pet", "day-over", "day-begun", "health", "growth", "meal", "purchase", "recovery", "earned", "away", "treat", "wall"]
    drawn = frozenset(["pet", "meal", "growth", "health", "earned", "away", "purchase", "recovery", "treat", "wall"])
    query, shown = "unhooked.state", "pet"
    bounds = []
    keys = 0

    @staticmethod
    def figures(tallies):
        for words, mark in (("had a pet of their own", "own"), ("fed one", "fed"), ("earned Gems", "gems"), ("saw theirs sick", "sick")):
            yield words, f"{sum(mark in tally.marks for tally in tallies) / len(tallies):.1%}"

    def began(self):
        self.minutes, self.species = 60, "cat"

    def paying(self, method, **fields):
        def pay():
            Pet.keys += 1
            self.ask(method, key=f"visitor-{Pet.keys}", **fields, **self.fields)
        return pay

    def things(self):
        state = self.state
        if self.view == "own":
            return [*(Thing(kind, kind, "toggle", lambda kind=kind: setattr(self, "species", kind)) for kind in ("cat", "dog")),
                    Thing("back", "Back", "button", self.look("")), Thing("welcome", "Welcome", "button", self.adopt, 2)]
        if self.view == "wall":
            return [Thing("hang", "To the wall", "button", self.hang), Thing("stay", "Stay", "button", self.look(""))]
        tabs = [Thing(view or "home", view or "home", "button", self.look(view)) for view in ("", "food", "wardrobe") if view != self.view]
        pet = Thing("pet", f"{state['name']}, {state['condition']}", "image")
        if self.view in ("food", "wardrobe"):
            shop = self.ask("unhooked.shop")
            if self.view == "food":
                return [pet, *tabs, *(Thing(food["id"], f"Give {food['id']}", "button", self.paying("unhooked.feed", food=food["id"]))
                                      for food in shop["foods"] if food.get("canBuy"))]
            return [pet, *tabs, *(Thing(item["id"], f"Buy {item['id']}", "button", self.paying("unhooked.buy", cosmetic=item["id"]))
                                  for item in shop["cosmetics"] if item.get("canBuy"))]
        things = [pet, *tabs]
        walk_up = state["walkUp"]
        if not walk_up["isOwn"]:
            things.append(Thing("own", "A pet of your own", "button", self.look("own"), 2))
        elif not walk_up["canAdopt"]:
            things.append(Thing("finish", "To the wall", "button", self.look("wall")))
        if walk_up["canReport"]:
            things += [Thing(app, app, "toggle", lambda minutes=minutes: setattr(self, "minutes", minutes))
                       for app, minutes in (("feed", 150), ("videos", 120), ("chats", 45))]
            things.append(Thing("report", "That was today", "button", lambda: self.ask("unhooked.report", minutes=self.minutes)))
        for remedy in ("cure", "revive"):
            if state.get(remedy, {}).get("isOffered"):
                things.append(Thing(remedy, remedy, "button", self.paying(f"unhooked.{remedy}")))
        return things

    def adopt(self):
        self.view = ""
        if self.ask("unhooked.enter", household="guest") is not None:
            self.ask("unhooked.adopt", species=self.species, name="Otto", household="guest")

    def hang(self):
        self.view = ""
        self.ask("unhooked.enter")

    def is_living(self, topic, body):
        return topic == "pet" and body["condition"] != "dead"

    def is_ending(self, topic, body):
        return topic in ("wall", "treat") or topic == "health" and body["health"] == "dead"

    def mark(self, marks, topic, body):
        if topic == "pet" and body["walkUp"]["isOwn"]:
            marks["own"] = True
            if body["condition"] == "sick":
                marks["sick"] = True
        if topic == "meal":
            marks["fed"] = True
        if topic == "away":
            marks["gems"] = True


PIECES = {piece.name: piece for piece in (Feed, Kitty, Pet)}
