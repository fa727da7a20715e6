#!/usr/bin/env python3
"""Each piece's page with `?captions` in a real Chromium, for somebody who hears nothing: what sounds is read at its foot. Leaves pictures.
Prints a line for each claim, PASS or FAIL.

    captions.py THRUMD FOLDER PIECE...
"""
import os
import sys

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

# What is wrong with where the captions are.
COVERED = """
const list = document.getElementById("captions"), {top, bottom, left, right} = list.querySelector("li").getBoundingClientRect()
const meets = place => place.top < bottom && place.bottom > top && place.left < right && place.right > left && place.width > 0
return [
    ...(top < 0 || bottom > innerHeight ? ["outside of the screen"] : []),
    ...(getComputedStyle(list).pointerEvents === "none" ? [] : ["takes fingers"]),
    ...[...document.querySelectorAll("button, nav")].filter(button => button.checkVisibility() && meets(button.getBoundingClientRect()))
        .map(button => button.outerHTML.slice(0, 80)),
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
        stage.ask("chime.play", name="unlock")
        wait_for(now, 5, "a caption")
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
        claim(f"{page}: captions lie within the screen, take no finger and cover no button", covered == [], covered)
        violations = stage.axe()
        claim(f"{page}: axe-core finds nothing, and the page complains of nothing", not violations and not stage.errors(), (violations, stage.errors()))
    finally:
        stage.close()
sys.exit(failures > 0)
