#!/usr/bin/env python3
"""A visitor of ScrollKitty in a real Chromium: gets to know the cat in all steps, strokes it, lives a day to its end, and sees the morning after.
Leaves pictures. Prints a line for each claim, PASS or FAIL.

    day.py THRUMD FOLDER [MINUTES]

Its day has so many minutes, by default 1.2. Of a day that was asked for the whole rest is lived after the cat's death; else the morning
comes at once.
"""
import os
import sys
import time

from claims import claim, end
from stage import Stage, wait_for

thrumd, folder = sys.argv[1:3]
minutes, is_whole = (float(sys.argv[3]), True) if len(sys.argv) > 3 else (1.2, False)
os.makedirs(folder, exist_ok=True)

# Counts what is seen for a moment: of each loss that the cat's ears go back and a piece comes off the bar, and that it gets up in the morning.
COUNT = """window.seen = {flinches: 0, pieces: 0, mornings: 0}
new MutationObserver(changes => { for (const change of changes) {
    if (change.attributeName === 'data-flinches' && change.target.hasAttribute('data-flinches')) seen.flinches += 1
    if (change.attributeName === 'data-wakes' && change.target.hasAttribute('data-wakes')) seen.mornings += 1
    for (const node of change.addedNodes) if (node.classList?.contains('piece')) seen.pieces += 1
} }).observe(document, {attributes: true, childList: true, subtree: true})"""

