#!/usr/bin/env python3
"""examples/colorscroller.html in a real Chromium, opened as a file. Prints a line for each claim, PASS or FAIL.

    example.py THRUMD
"""
import sys
from urllib.parse import urlsplit

from claims import claim, end
from stage import Stage, repository, wait_for

stage = Stage(sys.argv[1], "colorscroller", ["--experience", "colorscroller", "--seed", "7", "--http-origins", "null"])
try:
    script = stage.script
    index = lambda: script("return document.getElementById('card').dataset.index")
    words = lambda name: script("return document.getElementById(arguments[0]).textContent", name)
    engine = urlsplit(stage.browser.current_url).netloc
    stage.browser.get(f"file://{repository}/examples/colorscroller.html?engine={engine}")
    wait_for(lambda: index() == "0", 20, "the landing card")
    claim(words("card") == "scroll" and words("count") == "0 unlocked", "the page draws the landing card")
    # Every card from 10 on that may carry something new does.
    stage.ask("param.set", name="chance-early", value=1)
    for card in range(1, 11):
        stage.swipe()
        wait_for(lambda: index() == str(card), 20, f"card {card}")
    claim(True, "each swipe of a finger leads to the next card, as the engine sees it")
    wait_for(lambda: words("count") == "1 unlocked", 20, "the count")
    shown = stage.ask("feed.inventory")["common"][0]
    claim(words("toast") == f"{shown['name']} · common", f"an unlock is told: {words('toast')}")
    wanted = "rgb({}, {}, {})".format(*shown["rgb"][0])
    wait_for(lambda: script("return document.getElementById('card').style.background") == wanted, 20, "the colour")
    claim(True, "the card has the skin's colour")
    stripes = {"face": "skin", "index": 1, "skin": {"kind": "stripes", "colors": ["#ff0000", "#0000ff"], "angle": 0}}
    script("draw(arguments[0])", stripes)
    # The window is 1080 wide, so a bar has 108 pixels: red from 0, blue from 108, red again from 216.
    pixels = [stage.pixel(x, 1500) for x in (20, 100, 116, 208, 224)]
    claim(pixels == [(255, 0, 0), (255, 0, 0), (0, 0, 255), (0, 0, 255), (255, 0, 0)], f"stripes have hard edges: {pixels}")
    stage.ask("session.end")
    wait_for(lambda: words("count") == "0 unlocked" and index() == "0", 20, "the next visit's feed")
    stage.kill()
    wait_for(lambda: words("count") == "one moment …", 20, "that the engine is gone is told")
    stage.start()
    wait_for(lambda: words("count") == "0 unlocked" and index() == "0", 20, "the page draws anew")
    claim(True, "the page begins anew after a visit, and outlives its engine")
    claim(stage.errors() == [], f"the browser has no complaint: {stage.errors()}")
finally:
    stage.close()
end()
