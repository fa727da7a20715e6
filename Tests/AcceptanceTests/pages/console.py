#!/usr/bin/env python3
"""Two operators at the console in a real Chromium. One proposes another price and cannot approve it, the other approves and publishes, and the
running household pays it. Then flags, a rollback, the books and a household. Leaves pictures. Prints a line for each claim, PASS or FAIL.

    console.py THRUMD FOLDER
"""
import os
import sys
import time

from claims import claim, end
from stage import Stage, wait_for

thrumd, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)

# What the page has the browser save.
SAVED = """const make = URL.createObjectURL.bind(URL)
URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text }); return make(blob) }"""
# Asks as the page does, beside it.
ASK = """const [token, method, params, done] = arguments
const socket = new WebSocket(`ws://${location.host}/socket`, ["thrum", `thrum.token.${token}`])
socket.onopen = () => socket.send(JSON.stringify({jsonrpc: "2.0", id: 1, method, params}))
socket.onmessage = ({data}) => { socket.close(); done(JSON.parse(data)) }"""

stage = Stage(thrumd, "console", ["--experience", "unhooked", "--seed", "7"], size=(1280, 800), before=SAVED)
try:
    script = stage.script
    address = stage.browser.current_url
    text = lambda place: script("const e = document.querySelector(arguments[0]); return e && e.checkVisibility() ? e.innerText : ''", place)
    shows = lambda place: script("const e = document.querySelector(arguments[0]); return e !== null && e.checkVisibility()", place)
    violations = []

    def press(place):
        wait_for(lambda: shows(place) and script("return !document.querySelector(arguments[0]).disabled", place), 5, place)
        script("document.querySelector(arguments[0]).click()", place)

    def type_in(place, value):
        wait_for(lambda: shows(place), 3, place)
        script("const e = document.querySelector(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('input', {bubbles: true}))", place, value)

    def check(name, is_new=True):
        """A picture, and what axe-core finds in it, if it has anything that no picture had before."""
        time.sleep(0.25)
        stage.picture(f"{folder}/{name}.png")
        if is_new:
            violations.extend(f"{name}: {found}" for found in stage.axe())

    def be(name, query=""):
        """Somebody else sits down, with their own token."""
        stage.browser.get("about:blank")
        stage.browser.get(f"{address}{query}#token={tokens[name]}")
        wait_for(lambda: text("#who").startswith(name) and shows(".view.now > *") and shows("[data-view=configuration]"), 8, name)
        go("configuration")

    def go(view):
        press(f"#rail [data-view={view}]")
        wait_for(lambda: shows(f".view.{view} h1"), 5, view)

    claim("No name" in text("#who") or wait_for(lambda: "No name" in text("#who"), 8, "nobody") > 0, "without a token nobody has a name")
    tokens = {name: stage.ask("token.add", name=name, role="operator")["token"] for name in ["anna", "ben"]}
    guest = stage.ask("token.add", name="guest", role="watch")["token"]
    stage.browser.get("about:blank")
    stage.browser.get(f"{address}#token={guest}")
    wait_for(lambda: shows(".invitation"), 8, "who may watch")
    claim(not shows("[data-view=configuration]"), "who is no operator is told how to become one, and shown no document")
    stage.ask("unhooked.feed", food="kibble", key="breakfast")

    # Anna proposes.
    be("anna")
    wait_for(lambda: "standard document is in force" in text("main"), 3, "the standard document")
    check("standard")
    press("[data-do=draft]")
    field = ".field[data-path='foods.0.energy'] input"
    wait_for(lambda: shows(".part[data-path=foods] summary"), 3, "fields")
    script("for (const place of ['.part[data-path=foods]', '.item[data-path=\"foods.0\"]']) document.querySelector(place).open = true")
    type_in(field, "0")
    wait_for(lambda: "unhooked.foods[0].energy" in text(".review .verdict.bad"), 3, "what is wrong")
    claim(script("return document.querySelector('[data-do=propose]').disabled"), "a price of nothing is refused by its field, and cannot be proposed")
    check("draft-wrong")
    type_in(field, "40")
    type_in(".field[data-path='recovery.cure.gems'] input", "90")
    wait_for(lambda: shows(".review .verdict.good") and "recovery.cure.gems" in text(".review .changes"), 3, "nothing wrong")
    claim("foods[kibble].energy" in text(".review .changes") and "was 50" in text(".field[data-path='foods.0.energy']"), "the draft's changes are shown")
    press("[data-do=simulate]")
    script("window.parts = []; window.watcher = setInterval(() => { const bar = document.querySelector('.simulation progress'); if (bar) parts.push(bar.value) }, 5)")
    wait_for(lambda: shows(".outlook tbody tr"), 60, "the outlook")
    claim(script("clearInterval(watcher); return new Set(parts).size") >= 3, "a bar shows how far the simulation is")
    check("draft")
    press("[data-do=propose]")
    wait_for(lambda: text(".detail h2").startswith("Version 1"), 5, "a version")
    claim(not shows("[data-do=approve]") and not shows("[data-do=publish]") and "Somebody else must approve" in text(".detail .hint"), "its proposer finds no way to approve it")
    answer = stage.browser.execute_async_script(ASK, tokens["anna"], "config.approve", {"kind": "unhooked", "version": 1})
    claim("two people publish" in answer["error"]["message"], "and is refused")
    check("proposed")

    # Ben approves and publishes.
    be("ben")
    press("[data-do=approve]")
    wait_for(lambda: shows("[data-do=publish]"), 5, "an approved version")
    claim(stage.ask("unhooked.shop")["foods"][0]["energy"] == 50, "what is approved does not count yet")
    check("approved", is_new=False)
    press("[data-do=publish]")
    wait_for(lambda: "in force" in text(".detail h2"), 5, "a published version")
    shop = stage.ask("unhooked.shop")["foods"][0]
    claim((shop["id"], shop["energy"], stage.ask("unhooked.state")["cure"]["gems"]) == ("kibble", 40, 90), "the running household pays the new price")
    check("published", is_new=False)

    # A flag, and back.
    go("flags")
    press("[data-flag=memorial] input")
    wait_for(lambda: shows("[data-flag=memorial][data-changed=true]") and shows("[data-do=review]"), 3, "a draft")
    check("flags")
    press("[data-do=review]")
    press("[data-do=propose]")
    wait_for(lambda: text(".detail h2").startswith("Version 2"), 5, "the flag's version")
    be("anna")
    press("[data-do=approve]")
    press("[data-do=publish]")
    wait_for(lambda: "in force" in text(".detail h2") and text(".detail h2").startswith("Version 2"), 5, "the flag is off")
    press("[data-do=rollback]")
    wait_for(lambda: text(".detail h2").startswith("Version 3"), 5, "a rollback")
    claim("flags.memorial" in text(".detail .changes") and text(".detail .changes ins") == "true", "a rollback is proposed as any other version")
    check("history", is_new=False)

    # The books, and a household.
    for _ in range(2):
        at = time.time() + 0.5
        over = stage.watch("day-over")
        stage.ask("unhooked.report", minutes=35)
        stage.ask("param.set", name="day-minutes", value=at / 60 / int(at / 60 / 1.2))
        wait_for(lambda: any(topic == "day-over" for topic, _ in over.told), 4, "the day's end")
    go("ledger")
    wait_for(lambda: shows(".verdict.good"), 5, "verified books")
    claim("energy sums to 0" in text(".verdict.good") and "wallet.energy" in text(".accounts"), "the books are added up, and come to what the engine tells")
    check("ledger")
    press("[data-do=csv]")
    wait_for(lambda: script("return window.saved ?? null"), 3, "a file")
    rows = script("return saved").split("\r\n")
    claim(rows[0].startswith("number,time,household") and any(",breakfast,food,wallet.energy,energy,-50," in row for row in rows), "they are saved as a table")
    go("support")
    wait_for(lambda: shows(".days tbody tr"), 3, "days")
    claim("Mo" in text(".pet") and script("return document.querySelectorAll('.days tbody tr').length") >= 2, "a household's pet and days are shown")
    check("support")

    # A phone, in German.
    stage.devtools("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    stage.size = (390, 844)
    be("ben", "?lang=de")
    for view in ["configuration", "flags", "ledger", "support"]:
        go(view)
        wait_for(lambda: shows({"configuration": ".detail .changes", "flags": ".switch", "ledger": ".verdict", "support": ".pet"}[view]), 5, view)
        check(f"phone-{view}")
        claim(script("return document.documentElement.scrollWidth <= innerWidth && document.querySelector('main').scrollWidth <= innerWidth"), f"phone, {view}: all is within the screen")
    claim(violations == [], f"axe-core finds nothing {violations}")
    errors = stage.errors()
    claim(errors == [], f"the page complains of nothing {errors}")
finally:
    stage.close()
end()
