"""Five kinds of visitors, who know no rule: they see what is on the page, and touch it."""
import random

from pieces import HEARD

# Seconds from one visitor to the next.
PAUSE = 180
# Seconds from the beginning of what somebody does for which what is announced is taken to come from it.
SOON = 0.8


class Tally:
    """What one visitor got."""

    columns = ("caused", "living", "ending", "here")

    def __init__(self, kind, house, page):
        self.kind, self.page, self.came = kind, page, house.now
        self.stayed = 0.0
        self.caused = self.living = self.ending = self.here = False
        self.marks = {}
        self.is_there = True
        self.level, self.gate = -99.0, False
        self.senses = set()

    def read(self, house):
        """Takes what was announced."""
        told = list(house.page.announcements(wait=0))
        if ("session", "ended") in ((topic, body.get("phase")) for topic, body in told):
            told += self.page.over()
        for topic, body in told:
            self.page.take(topic, body)
            if topic == "cue":
                cue = body["cue"]
                if cue == "chime" or cue == "texture" and body["on"] or self.raises_tone(body):
                    self.senses.add("heard")
                if cue == "haptic":
                    self.senses.add("felt")
            elif topic == "explore.mode":
                self.page.is_exploring = body["on"]
            elif topic == "explore.activate":
                self.page.activate(body["id"])
            elif topic != "session":
                if topic in self.page.drawn:
                    self.senses.add("seen")
                self.living |= self.is_there and self.page.is_living(topic, body)
                if self.page.is_ending(topic, body):
                    self.ending = True
                    self.here |= self.is_there
                self.page.mark(self.marks, topic, body)

    def raises_tone(self, cue):
        """Whether the tone begins by this cue, or becomes louder, and is loud enough to be heard."""
        before = self.level if self.gate else -99.0
        if cue["cue"] == "tone.level":
            self.level = cue["level"]
        if cue["cue"] == "tone.gate":
            self.gate = cue["open"]
        return self.gate and self.level >= HEARD and self.level > before


class Hand:
    """What a body can do at a screen. The page is laid out in rows, the picture on top."""

    def __init__(self, house, page, tally, chance):
        self.house, self.page, self.tally, self.chance = house, page, tally, chance
        self.front = house.page
        # Until when what is announced comes from what the hand does; None where it does nothing.
        self.until = None

    def wait(self, seconds):
        """Lets time go on, stops where an act no longer counts, and judges it there."""
        ends = self.house.now + seconds
        if self.until is not None and self.until <= ends:
            self.house.wait(max(0, self.until - self.house.now))
            self.tally.read(self.house)
            self.tally.caused |= self.tally.senses == {"seen", "heard", "felt"}
            self.until = None
        if self.house.now < ends:
            self.house.wait(ends - self.house.now)
        self.tally.read(self.house)

    def feel(self, act):
        """Does something, and notes what came of it."""
        self.tally.read(self.house)
        self.tally.senses.clear()
        self.until = self.house.now + SOON
        act()
        if self.until is not None:
            self.wait(self.until - self.house.now)

    def touch(self, phase, x, y, finger=1):
        self.front.tell("touch", phase=phase, x=x, y=y, id=finger)

    def something(self, things):
        """The number of one of the things, the sooner the larger it is."""
        return self.chance.choices(range(len(things)), [thing.size for thing in things])[0]

    def place(self, index, count):
        return 0.5, (index + 0.5) / count

    def tap(self, thing, x, y):
        """A short touch; the page does what is there."""
        def act():
            self.touch("began", x, y)
            self.wait(0.1)
            self.touch("ended", x, y)
            if thing is not None and thing.does and not self.page.is_exploring:
                thing.does()
        self.feel(act)

    def stroke(self, x, y, seconds=1.5):
        def act():
            self.touch("began", x, y)
            for step in range(3):
                self.wait(seconds / 3)
                self.touch("moved", x, y + 0.02 * step)
            self.touch("ended", x, y)
        self.feel(act)

    def swipe(self):
        def act():
            self.touch("began", 0.5, 0.8)
            self.wait(0.12)
            if hasattr(self.page, "swiped"):
                self.page.swiped()
            self.touch("ended", 0.5, 0.4)
        self.feel(act)


def taps_and_goes(hand, ends):
    """Looks what it is, and goes."""
    while hand.house.now < ends:
        things = hand.page.things()
        if hand.chance.random() < 0.5:
            hand.swipe()
        else:
            index = hand.something(things)
            hand.tap(things[index], *hand.place(index, len(things)))
        hand.wait(hand.chance.uniform(0.5, 3))


def children(hand, ends):
    """Hit whatever there is, and twice what did something."""
    while hand.house.now < ends:
        things = hand.page.things()
        if hand.chance.random() < 0.35:
            hand.swipe()
        else:
            index = hand.something(things)
            hand.tap(things[index], *hand.place(index, len(things)))
        hand.wait(hand.chance.uniform(0.05, 0.4))


