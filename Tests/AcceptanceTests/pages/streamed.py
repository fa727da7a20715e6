#!/usr/bin/env python3
"""A page of ColorScroller in a real Chromium whose touches are the engine's. Prints a line for each claim, PASS or FAIL.

Only a kernel with uinput has a touchscreen for thrumd (Tests/VM/GuestTests/OwnershipTests.swift), and there Chromium would be too slow. So
the page's WebSocket says here what thrumd says there: that the engine owns touches, and the topic `touches`. All else is thrumd's.

    streamed.py THRUMD
"""
import sys
import time

from claims import claim, end
from stage import Stage, wait_for

# Puts words into thrumd's mouth: the owner in the greeting and when it changes, and what `tell` is called with.
before = """
const Own = window.WebSocket
window.WebSocket = class extends Own {
    set onmessage(hear) {
        window.tell = (method, params) => hear({ data: JSON.stringify({ jsonrpc: "2.0", method, params }) })
        super.onmessage = ({ data }) => hear({ data: data.replace('"owner":"page"', '"owner":"engine"') })
    }
    send(data) {
        (window.sent ??= []).push(JSON.parse(data))
        super.send(data)
    }
}
"""

stage = Stage(sys.argv[1], "colorscroller", ["--experience", "colorscroller", "--seed", "7"], query="?kiosk", before=before)
try:
    script = stage.script
    index = lambda: int(script("return document.getElementById('feed').dataset.index"))
    is_settled = lambda: script("return document.getElementById('feed').dataset.settled === 'true'")
    # By its lower edge, because a card that goes shrinks towards that.
    place = lambda: script("return document.querySelector('.card.current').getBoundingClientRect().bottom / innerHeight - 1")
    sent = lambda method: script("return window.sent.filter(message => message.method === arguments[0])", method)

    def finger(phase, y, x=0.5, at=None):
        at = time.monotonic_ns() if at is None else at
        script("window.tell('touches', {at: arguments[0], client: -1, contacts: [{phase: arguments[1], id: 0, x: arguments[2], y: arguments[3]}]})",
               at, phase, x, y)

    def drag(start, end, steps=5, x=0.5):
        finger("began", start, x)
        for step in range(1, steps + 1):
            finger("moved", start + (end - start) * step / steps, x)
        finger("ended", end, x)

    wait_for(lambda: script("return document.querySelectorAll('#rows li').length") == 10, 10, "the landing card")
    hello = sent("hello")[0]["params"]
    claim(hello == {"client": "colorscroller", "touches": "engine"}, f"a page that fills the screen offers to draw from the engine's touches {hello}")

    finger("began", 0.8)
    finger("moved", 0.5)
    wait_for(lambda: abs(place() + 0.3) < 0.002, 2, "the card under the finger")
    claim(True, "the card follows the engine's finger, 0.3 heights up")
    finger("ended", 0.5)
    wait_for(is_settled, 3, "the card at rest")
    claim(index() == 0 and abs(place()) < 0.002, "the page makes no swipe of it by itself: it goes back when the engine says nothing")

    # As thrumd does with a flick: the card is told first, then that the finger has left.
    finger("began", 0.8)
    finger("moved", 0.5)
    stage.ask("swipe", direction="up", velocity=2)
    wait_for(lambda: index() == 1, 2, "the card that the engine says")
    finger("ended", 0.5)
    wait_for(is_settled, 3, "the next card at rest")
    claim(index() == 1 and abs(place()) < 0.002, "it lands on the card that the engine says")

    stage.swipe()
    time.sleep(0.3)
    claim(index() == 1 and is_settled() and abs(place()) < 0.002, "a finger of the browser's own moves nothing")
    claim(sent("touch") == [] and sent("swipe") == [] and sent("tap") == [], "and is not told")

    # Buttons and lists, of which the browser knows nothing now.
    stage.ask("param.set", name="force-unlock-all", value=True)
    stage.ask("swipe", direction="up", velocity=2)
    wait_for(lambda: not script("return document.getElementById('pill').hidden"), 3, "the pill")
    x, y = script("const r = document.getElementById('pill').getBoundingClientRect();"
                  "return [(r.left + r.width / 2) / innerWidth, (r.top + r.height / 2) / innerHeight]")
    drag(y, y, steps=1, x=x)
    wait_for(lambda: script("return document.getElementById('sheet').open"), 3, "the sheet")
    time.sleep(0.5)
    claim(True, "a tap on the pill opens the sheet")
    drag(0.8, 0.5)
    scrolled = script("return document.querySelector('#sheet .shelves').scrollTop")
    claim(scrolled > 0 and len(sent("finger.claim")) == 1, f"a finger scrolls the sheet, and is kept from the piece: {scrolled}")
    top = lambda: script("return document.getElementById('sheet').getBoundingClientRect().top / innerHeight")
    finger("began", 0.2)
    finger("moved", 0.3)
    wait_for(lambda: abs(top() - 0.25) < 0.005, 2, "the sheet under the finger")
    claim(True, "the sheet's grip follows the finger, a tenth of the screen down")
    finger("moved", 0.6)
    finger("ended", 0.6)
    wait_for(lambda: not script("return document.getElementById('sheet').open"), 3, "a sheet that is put away")
    # A right thumb begins where the pill is.
    finger("began", y, x)
    finger("moved", y - 0.3, x)
    wait_for(lambda: abs(place() + 0.3) < 0.002, 2, "the card under a finger that began on the pill")
    claim(True, "a finger that begins on the pill moves the feed")
    finger("ended", y - 0.3, x)
    wait_for(lambda: is_settled() and not script("return document.getElementById('sheet').open"), 3, "the card at rest")
    errors = stage.errors()
    claim(errors == [], f"the page complains of nothing {errors}")
finally:
    stage.close()
end()
