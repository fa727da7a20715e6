#!/usr/bin/env python3
"""Somebody does each view's main task at the console with the keyboard alone, in a real Chromium: every control is reached by Tab, shows that
it has the focus, and does what it does by Enter, Space, arrows and Escape. No pointer is used anywhere. Prints a line for each claim, PASS or
FAIL.

    keyboard.py THRUMD FOLDER
"""
import os
import sys
import tempfile

from claims import claim, end
from stage import Stage, wait_for

thrumd, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)

# The keys that are pressed: name, code, and what Chromium calls it.
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}

# What can be worked with and is in sight of a person, in the view or the dialog that is open. Of radio buttons one is a stop.
REACHABLE = """
const inside = document.querySelector("dialog[open]") ?? document.querySelector(arguments[0])
const all = inside.querySelectorAll("button, input, select, textarea, a[href], summary, audio, [tabindex='0']")
return [...all].filter(e => !e.disabled && e.checkVisibility({visibilityProperty: true}) && e.tabIndex >= 0 && e.type !== "radio")"""

settings = tempfile.NamedTemporaryFile("w", suffix=".yaml")
settings.write("experience: unhooked\nschedule:\n  fade: 0\n")
settings.flush()
stage = Stage(thrumd, "console", ["--config", settings.name, "--seed", "7"], size=(1280, 800))
try:
    script, text, shows = stage.script, stage.text, stage.shows

    def press(key, times=1, shift=False):
        entered = {"Enter": "\r", " ": " "}.get(key)
        for _ in range(times):
            more = {"text": entered} if entered else {}
            about = dict(key=key, code="Space" if key == " " else key, windowsVirtualKeyCode=KEYS[key], modifiers=8 if shift else 0)
            stage.devtools("Input.dispatchKeyEvent", type="keyDown", **about, **more)
            stage.devtools("Input.dispatchKeyEvent", type="keyUp", **about)

    def write(words):
        stage.devtools("Input.insertText", text=words)

    has = lambda place: script("return document.activeElement.matches(arguments[0])", place)
    ringless = []

    def look():
        """Notes what has the focus and does not show it, or is out of sight."""
        found = script("""const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect()
            if (e === document.body || e.matches("main")) return null
            const isSeen = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== "none" || e.matches("audio")
            const isIn = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
            return isSeen && isIn ? null : e.outerHTML.slice(0, 120) + (isSeen ? " out of sight" : " without a ring")""")
        if found:
            ringless.append(found)

    def walk(place, most=250, shift=False):
        """Tab until what `place` finds has the focus."""
        wait_for(lambda: shows(place), 8, place)
        for _ in range(most):
            if has(place):
                return look()
            press("Tab", shift=shift)
        raise AssertionError(f"Tab does not come to {place}")

    def go(view):
        walk(f"#rail [data-view={view}]", shift=not has("#rail *"))
        press("Enter")
        wait_for(lambda: shows(f".view.{view} > *"), 8, view)

    def tour(name, inside="main"):
        """Tab through all that is there; says what was never reached."""
        script("window.reached = new Set(); window.latest = null")
        for _ in range(400):
            press("Tab")
            look()
            # A player has several stops inside.
            if script("const e = document.activeElement, again = e !== latest && reached.has(e); reached.add(latest = e); return again"):
                break
        missed = script("const all = (() => {" + REACHABLE + "})(); return all.filter(e => !reached.has(e)).map(e => e.outerHTML.slice(0, 120))", inside)
        claim(missed == [], f"{name}: Tab comes to everything {missed[:3]}")

    # A session that is over: a household's goes on until the engine ends.
    stage.ask("chime.play", name="unlock")
    stage.ask("journal.mark", text="here")
    stage.daemon.terminate()
    stage.daemon.wait()
    stage.start()

    # In, by a token with a name: only who has one proposes.
    token = stage.ask("token.add", name="anna", role="operator")["token"]
    address = stage.browser.current_url
    stage.browser.get("about:blank")
    stage.browser.get(f"{address}#token={token}")
    wait_for(lambda: shows("#rail [data-view=doing]") and shows(".view.now > *") and "anna" in text("#who"), 10, "the console")
    press("Tab")
    claim(has("#rail [data-view=now]"), "the first Tab comes to the views")
    tour("Now")

    # Do: a slider by arrows, a switch and a try by Space, an end that asks once more.
    told = stage.watch("cue", "session")
    heard = lambda cue, **fields: any(what.get("cue") == cue and fields.items() <= what.items() for _, what in list(told.told))
    go("doing")
    tour("Do")
    walk(".view.doing input[type=range]")
    press("ArrowLeft", 3)
    wait_for(lambda: stage.ask("status")["house"].get("volumeByHand", {}).get("level") == -3, 5, "the volume")
    press("End")
    wait_for(lambda: "volumeByHand" not in stage.ask("status")["house"], 5, "the volume back")
    claim(True, "Do: arrows turn the volume")
    walk("[data-try=unlock]")
    press(" ")
    wait_for(lambda: heard("chime", name="unlock"), 5, "a chime")
    claim(True, "Do: Space plays a chime")
    walk("[data-do=end] button")
    press("Enter")
    wait_for(lambda: shows("[data-do=end] .danger"), 3, "asked once more")
    claim(has("[data-do=end] button"), "Do: the question whether to end the session has the focus")
    walk("[data-do=end] .danger", shift=True)
    press("Enter")
    wait_for(lambda: stage.ask("status").get("session") is None, 5, "the session's end")
    claim(True, "Do: Enter ends the session")

    # Sessions: found by words, opened, and the flight recorder, which Escape closes.
    go("sessions")
    walk("#find")
    write("unhooked")
    walk(".session summary")
    press("Enter")
    wait_for(lambda: shows(".session .moments [data-do=recall]"), 8, "what is in the session")
    tour("Sessions")
    walk(".session .moments [data-do=recall]")
    press("Enter")
    wait_for(lambda: shows("dialog[open] .parts"), 5, "the flight recorder")
    inside = "return document.activeElement.closest('dialog') !== null"
    claim(script(inside), "Sessions: the flight recorder takes the focus")
    press("Tab", 3)
    claim(script(inside), "and Tab stays in it")
    press("Escape")
    wait_for(lambda: not shows("dialog[open]"), 3, "closed")
    claim(has("[data-do=recall]"), "Escape closes it, and the focus is where it was")

    # Venue: a preset, and the week in words.
    go("venue")
    wait_for(lambda: shows(".week .hours"), 5, "the week")
    tour("Venue")
    walk("[data-preset=quiet-day]")
    stage.picture(f"{folder}/focus.png")
    press("Enter")
    wait_for(lambda: stage.ask("status")["house"]["preset"] == "quiet-day", 5, "a preset")
    wait_for(lambda: script("return document.querySelector('[data-preset=quiet-day]').ariaPressed") == "true", 5, "pressed")
    claim(has("[data-preset=quiet-day]"), "Venue: Enter chooses a preset, which keeps the focus")
    stage.ask("preset.set")
    walk(".weekly summary", shift=True)
    press(" ")
    claim(shows(".inWords li"), "Venue: Space opens the hours in words")

    # Devices: a chime of the list, and noise.
    go("devices")
    wait_for(lambda: script("return document.querySelector('#chime')?.options.length > 2"), 8, "chimes")
    tour("Devices")
    walk("#chime")
    first = script("return document.querySelector('#chime').value")
    press("ArrowDown")
    claim(script("return document.querySelector('#chime').value") != first, "Devices: arrows choose a chime")
    told.new()
    walk("[data-do=sound]")
    press("Enter")
    wait_for(lambda: heard("chime"), 5, "a chime")
    walk("[data-do=noise]")
    press(" ")
    wait_for(lambda: heard("noise", on=True), 5, "noise")
    press(" ")
    wait_for(lambda: heard("noise", on=False), 5, "its end")
    claim(True, "Devices: Space begins and ends the noise")

    # Documents: a draft with another price, proposed. And a flag.
    go("configuration")
    walk("[data-do=draft]")
    press("Enter")
    wait_for(lambda: shows(".part[data-path=foods] summary"), 5, "a draft")
    walk(".part[data-path=foods] summary")
    press("Enter")
    walk(".item[data-path='foods.0'] summary")
    press("Enter")
    walk(".field[data-path='foods.0.energy'] input")
    script("document.activeElement.select()")
    write("40")
    wait_for(lambda: shows(".review .verdict.good"), 5, "a good draft")
    tour("Documents")
    walk("[data-do=propose]")
    press("Enter")
    wait_for(lambda: text(".detail h2").startswith("Version 1"), 5, "a version")
    claim(True, "Documents: a price is changed and proposed")
    go("flags")
    walk("[data-flag=memorial] input")
    press(" ")
    wait_for(lambda: shows("[data-flag=memorial][data-changed=true]"), 5, "a flag")
    claim(has("[data-flag=memorial] input"), "Flags: Space turns a flag, which keeps the focus")
    tour("Flags")

    # The books, a household, and the log.
    stage.ask("unhooked.feed", food="kibble", key="breakfast")
    go("ledger")
    wait_for(lambda: shows("[data-do=csv]"), 8, "books")
    tour("Ledger")
    go("support")
    wait_for(lambda: shows(".view.support .pets"), 8, "a pet")
    tour("Support")
    go("log")
    walk("[data-by=log-with]")
    write("no such words")
    wait_for(lambda: not shows(".log li:not(.day)"), 5, "nothing")
    tour("Log")
    claim(True, "Log: words sift the lines")

    claim(ringless == [], f"what has the focus shows it, and is in sight {sorted(set(ringless))[:5]}")
    claim(stage.errors() == [], f"the page complains of nothing {stage.errors()}")
finally:
    stage.close()
end()
