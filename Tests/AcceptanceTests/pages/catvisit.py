#!/usr/bin/env python3
"""A visitor walks up to ScrollKitty in a real Chromium: takes a cat of their own, answers three questions, opens an app, and says good night.
Then another one comes. Leaves pictures. Prints a line for each claim, PASS or FAIL.

    catvisit.py THRUMD FOLDER
"""
import os
import sys
import time

from claims import claim, end
from stage import Stage, wait_for

thrumd, folder = sys.argv[1:3]
os.makedirs(folder, exist_ok=True)
os.environ["THRUM_EXHIBITION"] = "yes"

stage = Stage(thrumd, "scrollkitty", ["--experience", "scrollkitty", "--seed", "7", "--idle", "120"])
try:
    script = stage.script
    text, shows, tap = stage.text, stage.shows, stage.tap
    offers = lambda: script("return document.getElementById('begin').dataset.offers")
    percent = lambda: int(text("#health .percent .figure") or -1)
    step = lambda: script("return document.getElementById('onboarding').dataset.step")
    picture = lambda name: stage.picture(f"{folder}/{name}.png")
    violations = []

    def check(name, settles=0.7):
        """A picture, and what axe-core finds in it."""
        time.sleep(settles)
        picture(name)
        violations.extend(f"{name}: {found}" for found in stage.axe())

    wait_for(lambda: offers() == "own", 10, "the house's cat")
    check("house")
    claim(percent() == 100, "the house's cat is met alive, and the button at the top leads to a cat of one's own")

    # An app of the house's stays open for as long as a cooldown, in which it can be scrolled.
    tap("[data-app=Chat]")
    tap(".anyway")
    wait_for(lambda: shows(".feed"), 3, "an open app")
    x, top, height = script("const b = document.querySelector('.feed').getBoundingClientRect(); return [(b.x + b.width / 2) / innerWidth, b.y / innerHeight, b.height / innerHeight]")
    stage.touch("touchStart", (x, top + 0.9 * height))
    for part in range(8):
        stage.touch("touchMove", (x, top + (0.8 - 0.1 * part) * height))
    stage.touch("touchEnd")
    wait_for(lambda: script("return document.querySelector('.feed').scrollTop") > 0, 3, "a feed that scrolls")
    claim(script("return document.querySelector('.feed').dataset.feed") == "Chat", "the app that is open has a feed of its own, and it goes with the finger")
    tap(".not-now")
    house = percent()
    wait_for(lambda: script("return document.querySelector('[data-app=Chat]').dataset.shield") == "shielded", 3, "the shield again")

    # An app is open, and somebody looks at the questions only.
    tap("[data-app=Chat]")
    tap(".anyway")
    wait_for(lambda: shows(".feed") and percent() == house - 5, 3, "an open app")
    house = percent()
    tap("#begin")
    wait_for(lambda: shows("#onboarding") and step() == "hours", 8, "the first question")
    tap("#onboarding .do")
    wait_for(lambda: step() == "addicted", 3, "the second question")
    tap("#onboarding .later")
    wait_for(lambda: not shows("#onboarding"), 3, "the house's cat again")
    claim(offers() == "own" and percent() == house and stage.ask("kitty.state")["household"] == "home", "who leaves the questions is with the house's cat, as before them")
    wait_for(lambda: shows("#phone .screen[data-view=home]") and all(app["shield"] == "shielded" for app in stage.ask("kitty.state")["apps"]), 3, "shields")
    claim(True, "the app that was open was closed, as its phone shows")

    watcher, said = stage.watch("message"), []

    def groups():
        """Of all that was said so far."""
        said.extend(message for _, message in watcher.new())
        return [message["group"] for message in said]

    began = time.monotonic()
    tap("#begin")
    questions = 0
    counted = []
    for name in ["hours", "addicted", "age", "loading", "years"]:
        wait_for(lambda: shows("#onboarding") and step() == name, 8, name)
        counted.append(text("#onboarding .count"))
        if name == "loading":
            captions = set()
            while step() == name:
                captions.add(text("#onboarding .caption"))
                time.sleep(0.1)
            claim(len(captions - {""}) == 3, f"while the results load three captions are read: {captions}")
            continue
        check(f"step-{name}", 0.4)
        questions += name != "years"
        tap("#onboarding .choice button:nth-child(3)" if name in ("addicted", "age") else "#onboarding .do")
    wait_for(lambda: not shows("#onboarding"), 3, "the phone")
    claim(counted == ["1 of 3", "2 of 3", "3 of 3", "", ""], f"only questions are counted {counted}")
    claim(questions == 3, f"after three questions and what they come to, the phone is there ({time.monotonic() - began:.0f} s)")
    wait_for(lambda: offers() == "leave", 3, "a cat of one's own")
    claim("greeting" in groups(), "the cat greets whoever comes to it")

    claim(not shows("nav [data-view=week]"), "a visitor of minutes has no week and no settings")
    tap("[data-app=Chat]")
    tap(".anyway")
    wait_for(lambda: shows("#notice"), 3, "what has happened")
    claim(script("""const place = e => document.querySelector(e).getBoundingClientRect(), notice = place("#notice")
        return ["#cat", "#begin", "#phone", "nav"].filter(e => { const it = place(e); return it.top < notice.bottom && it.bottom > notice.top && it.left < notice.right && it.right > notice.left })""")
          == [], "what has happened is told beside the cat and the buttons, over none of them")
    wait_for(lambda: percent() == 95, 3, "what it has cost")
    claim(True, "an app that is opened anyway costs the visitor's own cat 5 HP")
    claim(script("return document.querySelectorAll('#health .apps .icon').length") == 1 and text("#health .day-ends") != "",
          "each app that was opened anyway is an icon beside the phone, and how long the day lasts is told")
    check("open", 0.3)
    tap("#begin")
    wait_for(lambda: shows("#good-night"), 3, "its good night")
    check("good-night")
    words = [message["text"]["en"] for group, message in zip(groups(), said) if group.startswith("nightly-")]
    claim(text("#good-night .words") in words, f"before its visitor goes it says: {words}")
    time.sleep(10)
    claim(shows("#good-night"), "it stays until it is touched")
    tap("#good-night .do")
    wait_for(lambda: offers() == "own" and not shows("#good-night"), 3, "the house's cat again")
    wait_for(lambda: percent() == house, 3, "what the house's cat had")
    claim(True, "the house's cat has lost nothing by it")

    # The house's cat has an app or its shield on its phone, and the timeline is open.
    tap("[data-app=Photos]", lasts=1)
    wait_for(lambda: not shows("#phone .screen[data-view=home]"), 3, "the app, or its shield")
    claim(True, "who presses slowly presses all the same")
    tap("nav [data-view=timeline]")
    tap("#begin")
    wait_for(lambda: shows("#onboarding") and step() == "hours", 8, "the first question again")
    for name in ["hours", "addicted", "age", "years"]:
        wait_for(lambda: step() == name, 8, name)
        time.sleep(0.3)
        tap("#onboarding .choice button:nth-child(3)" if name in ("addicted", "age") else "#onboarding .do")
    wait_for(lambda: not shows("#onboarding") and shows("#phone .screen[data-view=home]"), 3, "the new cat's phone")
    wait_for(lambda: percent() == 100, 3, "a new cat")
    claim(script("return document.querySelector('svg.cat').dataset.state") == "healthy", "whoever comes next has a new cat, and is asked from the first question on")
    claim(script("return document.body.dataset.view") == "today", "it is met on Today, and its phone has nothing of what was open before")
    claim(violations == [], f"axe-core finds nothing {violations}")
    errors = stage.errors()
    claim(errors == [], f"the page complains of nothing {errors}")
finally:
    stage.close()
end()
