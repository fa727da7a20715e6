#!/usr/bin/env python3
"""Each piece's page in a real Chromium, for somebody who does not see: two fingers are held, one slides until a name is spoken, and a second
tap acts. The script knows no place on the page. Prints a line for each claim, PASS or FAIL.

    explore.py THRUMD
"""
import sys
import time

from stage import Stage, wait_for

thrumd = sys.argv[1]
failures = 0

# What the page has the engine speak. The engine has a voice here (espeak-ng), so the browser speaks nothing.
RECORD = """
window.spoken = []
window.spokenByBrowser = []
const send = WebSocket.prototype.send
WebSocket.prototype.send = function (line) {
    const { method, params } = JSON.parse(line)
    if (method === "speech.say") spoken.push(params.text)
    return send.call(this, line)
}
Object.defineProperty(window, "speechSynthesis", {value: {cancel() {}, speak(utterance) { spokenByBrowser.push(utterance.text) }}})
"""


def claim(words, holds, found=""):
    global failures
    failures += not holds
    print("PASS" if holds else "FAIL", words, "" if holds else found, flush=True)


def act_on(stage, name):
    """Slides over the page, row by row from the bottom, until `name` is spoken, and taps in the corner once more."""
    def spoken():
        return stage.script("return spoken.at(-1) ?? ''").startswith(name)

    stage.touch("touchStart", (0.5, 0.99))
    found = False
    for row in range(64):
        for column in range(10) if row % 2 else reversed(range(10)):
            stage.touch("touchMove", (0.05 + 0.1 * column, 0.99 - row / 66))
        # The engine's word for the row comes before the next one begins, but on a busy machine.
        for column in range(10):
            if found or spoken():
                break
            stage.touch("touchMove", (0.05 + 0.1 * column, 0.99 - row / 66))
            time.sleep(0.02)
        found = found or spoken()
        if found:
            break
    stage.touch("touchEnd")
    stage.touch("touchStart", (0.02, 0.5))
    stage.touch("touchEnd")
    return found


# What is acted on by its name, and a topic by which the piece tells of the last of it.
for page, names, topic in [
    ("colorscroller", ["Next card"], "scroll"), ("scrollkitty", ["Chat, shielded", "Open anyway"], "lost"),
    ("unhooked", ["Screen time today", "Report 25 min"], "pet"),
]:
    stage = Stage(thrumd, page, ["--experience", page], query="?lang=en", before=RECORD)
    try:
        watcher = stage.watch(topic)
        wait_for(lambda: stage.script("return document.querySelector('#explored') !== null"), 20, "the page")
        time.sleep(1)
        stage.touch("touchStart", (0.3, 0.3))
        stage.touch("touchStart", (0.3, 0.3), (0.6, 0.3))
        wait_for(lambda: stage.script("return document.documentElement.hasAttribute('data-exploring')"), 4, "that two fingers switch it on")
        stage.touch("touchEnd")
        time.sleep(1)
        claim(f"{page}: two held fingers switch it on, and it is said what to do",
              stage.script("return spoken").count("Explore by touch. Slide one finger over the glass; tap twice to choose. "
                                                 "Hold two fingers for two seconds to end.") == 1, stage.script("return spoken"))
        for name in names:
            watcher.new()
            claim(f"{page}: a finger that slides finds {name}", act_on(stage, name), stage.script("return spoken.slice(-12)"))
            time.sleep(1)
        claim(f"{page}: a second tap has acted", watcher.new() != [], stage.script("return spoken.slice(-12)"))
        claim(f"{page}: the engine speaks, not the browser", stage.script("return spokenByBrowser.length") == 0,
              stage.script("return spokenByBrowser"))
        claim(f"{page}: the page complains of nothing", not stage.errors(), stage.errors())
    finally:
        stage.close()
sys.exit(failures > 0)
