#!/usr/bin/env python3
"""A visitor of Unhooked in a real Chromium: chooses a pet, reports screen time, feeds it, dresses it, sees a season end, lets it fall sick and
die, cures and revives it, and remembers it when another comes. Leaves pictures. Prints a line for each claim, PASS or FAIL.

    petday.py THRUMD FOLDER
"""
import collections
import datetime
import os
import sys
import tempfile
import time

from claims import claim, end
from shop import Shop
from stage import Stage, wait_for

thrumd, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)

# Counts what the page shows of each topic.
COUNT = """window.shown = {}
new MutationObserver(changes => { for (const change of changes) for (const node of change.addedNodes)
    if (node.dataset?.topic) shown[node.dataset.topic] = (shown[node.dataset.topic] ?? 0) + 1 }).observe(document, {childList: true, subtree: true})"""
TOPICS = ["day-over", "day-begun", "health", "growth", "meal", "purchase", "gems", "recovery", "memorial", "movement"]

keys = tempfile.TemporaryDirectory()
shop = Shop(keys.name)
stage = Stage(thrumd, "unhooked", ["--experience", "unhooked", "--seed", "7", "--idle", "120", *shop.arguments], before=COUNT)
try:
    script = stage.script
    text, shows, tap = stage.text, stage.shows, stage.tap
    pet = lambda name: script("return document.querySelector('#pet svg')?.dataset[arguments[0]] ?? null", name)
    picture = lambda name: stage.picture(f"{folder}/{name}.png")
    state = lambda: stage.ask("unhooked.state")
    violations = []
    announced = collections.Counter()
    told = None

    def count_told():
        """What the engine has told since the last time, as the page is to show it: a movement once for each wallet. A death has a page of its
        own, and beside it no day is told."""
        is_dead = False
        for topic, params in told.new() if told else []:
            if topic == "day-over":
                is_dead = params["condition"] == "dead"
            if is_dead and topic in ("day-over", "health", "day-begun"):
                continue
            announced[topic] += sum(posting["account"].startswith("wallet.") for posting in params["movement"]["postings"]) if topic == "movement" else 1

    def wait_until_shown():
        """What comes at once is shown in turn."""
        count_told()
        wait_for(lambda: not announced - collections.Counter(script("return shown")), 12, f"all that was announced {dict(announced - collections.Counter(script('return shown')))}")

    def covered():
        """What the notice that is shown lies over."""
        return script("""const place = e => e.getBoundingClientRect(), notice = place(document.querySelector("#notices .notice"))
            return [...document.querySelectorAll("#pet, #wallets li, button, .sheet, #movements, #away")].filter(e => { const it = place(e)
                return e.checkVisibility() && it.top < notice.bottom && it.bottom > notice.top && it.left < notice.right && it.right > notice.left }).map(e => e.outerHTML.slice(0, 60))""")

    def scene():
        """Where the room ends and the buttons below it begin."""
        return script("return document.getElementById('home').getBoundingClientRect().top")

    def go(view):
        tap(f"nav [data-view={view}]")
        wait_for(lambda: text(f"#{view}") != "", 3, view)

    def check(name, settles=0.4):
        """A picture, and what axe-core finds in it."""
        time.sleep(settles)
        picture(name)
        violations.extend(f"{name}: {found}" for found in stage.axe())

    def turn(date=None, away=0.6):
        """The pet's day of five minutes ends in a moment: it is made shorter or longer by so little that the number of the new one can be one of
        any date."""
        at = time.time() + away
        number = int(at / 60 / 5)
        while date is not None and (datetime.date(1970, 1, 1) + datetime.timedelta(days=number % 146_097)).strftime("%m-%d") != date:
            number += 1
        over = stage.watch("day-over")
        stage.ask("param.set", name="day-minutes", value=at / 60 / number)
        wait_for(lambda: any(topic == "day-over" for topic, _ in over.told), away + 3, "the day's end")

    wait_for(lambda: pet("condition") == "healthy" and text("#home .banner.state"), 10, "a pet that has just come")
    # A day of five minutes, which has just begun.
    now = time.time() - 1
    stage.ask("param.set", name="day-minutes", value=now / 60 / int(now / 60 / 5))
    told = stage.watch(*TOPICS)
    check("home", 0.8)
    height = scene()

    # The first pet is chosen.
    tap("#choose")
    check("newcomer", 0.4)
    tap("#newcomer .naming .choice button:nth-child(2)")
    tap("#newcomer .send")
    wait_for(lambda: text("#top h1") == "Luna", 3, "Luna")
    claim(state()["name"] == "Luna" and state()["species"] == "cat", "a cat called Luna is chosen by touches")
    claim(not shows("#choose") and "has not eaten" in text(".eaten"), "who has chosen is not asked again, and the pet has not eaten yet")

    visits = stage.watch("session")
    stage.touch("touchStart", (0.5, 0.32))
    wait_for(lambda: pet("stroked") == "" and pet("face") == "bliss", 2, "a stroked pet")
    picture("stroked")
    stage.touch("touchEnd")
    wait_for(lambda: pet("stroked") is None, 2, "a hand that has gone")
    claim(True, "a finger on the pet strokes it")

    # Screen time.
    x, y, width = script("const b = document.querySelector('#home input').getBoundingClientRect(); return [b.x, b.y + b.height / 2, b.width]")
    stage.touch("touchStart", ((x + width * 0.25) / 1080, y / 1920))
    stage.touch("touchEnd")
    wait_for(lambda: "Report" in text(".tell"), 2, "something to report")
    tap(".tell")
    wait_for(lambda: text(".tell") == "Reported", 3, "a report")
    now = state()
    claim(40 <= now["usedMinutes"] <= 80 and f"+{now['energyDue']}" in text(".due"),
          f"{now['usedMinutes']} minutes are reported, and would earn {now['energyDue']}")

    # Food.
    go("food")
    check("food")
    offered = next(food for food in stage.ask("unhooked.shop")["foods"] if food["id"] == "tuna")
    claim(str(offered["fullness"]) in text("[data-food=tuna] .change .figure"), "what a dish would do is shown before it is paid")
    tap("[data-food=tuna] .do")
    wait_for(lambda: shows("#notices [data-topic=meal]"), 2, "the meal on the screen")
    time.sleep(0.3)
    claim(covered() == [], f"a notice leaves the pet, the wallets and buttons free {covered()}")
    picture("meal")
    now = state()
    claim((now["fullness"], now["mood"], now["energy"]) == (offered["fullness"], offered["mood"], 50), "it does that, and costs 100 Energy")
    wait_for(lambda: text("#wallets li:first-child").startswith("50"), 2, "what is left on the screen")
    claim(script("return document.querySelector('[data-food=tuna] .do').getAttribute('aria-disabled')") == "true"
          and "missing" in text("[data-food=tuna] .why"), "what cannot be paid says what is missing")

    # A season ends, and its hat goes. Its last day is the sixth of January.
    turn("01-06")
    wait_for(lambda: shows("#notices [data-topic=day-over]"), 2, "the day's end on the screen")
    time.sleep(0.3)
    picture("day-over")
    go("wardrobe")
    wait_for(lambda: shows("[data-cosmetic=wool-hat]"), 3, "the winter's hat")
    claim("January 6" in text("[data-cosmetic=wool-hat]"), "a season's hat says until when")
    check("wardrobe-winter")
    turn("01-07")
    wait_for(lambda: not shows("[data-cosmetic=wool-hat]") and shows("[data-cosmetic=cap]"), 4, "winter's end")
    claim(True, "when the season ends, its hat is in the shop no more")
    tap("[data-category=neck]")
    tap("[data-cosmetic=bell] .do")
    wait_for(lambda: shows("#notices [data-topic=purchase]") and shows("[data-cosmetic=bell][data-owned]"), 3, "a bell that is owned")
    wait_for(lambda: pet("wears") == "neck", 3, "a bell that is worn")
    check("wardrobe-worn")
    claim(state()["worn"] == {"neck": "bell"}, "a bell is bought, and put on at once")

    # Nobody feeds it.
    go("home")
    turn()
    turn()
    wait_for(lambda: pet("condition") == "sick", 3, "a sick pet")
    wait_for(lambda: "120 Gems" in text("#why-cure"), 3, "why it cannot be cured")
    claim("Luna is sick" in text("#home .banner.state") and not shows("[data-remedy=cure]"),
          "after three days without food it is sick, and a cure that cannot be says why, and is no button")
    claim(scene() == height, f"the room is as high as it was, whatever is said below it: {scene()} and {height}")
    check("sick")

    # The engine goes, and comes back.
    time.sleep(0.3)
    count_told()
    stage.kill()
    wait_for(lambda: text("#calm"), 5, "one moment")
    picture("one-moment")
    stage.start()
    told = stage.watch(*TOPICS)
    wait_for(lambda: not text("#calm") and pet("condition") == "sick", 10, "the same pet")

    # Gems are bought by a signed receipt.
    bought = stage.ask("purchase.redeem", receipt=shop.receipt("1", "gems_500", quantity=2))
    wait_for(lambda: text("#wallets li:last-child").replace(",", "").startswith("1000") and "1,000 Gems" in text("#notices [data-topic=gems]"), 4, "Gems")
    claim(bought["result"]["gems"] == 1000, "a receipt gives 1,000 Gems, and the page says so")
    picture("gems")
    tap("[data-remedy=cure]")
    wait_for(lambda: pet("condition") == "healthy" and shows("#notices [data-topic=recovery]"), 3, "a cured pet")
    claim(state()["gems"] == 880, "a cure makes it well, for 120 Gems")

    def starve():
        for _ in range(6):
            turn()
        # What waits for its turn when the pet dies is not told any more.
        wait_until_shown()
        turn()
        wait_for(lambda: pet("condition") == "dying", 3, "a pet that dies")
        began = time.monotonic()
        time.sleep(1.5)
        claim(pet("face") == "asleep" and not shows("#notices .notice") and not shows("#home .banner.state"), "it dies asleep, and nothing is told beside it")
        picture("dying")
        wait_for(lambda: pet("condition") == "dead" and shows("#epitaph"), 7, "a pet that died")
        claim(time.monotonic() - began > 5, "it takes six seconds")

    starve()
    claim("Luna" in text("#epitaph") and not shows("[data-remedy]") and not shows(".tell"), "after seven days without food it is dead, and nothing asks for anything")
    check("farewell", 1)
    tap("#flower")
    wait_for(lambda: "has died" in text("#home .banner.state") and shows("[data-remedy=revive]"), 3, "what can be done")
    check("dead", 1.8)
    tap("[data-remedy=revive]")
    wait_for(lambda: pet("condition") == "fragile" and shows("#notices [data-topic=recovery]"), 3, "a pet that is back")
    claim(state()["gems"] == 480, "it is revived for 400 Gems, and fragile")
    check("fragile", 0.8)
    starve()
    tap("#flower")
    wait_for(lambda: text("#why-revive"), 2, "why it cannot be revived again")
    claim("Again in" in text("#why-revive"), f"it cannot be revived again at once: {text('#why-revive')}")
    tap("[data-remedy=restart]")
    tap("#newcomer [data-kind=dog]")
    tap("#newcomer .naming .choice button:nth-child(3)")
    time.sleep(0.3)
    picture("newcomer-restart")
    tap("#newcomer .send")
    wait_for(lambda: text("#top h1") == "Balu" and script("return document.querySelector('#pet svg').classList.contains('dog')"), 3, "another pet")
    claim(state()["gems"] == 280 and state()["pet"] == 2, "another comes for 200 Gems")
    check("restarted")

    # The one that died is remembered.
    go("memories")
    wait_for(lambda: "Luna" in text("#memories .framed"), 3, "a picture of Luna")
    remembered = script("return shown.memorial ?? 0")
    tap("#memories .framed")
    wait_for(lambda: script("return shown.memorial") == remembered + 1, 2, "Luna is remembered")
    claim("Luna" in text("#notices [data-topic=memorial]"), "the one that died is in the memorial, and is remembered")
    wait_for(lambda: "Luna" in text("#memory h2"), 3, "Luna's picture")
    fed = script("return document.querySelectorAll('#memory .string [data-burns]').length")
    claim(fed == next(grave["fedDays"] for grave in stage.ask("unhooked.memorial")["pets"] if grave["name"] == "Luna"), f"its picture fills the screen, with a light for each of {fed} fed days")
    check("memory", 1.6)
    tap("#memory .do")
    wait_for(lambda: not shows("#memory"), 2, "all the pictures")
    check("memories")

    # What can be set, and the books.
    go("settings")
    lines = script("return [...document.querySelectorAll('#settings .lines li')].map(e => e.innerText)")
    claim(any("Cure" in line for line in lines) and any("tuna" in line for line in lines), f"the wallets' movements are listed: {len(lines)}")
    tap("#settings .stepper button:last-child")
    tap("[data-set=limit]")
    wait_for(lambda: state()["limitMinutes"] == 135, 2, "another limit")
    claim(True, "the limit is set")
    check("settings")
    # What waits to be told of one household goes when another comes.
    wait_until_shown()
    tap("#household-name")
    stage.devtools("Input.insertText", text="Ada")
    tap("#settings form .do")
    wait_for(lambda: text("#top h1") == "Mo", 4, "Ada's pet")
    claim(state()["household"] == "Ada", "a visitor comes to their own pet by a name")

    wait_until_shown()
    shown = script("return shown")
    claim(announced == collections.Counter(shown), f"each of {sum(announced.values())} announced things was on the screen {dict(announced - collections.Counter(shown))}")

    # Other screens.
    for name, size, query in [("landscape-de", (1920, 1080), "?lang=de"), ("phone-de", (390, 844), "?lang=de"), ("phone-large-de", (390, 844), "?lang=de&type=large")]:
        stage.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        stage.size = size
        stage.browser.get(stage.browser.current_url.split("?")[0] + query)
        wait_for(lambda: pet("condition") is not None, 5, name)
        check(name)
        claim(script("return document.documentElement.scrollWidth <= innerWidth && document.querySelector('nav').getBoundingClientRect().bottom <= innerHeight "
                     "&& [...document.querySelectorAll('.sheet')].every(e => e.scrollWidth <= e.clientWidth)"), f"{name}: all is within the screen")
    go("food")
    check("phone-large-food-de")
    claim(violations == [], f"axe-core finds nothing {violations}")
    errors = stage.errors()
    claim(errors == [], f"the page complains of nothing {errors}")
finally:
    stage.close()
end()
