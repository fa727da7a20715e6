#!/usr/bin/env python3
"""Each piece's page with `?captions` in a real Chromium, for somebody who hears nothing: what sounds is read at its foot. Leaves pictures.
Prints a line for each claim, PASS or FAIL.

    captions.py THRUMD FOLDER PIECE...
"""
import os
import sys
import time

from stage import Stage, wait_for

thrumd, folder, *pages = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
failures = 0

# Every line that was ever shown: some go while a busy machine looks away.
RECORD = """
window.read = []
addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    for (const item of document.querySelectorAll("#captions li")) if (!read.includes(item.textContent)) read.push(item.textContent)
}).observe(document.body, {childList: true, subtree: true, characterData: true}))
"""

# What is wrong with where the captions are: what can be pressed, is read or is a part of the page keeps out of their way.
COVERED = """
const list = document.getElementById("captions"), lines = [...list.children].map(line => line.getBoundingClientRect())
const meets = place => place.width > 0 && lines.some(({top, bottom, left, right}) => place.top < bottom && place.bottom > top && place.left < right && place.right > left)
const isCut = element => { const list = element.closest(".scrolls"); return list && element.getBoundingClientRect().top >= list.getBoundingClientRect().bottom }
return [
    ...(lines.length < 2 ? ["fewer lines than sounds"] : []),
    ...(lines.some(({top, bottom, left, right}) => top < 0 || bottom > innerHeight || left < 0 || right > innerWidth) ? ["outside of the screen"] : []),
    ...(getComputedStyle(list).pointerEvents === "none" ? [] : ["takes fingers"]),
    ...[...document.querySelectorAll("button, nav, input, h1, h2, h3, p, li, .prompt, .bar, #phone, #stage, .sheet, .panel")]
        .filter(part => !list.contains(part) && !part.closest(".unseen") && part.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !isCut(part) && meets(part.getBoundingClientRect()))
        .map(part => part.outerHTML.slice(0, 80)),
]
"""


def claim(words, holds, found=""):
    global failures
    failures += not holds
    print("PASS" if holds else "FAIL", words, "" if holds else found, flush=True)


for page in pages:
    stage = Stage(thrumd, page, ["--experience", page], query="?captions&lang=en", before=RECORD)
    try:
        now = lambda: stage.script("return [...document.querySelectorAll('#captions li')].map(item => item.textContent)")
        wait_for(lambda: stage.script("return document.querySelector('#captions') !== null"), 20, "the page")
        # Whatever welcomes a visitor has been heard.
        wait_for(lambda: not now(), 20, "silence")
        def two_sound():
            """On a busy machine the first may be over before the second is asked for: then both are asked for again."""
            stage.ask("chime.play", name="unlock")
            stage.ask("chime.play", name="ding" if page == "colorscroller" else "welcome")
            time.sleep(0.2)
            return len(now()) >= 2
        wait_for(two_sound, 5, "two captions")
        covered = stage.script(COVERED)
        stage.picture(f"{folder}/{page}.png")
        wait_for(lambda: not now(), 10, "the end of the caption")
        claim(f"{page}: a chime is read while it sounds, and not for ever", "♪ chime, rising" in stage.script("return read"), stage.script("return read"))
        stage.ask("output.mute", on=True)
        wait_for(lambda: now() == ["sound is off"], 5, "that sound is off")
        stage.ask("output.mute", on=False)
        wait_for(lambda: not now(), 5, "that it is on again")
        claim(f"{page}: it is read that sound is off, and no more when it is on", True)
        if page == "colorscroller":
            stage.touch("touchStart", (0.5, 0.6))
            try:
                wait_for(lambda: any(line.startswith("♪ tone, ") for line in now()), 5, "the tone's caption")
            finally:
                stage.touch("touchEnd")
            wait_for(lambda: not now(), 5, "its end")
            claim("colorscroller: the tone is read while a finger is down", True)
        claim(f"{page}: captions lie within the screen, take no finger and cover nothing of the page", covered == [], covered)
        for name, size in [("landscape", (1920, 1080)), ("tablet", (768, 1024)), ("phone", (390, 844))]:
            stage.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
            for scale in ["", "large"]:
                stage.script("document.documentElement.dataset.type = arguments[0]", scale)
                wait_for(lambda: not now(), 10, "silence")
                wait_for(two_sound, 5, "two captions")
                covered = stage.script(COVERED)
                claim(f"{page}, {name} {scale}: they cover nothing there either", covered == [], covered)
                stage.picture(f"{folder}/{page}-{name}{scale}.png")
        violations = stage.axe()
        claim(f"{page}: axe-core finds nothing, and the page complains of nothing", not violations and not stage.errors(), (violations, stage.errors()))
    finally:
        stage.close()
sys.exit(failures > 0)