def careful(hand, ends):
    """Reads, tries what was not tried, and waits for what comes. Says goodbye where the page offers it."""
    tried = {}
    while hand.house.now < ends:
        things = hand.page.things()
        least = min(tried.get(thing.id, 0) for thing in things)
        index = hand.chance.choice([index for index, thing in enumerate(things) if tried.get(thing.id, 0) == least])
        thing = things[index]
        tried[thing.id] = tried.get(thing.id, 0) + 1
        # What ends the visit is left for last.
        if thing.id in ("leave", "finish", "hang") and hand.house.now < ends - 12:
            continue
        if thing.role == "image":
            hand.stroke(*hand.place(index, len(things)))
        elif hasattr(hand.page, "swiped"):
            for _ in range(hand.chance.randrange(3, 9)):
                hand.swipe()
                hand.wait(hand.chance.uniform(0.1, 0.9))
        else:
            hand.tap(thing, *hand.place(index, len(things)))
        hand.wait(hand.chance.choice([1, 2, 3, 11]) * hand.chance.uniform(0.5, 1.1))
    goodbye(hand)


def goodbye(hand):
    """Goes by what the page has for that, if it has something."""
    for _ in range(4):
        things = hand.page.things()
        index = next((index for index, thing in enumerate(things) if thing.id in ("leave", "finish", "hang")), None)
        if index is None and any(thing.id in ("back", "close", "home") for thing in things):
            index = next(index for index, thing in enumerate(things) if thing.id in ("back", "close", "home"))
        if index is None:
            return
        hand.tap(things[index], *hand.place(index, len(things)))
        hand.wait(1.5)


def family(hand, ends):
    """Several hands, one after the other: somebody reads, a child hits, somebody strokes."""
    while hand.house.now < ends:
        for who in hand.chance.sample([careful, children, children, taps_and_goes], 2):
            if who is careful:
                things = hand.page.things()
                picture = next((index for index, thing in enumerate(things) if thing.role == "image"), None)
                if picture is not None:
                    hand.stroke(*hand.place(picture, len(things)))
            else:
                who(hand, min(ends, hand.house.now + hand.chance.uniform(4, 10)))
        hand.wait(hand.chance.uniform(1, 4))
    if hand.chance.random() < 0.5:
        goodbye(hand)


def blind(hand, ends):
    """Holds two fingers, slides one over the glass, and taps twice on what was named and not tried before. Knows only what is told."""
    hand.page.tell_regions(hand.page.things())
    hand.touch("began", 0.4, 0.5, finger=1)
    hand.touch("began", 0.6, 0.5, finger=2)
    hand.wait(2.3)
    hand.touch("ended", 0.4, 0.5, finger=1)
    hand.touch("ended", 0.6, 0.5, finger=2)
    hand.wait(1)
    tried = {}
    while hand.house.now < ends:
        things = hand.page.things()
        hand.page.tell_regions(things)
        acting = [index for index, thing in enumerate(things) if thing.does]
        if not acting:
            hand.wait(2)
            continue
        least = min(tried.get(things[index].id, 0) for index in acting)
        index = hand.chance.choice([index for index in acting if tried.get(things[index].id, 0) == least])
        thing = things[index]
        tried[thing.id] = tried.get(thing.id, 0) + 1
        if thing.id in ("leave", "finish", "hang") and hand.house.now < ends - 12:
            continue
        # The feed is one thing, and is tapped again and again.
        times = 6 if len(things) == 1 else 1
        x, y = hand.place(index, len(things))
        slide(hand, x, y)
        for _ in range(times):
            hand.feel(lambda: second_tap(hand, x, y))
            hand.wait(hand.chance.uniform(0.2, 1))
        hand.wait(hand.chance.uniform(0.5, 3))
    hand.front.ask("explore.regions", regions=[])
    hand.front.tell("explore.set", on=False)
    hand.wait(0.2)
    goodbye(hand)


def slide(hand, x, y):
    """From the top of the glass down to what is looked for."""
    hand.touch("began", x, 0.01)
    for step in range(1, 6):
        hand.wait(0.15)
        hand.touch("moved", x, 0.01 + (y - 0.01) * step / 5)
    hand.wait(0.4)
    hand.touch("ended", x, y)


def second_tap(hand, x, y):
    """The page does what the engine says that the tap was for."""
    for _ in range(2):
        hand.touch("began", x, y)
        hand.wait(0.08)
        hand.touch("ended", x, y)
        hand.wait(0.12)


# How each behaves, and for how many seconds at least and at most.
KINDS = {"taps and goes": (taps_and_goes, 5, 30), "children": (children, 40, 130), "careful": (careful, 80, 130), "family": (family, 90, 135),
         "blind": (blind, 85, 125)}


def visit(house, piece, kind, seed, number):
    """Somebody of this kind comes to the piece, and goes. The same seed and number make the same visitor."""
    chance = random.Random(f"{seed} {number} {kind}")
    page = piece(house)
    tally = Tally(kind, house, page)
    behaves, shortest, longest = KINDS[kind]
    behaves(Hand(house, page, tally, chance), tally.came + chance.uniform(shortest, longest))
    tally.stayed = house.now - tally.came
    tally.is_there = False
    # The next one comes when three minutes are over.
    house.wait(max(0.1, tally.came + PAUSE - house.now))
    tally.read(house)
    tally.page = None
    return tally
