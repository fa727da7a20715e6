#!/usr/bin/env python3
"""A visitor of ColorScroller in a real Chromium: 150 cards by touches, and everything that the engine announces is looked for on the
screen. Leaves pictures. Prints a line for each claim, PASS or FAIL, and what it measured.

    visit.py THRUMD FOLDER
"""
import csv
import io
import os
import subprocess
import sys
import tempfile
import time

from claims import claim, end
from sound import SoundServer, touch_latencies
from stage import Stage, wait_for

cards = 150
thrumd, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
seen = {}


def on_screen(what, condition, seconds=1.0):
    """Counts as shown when it is on the screen within a second: the machine has two processors, and the browser draws with them."""
    try:
        wait_for(condition, seconds, what)
        seen.setdefault(what, [0, 0])[0] += 1
    except AssertionError:
        seen.setdefault(what, [0, 0])[1] += 1


sound = SoundServer()
settings = tempfile.NamedTemporaryFile("w", suffix=".yaml")


def end_visits_after(seconds):
    """What is looked for may take a busy machine longer than a visitor would stand there, and meanwhile nobody touches anything. By chance
    the machine does nothing."""
    settings.seek(0)
    settings.truncate()
    print(f"idle: {seconds}\nexplore: 0\nholdout: 0", file=settings, flush=True)


# What the page shows for a moment only, as it was shown: a busy machine may come to look when it is gone.
RECORD = """
addEventListener("DOMContentLoaded", () => {
    window.shown = {flash: [], toast: [], taunt: []}
    window.strange = []
    for (const [name, list] of Object.entries(shown)) {
        const element = document.getElementById(name)
        let last = null
        new MutationObserver(changes => {
            // The same words again are shown again.
            if (changes.some(change => change.type === "childList")) last = null
            const now = element.hidden ? null : element.dataset.skin ?? element.innerText
            if (now !== last && now) list.push(now)
            const card = document.getElementById("spoken").textContent
            if (name === "toast" && now !== last && now && !card.startsWith(now.split("\\n").at(-1) + ",")) strange.push([now, card])
            last = now
        }).observe(element, {attributes: true, childList: true, subtree: true})
    }
})
"""
end_visits_after(300)
stage = Stage(thrumd, "colorscroller", ["--experience", "colorscroller", "--seed", "7", "--config", settings.name], sound=sound.address,
              before=RECORD)