stage = Stage(thrumd, "scrollkitty", ["--experience", "scrollkitty", "--seed", "7", "--idle", "120"], before=COUNT)
try:
    script = stage.script
    text, shows, tap = stage.text, stage.shows, stage.tap
    figure = lambda: script("return document.querySelector('svg.cat')?.dataset.state")
    percent = lambda: int(text("#health .percent .figure") or -1)
    picture = lambda name: stage.picture(f"{folder}/{name}.png")
    violations = []

    def check(name, settles=0.5):
        """A picture, and what axe-core finds in it."""
        time.sleep(settles)
        picture(name)
        violations.extend(f"{name}: {found}" for found in stage.axe())

    wait_for(lambda: figure() == "healthy" and percent() == 100, 10, "a cat that is well")
    check("home", 0.8)

    # A slow finger over its back.
    visits = stage.watch("session")
    stage.touch("touchStart", (0.4, 0.3))
    for step in range(12):
        stage.touch("touchMove", (0.4 + 0.012 * step, 0.3))
        time.sleep(0.03)
    claim(script("return document.querySelector('svg.cat').dataset.stroked") == "", "a slow finger strokes the cat")
    picture("stroked")
    stage.touch("touchEnd")
    claim(any(params["phase"] == "began" for _, params in visits.new()), "the engine is told of the finger: a visit begins")
    wait_for(lambda: script("return document.querySelector('svg.cat').dataset.stroked") is None, 2, "a hand that has gone")

    # The onboarding, as the engine lists it.
    steps = stage.ask("kitty.onboarding")["steps"]
    tap("#begin")
    for step in steps:
        wait_for(lambda: script("return document.getElementById('onboarding').dataset.step") == step["step"], 8, step["step"])
        time.sleep(0.3)
        if "seconds" in step:
            # It goes on by itself.
            picture(f"step-{step['number']:02}-{step['step']}")
            continue
        if step["step"] in ("hours", "wake", "score", "apps", "times"):
            check(f"step-{step['number']:02}-{step['step']}", 0)
        if step["step"] == "cooldown":
            tap("#onboarding .choice button")
        elif "choices" in step:
            tap(f"#onboarding .choice button:nth-child({min(3, len(step['choices']))})")
        elif step["step"] == "times":
            # All day: what follows must cost something at any hour.
            tap("#onboarding .quiet")
        else:
            tap("#onboarding .do")
    wait_for(lambda: not shows("#onboarding"), 3, "the end of the onboarding")
    done = stage.ask("kitty.onboarding")
    claim(all(step["isDone"] for step in done["steps"]) and done["score"] is not None, f"all {len(steps)} steps are done by touches")
    claim(stage.ask("kitty.state")["cooldownMinutes"] == 10, "what was chosen on the way is kept")
    tap("#begin")
    wait_for(lambda: script("return document.getElementById('onboarding').dataset.step") == steps[0]["step"], 3, "the first question again")
    claim(True, "whoever comes next is asked from the first question on")
    tap("#onboarding .later")
    wait_for(lambda: not shows("#onboarding"), 3, "the cat again")

    def hurry(midnight):
        """Days of some `minutes`, one of which ends at this moment."""
        stage.ask("param.set", name="day-minutes", value=midnight / 60 / int(midnight / 60 / minutes))

    # A tenth of the day is over.
    midnight = time.time() + 54 * minutes
    hurry(midnight)
    said = stage.watch("message")
    seen = {}
    tap("[data-app=Chat]")
    check("shield", 0.3)
    while figure() != "dead" and time.time() < midnight - 3:
        before = percent()
        tap(".anyway")
        wait_for(lambda: percent() == before - 5, 3, "what it has cost")
        if figure() not in seen:
            seen[figure()] = percent()
            time.sleep(0.25)
            picture(f"cat-{figure()}")
        if percent() == 95:
            claim(script("return seen.flinches === 1 && seen.pieces === 1"), "the first bypass is seen at once: the cat flinches, and a piece comes off the bar")
            # In a short day there is no time for axe-core here.
            check("open", 0.1) if is_whole else picture("open")
        if percent() > 0:
            # The cooldown is 10 of the day's 1,440 minutes.
            wait_for(lambda: shows(".anyway"), minutes * 60 / 144 + 3, "the shield again")
    claim(list(seen) == ["healthy", "concerned", "tired", "weak", "dead"], f"the cat is drawn in five states, first seen at {seen}")
    claim(not shows(".anyway") and shows(".not-now"), "nothing can be opened when there is nothing left")
    claim(script("return seen.flinches") == 20 == script("return seen.pieces"), f"each of 20 losses is seen: {script('return seen')}")
    check("dead", 1.4)
    last = said.new()[-1][1]["text"]["en"]
    claim(text("#says") == last, f"the cat says: {last}")
    tap("nav [data-view=timeline]")
    wait_for(lambda: script("return document.querySelectorAll('#timeline section:first-child li:not([data-said])').length") == 20, 3, "20 beads")
    words = script("return [...document.querySelectorAll('#timeline li[data-said] p')].map(e => e.innerText)")
    claim(last in words, f"the timeline has what it said: {len(words)} texts")
    check("timeline")
    tap("nav [data-view=today]")

    # Meanwhile the engine is killed, and comes back with the same cat.
    stage.kill()
    wait_for(lambda: text("#calm"), 5, "one moment")
    picture("one-moment")
    stage.start()
    wait_for(lambda: not text("#calm") and figure() == "dead", 10, "the same cat")
    claim(percent() == 0, "the engine is killed and comes back, and the cat still sleeps")

    # What param.set has turned does not outlive the daemon.
    if not is_whole:
        midnight = time.time() + 5
    hurry(midnight)
    wait_for(lambda: figure() == "healthy" and percent() == 100, max(0, midnight - time.time()) + 5, "the morning")
    claim(time.time() >= midnight - 0.1, "in the morning it is well again, without a reload")
    claim(script("return seen.mornings") == 1, "it gets up, stretches and opens its eyes")
    claim(stage.ask("kitty.state")["shieldsAct"], "the hours that were chosen outlive the engine")
    tap("nav [data-view=week]")
    check("week")
    claim(script("return document.querySelector('#week .columns svg').dataset.state") == "dead", "the week remembers the day")
    # On Sundays there is no shield from now on.
    tap("#week [data-setting=days] li:last-child button")
    tap("#week [data-setting=days] .do")
    wait_for(lambda: "from" not in stage.ask("kitty.state")["window"][6], 3, "Sundays without a shield")
    days = "[...document.querySelectorAll('#week [data-setting=days] [aria-pressed]')].map(e => e.getAttribute('aria-pressed'))"
    wait_for(lambda: script(f"return {days}") == ["true"] * 6 + ["false"], 3, "the chosen days")
    claim(all(day["until"] == "24:00" for day in stage.ask("kitty.state")["window"][:6]), "a day of the week is taken out by touches, and the others stay")
    check("settings")
    tap("nav [data-view=today]")
    time.sleep(0.5)
    picture("morning")

    # Other screens.
    for name, size, query in [("landscape-de", (1920, 1080), "?lang=de"), ("phone-de", (390, 844), "?lang=de"), ("phone-large-de", (390, 844), "?lang=de&type=large")]:
        stage.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        stage.size = size
        stage.browser.get(stage.browser.current_url.split("?")[0] + query)
        wait_for(lambda: percent() >= 0, 5, name)
        check(name)
        claim(script("return document.documentElement.scrollWidth <= innerWidth && document.querySelector('nav').getBoundingClientRect().bottom <= innerHeight"),
              f"{name}: all is within the screen")
    claim(violations == [], f"axe-core finds nothing {violations}")
    errors = stage.errors()
    claim(errors == [], f"the page complains of nothing {errors}")
finally:
    stage.close()
end()