try:
    script = stage.script
    text = lambda place: script("const e = document.querySelector(arguments[0]); return e.hidden ? '' : e.innerText", place)
    index = lambda: int(script("return document.getElementById('feed').dataset.index"))
    kind = lambda: script("const e = document.querySelector('.card.current'); return e.dataset.painted === 'true' ? e.dataset.kind : ''")
    # Each showing counts once.
    was_shown = lambda place, *words: script(
        "const [list, words] = [shown[arguments[0]], arguments[1]], place = list.findIndex(text => words.every(word => text.includes(word)));"
        "return place >= 0 && list.splice(place, 1).length > 0", place, words)
    is_settled = lambda: script("return document.getElementById('feed').dataset.settled === 'true'")
    picture = lambda name: stage.picture(f"{folder}/{name}.png")

    def board():
        return script("return [...document.querySelectorAll('#rows li')].map(row => [row.querySelector('.name').dataset.name, "
                      "Number(row.querySelector('.score').dataset.to)])")

    # As much as there is to see within 150 cards, and no more pauses than that takes.
    for knob, chance in [("chance-early", 0.3), ("chance-middle", 0.6), ("chance-late", 0.6)]:
        stage.ask("param.set", name=knob, value=chance)
    wait_for(lambda: len(board()) == 10, 10, "the landing card")
    time.sleep(1.3)
    picture("landing")
    violations = stage.axe()
    told = {row["name"]: row["score"] for row in stage.ask("feed.leaderboard")["rows"]}
    boards = [dict(board())]
    while boards[-1] == boards[0] or len(boards) < 20:
        time.sleep(0.5)
        boards.append(dict(board()))
        assert len(boards) < 100, "no rival scrolls on"
    claim(all(before[name] <= after[name] <= told[name] for before, after in zip(boards, boards[1:]) for name in told),
          "rivals scroll on while somebody looks at the board: no score falls, and none is above the engine's")
    script("window.isSamePage = true")
    watcher = stage.watch("session", "scroll", "unlock", "held", "toast", "intervention", "leaderboard")
    wanted = {"gray", "solid", "gradient", "stripes", "dots", "symbols", "emoji"}
    kinds = set()
    pauses = 0
    # What is said over a card whose name it is not.
    strange = []

    def check(told):
        shown = [params for topic, params in told if topic == "scroll"][-1:]
        found = [params["skin"]["name"] for topic, params in told if topic == "unlock"]
        for topic, params in told:
            # Of several cards that were told at once only the last is still there.
            if topic == "scroll" and params in shown:
                on_screen("the card", lambda: index() == params["cardIndex"])
                count = params["unlockCount"]
                on_screen("the number of unlocked skins", lambda: count == 0 or text("#pill .figure") == str(count))
            elif topic == "unlock":
                on_screen("an unlock", lambda: was_shown("flash", params["skin"]["id"]))
            # A toast that had to wait is shown only where its card is still there.
            elif topic == "toast" and params["name"] in found:
                on_screen("a toast", lambda: was_shown("toast", params["name"], params["rarity"].upper()))
            elif topic == "intervention" and "rival" in params:
                on_screen("a taunt", lambda: was_shown("taunt", params["taunt"]))
            elif topic == "leaderboard":
                rows = [[row["name"], row["score"]] for row in params["rows"]]
                on_screen("the leaderboard", lambda: board() == rows)

    def see():
        """Takes a picture of a kind of card that is seen for the first time."""
        wait_for(kind, 2, "a card that is painted")
        if kind() in wanted - kinds:
            wait_for(is_settled, 2, "a card that rests")
            kinds.add(kind())
            picture("card-" + kind())

    began = time.monotonic()
    views = 0
    held_until = 0
    while views < cards and time.monotonic() - began < 600:
        time.sleep(max(0, held_until - time.monotonic()))
        before = index()
        stage.swipe()
        try:
            wait_for(lambda: index() == before + 1, 1, "the next card")
        except AssertionError:
            # An unlock was told late, and the feed stood still.
            check(watcher.new())
            continue
        time.sleep(0.06)
        views += 1
        told = watcher.new()
        unlocked = any(topic == "unlock" for topic, _ in told)
        if unlocked:
            held_until = time.monotonic() + 0.85
        check(told)
        claim_of = script("""const toast = document.getElementById("toast"), name = toast.querySelector(".name")?.textContent, card = document.getElementById("spoken").textContent
            const leaves = toast.getAnimations().some(animation => animation.effect.getKeyframes().at(-1).opacity === "0")
            return toast.hidden || leaves || card.startsWith(name + ",") ? null : [name, card]""")
        strange += [claim_of] if claim_of else []
        if unlocked and pauses < 2:
            # The feed stands still, and goes on. A swipe that ends when the pause is over counts, and shows nothing.
            here = index()
            viewed = stage.ask("feed.state")["blocksViewed"]
            stage.swipe()
            is_paused = "pausedFor" in stage.ask("feed.state")
            time.sleep(0.1)
            if is_paused and stage.ask("feed.state")["blocksViewed"] == viewed:
                pauses += 1
                on_screen("the pause", lambda: index() == here and is_settled())
            check([entry for entry in watcher.new() if entry[0] != "scroll"])
        see()
    claim(pauses > 0, f"{pauses} swipes came while the feed stood still")
    strange += script("return strange")
    claim(strange == [], f"a toast is over the card that it names, and goes with it {strange}")
    claim(text("#count b") == str(stage.ask("feed.state")["blocksViewed"]), "how far one has come stands on each card")
    claim(views == cards, f"{views} of {cards} cards by touches, in {time.monotonic() - began:.0f} s")

    # The visitor tires: quick swipes between two cards that hold nothing new, and then a slow one. They are reported with their velocity, as by
    # a front end that measures it, because that of touches depends on the machine's load. 16 cards are past the cooldown of
    # whatever moderate one there was.
    for turn in range(16):
        stage.ask("swipe", direction="down" if turn % 2 == 0 else "up", velocity=5)
    time.sleep(0.3)
    watcher.new()
    stage.ask("swipe", direction="down", velocity=0.05)
    time.sleep(0.06)
    check(watcher.new())
    picture("taunt")

    # Mid gesture.
    stage.touch("touchStart", (0.5, 0.7))
    for y in [0.65, 0.6, 0.55, 0.5, 0.45]:
        stage.touch("touchMove", (0.5, y))
    time.sleep(0.1)
    picture("mid-gesture")
    stage.touch("touchEnd")
    time.sleep(0.6)

    # The same touches to the ear and to the eye.
    told, heard, drawn = (sorted(times) for times in touch_latencies(stage, sound, 20))
    claim(len(heard) == 20 <= len(drawn), "each of 20 touches is heard and drawn")
    figures = lambda times: f"median {times[len(times) // 2]:.1f} ms, 95 % below {times[len(times) * 95 // 100]:.1f} ms"
    print("from a touch to the page:", figures(told), "| to its sound:", figures(heard), "| to its picture:", figures(drawn))

    # A tap and a sideways swipe make no swipe, and the card shows which way it goes.
    for what, aside in [("a tap", 0.5), ("a sideways swipe", 0.8)]:
        here = index()
        script("window.lowest = 0; new MutationObserver(() => { const card = document.querySelector('.card.current'); "
               "lowest = Math.min(lowest, card.getBoundingClientRect().bottom / innerHeight - 1) })"
               ".observe(document.getElementById('feed'), {attributes: true, attributeFilter: ['style'], subtree: true})")
        stage.touch("touchStart", (0.5, 0.4))
        stage.touch("touchMove", (aside, 0.4))
        stage.touch("touchEnd")
        wait_for(lambda: script("return lowest") < -0.01, 2, f"a card that answers {what}")
        wait_for(is_settled, 2, "a card that rests")
        claim(index() == here, f"{what} nudges the card, and no more")

    for place, does in [("#pill", "sheet"), ("#sheet .close", "")]:
        script("document.querySelector(arguments[0]).click()", place)
        time.sleep(0.6)
        if does:
            picture(does)
            violations += stage.axe()
            listed = script("return document.querySelectorAll('#sheet li').length")
            claim(str(listed) == text("#pill .figure"), f"the sheet shows each of {listed} unlocked skins")
    # Down from the list's top, too, a finger puts the sheet away.
    script("document.querySelector('#pill').click()")
    wait_for(lambda: script("const sheet = document.getElementById('sheet'); return sheet.open && sheet.getAnimations().length === 0"), 2, "the sheet again")
    stage.swipe(start=0.5, end=0.9)
    wait_for(lambda: not script("return document.getElementById('sheet').open"), 2, "a sheet that is put away")
    claim(True, "a pull down on the list puts the sheet away")
    stage.touch("touchStart", (0.02, 0.99))
    time.sleep(1.4)
    stage.touch("touchEnd")
    time.sleep(1.4)
    picture("panel")
    violations += stage.axe()
    claim("blocks-viewed" in text("#panel") and script("return document.querySelectorAll('#panel input').length") >= 5,
          "the operator's panel has every knob and counter")
    # The telemetry of this visit, saved by the browser: the tool's own rows. Which of them are the last is not known yet.
    stage.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=stage.folder)
    script("document.querySelector('#panel [data-does=saveVisit]').click()")
    saved = lambda: [name for name in os.listdir(stage.folder) if name.endswith(".csv")]
    wait_for(saved, 10, "a saved file")
    with open(f"{stage.folder}/{saved()[0]}", newline="") as file:
        rows = [row[:-1] for row in csv.reader(file)]
    journal = stage.ask("journal.path")["journal"]
    exported = subprocess.run([os.path.dirname(thrumd) + "/thrum", "telemetry", "export", journal], capture_output=True, text=True)
    expected = [row[:-1] for row in csv.reader(io.StringIO(exported.stdout, newline=""))]
    claim(len(rows) > views and rows == expected[:len(rows)], f"the panel saves {len(rows) - 1} rows of telemetry")
    wait_for(lambda: str(len(rows) - 1) in text("#panel .progress"), 2, "the number of saved rows")
    stage.ask("swipe", velocity=1)
    views_told = str(stage.ask("param.get", name="blocks-viewed")["value"])
    wait_for(lambda: script("return [...document.querySelectorAll('#panel dd')].map(e => e.textContent)[0]") == views_told, 2,
             "a counter that follows")
    claim(True, "the panel's counters follow what is announced")
    measured = script("return [...document.querySelectorAll('#panel section:last-of-type dd')].map(e => e.textContent)")
    print("measured over the visit: frame time", measured[0], "and touch to picture", measured[1], "(95 % below)")
    # The operator begins anew. The page is where the engine is: at the landing card, with nothing found.
    script("document.querySelector('#panel [data-does=startOver]').click()")
    wait_for(lambda: index() == 0 and not text("#pill"), 5, "a new feed")
    script("document.querySelector('#panel .close').click()")
    wait_for(lambda: script("return document.getElementById('panel').hidden"), 3, "no panel under the finger")
    stage.swipe()
    wait_for(lambda: stage.ask("feed.state")["blocksViewed"] == 1 == index(), 3, "the first card of the new feed")
    claim(violations == [], f"axe-core finds nothing on landing card, sheet and panel {violations}")

    # The visitor has gone: a countdown, and everything anew.
    watcher.new()
    end_visits_after(9)
    stage.ask("setting.reload")
    wait_for(lambda: text("#countdown"), 12, "the countdown")
    picture("countdown")
    wait_for(lambda: index() == 0 and not text("#pill"), 8, "a new beginning")
    told = watcher.new()
    claim(any(topic == "session" and params["phase"] == "ended" for topic, params in told), "page and engine begin anew together")
    wait_for(lambda: not script("return document.getElementById('beckon').hidden"), 8, "the beckoning")
    time.sleep(1.5)
    picture("attract")
    # No name is cut on any screen, and the last visit's figures stand below the rows, or beside them on a screen that lies on its side.
    cut = "return [...document.querySelectorAll('.ranks .name')].filter(name => name.scrollWidth > name.clientWidth).map(name => name.innerText)"
    for width, height in [(768, 1024), (1200, 1600), (390, 844), (1920, 1080), stage.size]:
        stage.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        for scale in ["", "large"]:
            script("document.documentElement.dataset.type = arguments[0]", scale)
            time.sleep(0.2)
            claim(script(cut) == [], f"{width} by {height} {scale}: names that are cut: {script(cut)}")
            if width < height:
                bottom, top = script("return [document.getElementById('invited').getBoundingClientRect().bottom, document.getElementById('last').getBoundingClientRect().top]")
                claim(bottom <= top, f"{width} by {height} {scale}: the rows end at {bottom:.0f}, and the last visit begins at {top:.0f}")
    script("delete document.documentElement.dataset.type")
    end_visits_after(300)
    stage.ask("setting.reload")

    # The daemon is killed in the middle of a visit.
    while index() < 3:
        stage.swipe()
        time.sleep(0.5)
    stage.kill()
    wait_for(lambda: text("#calm"), 5, "one moment")
    time.sleep(0.5)
    picture("one-moment")
    stage.start()
    took = wait_for(lambda: not text("#calm") and index() == 0, 10, "the page goes on")
    stage.swipe()
    wait_for(lambda: index() == 1, 2, "a card after the restart")
    wait_for(lambda: stage.ask("feed.state")["blocksViewed"] == 1, 2, "a swipe that the new daemon knows of")
    claim(script("return window.isSamePage") is True, f"{took:.2f} s after the daemon listens again the page goes on, without a reload")

    # The kinds of cards that this visit has not come to, now that every skin counts as unlocked. One card in eighty has an emoji. The engine is
    # asked which of the cards ahead has what is looked for, 12 with each step, and goes there.
    stage.ask("param.set", name="force-unlock-all", value=True)

    def go(place):
        """Goes to a card, after the feed's pause where it stands still."""
        while stage.ask("feed.scroll", index=place).get("held"):
            time.sleep(0.1)

    for _ in range(200):
        if kinds >= wanted:
            break
        at = stage.ask("feed.state")["index"]
        ahead = [card for card in stage.ask("feed.cards", first=at + 1, count=12)["cards"]
                 if card["face"] == "skin" and card["skin"]["kind"] in wanted - kinds]
        go(ahead[0]["index"] if ahead else at + 12)
        if ahead:
            wait_for(lambda: index() == ahead[0]["index"], 5, "the card that was gone to")
            see()

    for what, (shown, missing) in seen.items():
        claim(missing == 0, f"{what}: announced {shown + missing} times, on the screen {shown} times")
    for what in ["an unlock", "the pause", "a toast", "a taunt", "the leaderboard"]:
        claim(what in seen, f"{what} was announced")
    claim(kinds == wanted, f"pictures of {len(kinds)} kinds of cards, without {', '.join(wanted - kinds) or 'none'}")
    errors = stage.errors()
    claim(errors == [], f"the page complains of nothing {errors}")
finally:
    stage.close()
    sound.close()
end()
