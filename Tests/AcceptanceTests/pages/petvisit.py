#!/usr/bin/env python3
"""A visitor walks up to Unhooked in a real Chromium: strokes the house's pet, says what a day on the phone was, takes a pet of their own and
hangs it on the wall. Leaves pictures. Prints a line for each claim, PASS or FAIL.

    petvisit.py THRUMD FOLDER
"""
import os
import sys
import time

from stage import Stage, wait_for

thrumd, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.environ["THRUM_EXHIBITION"] = "yes"
failures = 0


def claim(holds, what):
    global failures
    failures += not holds
    print("PASS" if holds else "FAIL", what, flush=True)


# Each notice that was ever shown, and what it lay over, in the moment in which it came to rest.
RECORD = """window.told = []; window.met = []
addEventListener("DOMContentLoaded", () => new MutationObserver(changes => { for (const change of changes) for (const node of change.addedNodes) {
    if (!node.classList?.contains("notice") || node.closest("#movements")) continue
    told.push(node.innerText)
    Promise.all(node.getAnimations().map(animation => animation.finished)).then(() => {
        const place = e => e.getBoundingClientRect(), notice = place(node)
        met.push(...[...document.querySelectorAll("#pet, #wallets li, nav button, .sheet, #movements, #away")].filter(e => { const it = place(e)
            return e.checkVisibility() && it.top < notice.bottom && it.bottom > notice.top && it.left < notice.right && it.right > notice.left }).map(e => e.outerHTML.slice(0, 60)))
    }, () => {})
} }).observe(document, {childList: true, subtree: true}))"""

stage = Stage(thrumd, "unhooked", ["--experience", "unhooked", "--seed", "7", "--idle", "120"], before=RECORD)
try:
    script = stage.script
    text, shows, tap = stage.text, stage.shows, stage.tap
    state = lambda: stage.ask("unhooked.state")
    told = lambda: script("return told.join('\\n')")
    scene = lambda: script("return document.getElementById('home').getBoundingClientRect().top")
    violations = []

    def check(name, settles=0.5):
        """A picture, and what axe-core finds in it."""
        time.sleep(settles)
        stage.picture(f"{folder}/{name}.png")
        violations.extend(f"{name}: {found}" for found in stage.axe())

    wait_for(lambda: shows("#own"), 10, "the house's pet")
    check("house", 0.8)
    height = scene()
    claim(not shows("nav [data-view=settings]"), "a visitor of minutes has no settings and no books")

    script("window.faces = []; const pet = document.querySelector('#pet svg'); new MutationObserver(() => faces.push(pet.dataset.face)).observe(pet, {attributeFilter: ['data-face']})")
    stage.touch("touchStart", (0.5, height / 1920 - 0.06))
    stage.touch("touchEnd")
    wait_for(lambda: "bliss" in script("return faces"), 3, "a pet that feels a hand")
    claim(True, "a finger that only touches the pet for a moment is felt: it shuts its eyes")

    tap("#home [data-app=feed]")
    tap("#home [data-app=videos]")
    tap("#home .tell")
    wait_for(lambda: "Nothing earned" in told(), 5, "what it has earned")
    claim("0 Energy" not in told(), "who was on the phone for hours is told that nothing is earned, soberly")

    house = text("#top h1")
    tap("#own")
    wait_for(lambda: shows("#newcomer .send"), 3, "the choice")
    check("newcomer")
    claim(script("return document.querySelector('#newcomer input').value") not in ("", house), "a visitor's own pet has another name than the house's")
    # Longer than the half minute that a visitor's day has.
    time.sleep(31)
    tap("#newcomer .naming .choice button:nth-child(1)")
    tap("#newcomer .send")
    wait_for(lambda: shows("#newcomer .hatching"), 3, "an egg")
    claim(script("return getComputedStyle(document.querySelector('#pet')).opacity") == "0", "who comes is not seen before the egg has hatched")
    wait_for(lambda: text("#top h1") == "Luna" and not shows("#newcomer"), 8, "Luna")
    claim(state()["household"] == "guest" and "Luna" == state()["name"], "whoever takes longer to choose than a day lasts is not refused")
    wait_for(lambda: "Your days now last 30 s" in told(), 8, "how long a day is")
    claim(scene() == height, "the room is as high as before")
    check("own")
    tap("nav [data-view=wardrobe]")
    wait_for(lambda: script("return document.querySelectorAll('#wardrobe .card').length") > 6, 3, "all there is to wear")
    check("wardrobe")
    tap("nav [data-view=food]")
    tap("[data-food=tuna] .do")
    wait_for(lambda: "Luna eats" in told(), 5, "a meal")
    feet = script("""const rows = new Map(); for (const button of document.querySelectorAll("#food .card .do")) { const card = button.closest(".card").getBoundingClientRect()
        rows.set(card.top, [...rows.get(card.top) ?? [], Math.round(button.getBoundingClientRect().bottom)]) } return [...rows.values()]""")
    claim(all(len(set(row)) == 1 for row in feet), f"buttons of a row stand in line {feet}")
    tap("nav [data-view=home]")
    # Until its first day is over nobody has anything to hang.
    wait_for(lambda: shows("#finish"), 35, "the way to the wall")
    tap("#finish")
    wait_for(lambda: shows("#hang"), 3, "a question")
    check("goodbye")
    claim(state()["name"] == "Luna", "before a pet goes to the wall its visitor is asked")
    tap("#stay")
    wait_for(lambda: shows("#finish"), 3, "the way to the wall again")
    claim(state()["household"] == "guest", "and who stays has it still")
    tap("#finish")
    tap("#hang")
    wait_for(lambda: "Luna" in text("#wall"), 5, "the wall")
    check("wall")
    claim(script("return met") == [], f"no notice lies over the pet, the wallets or a button {script('return met')}")
    claim(violations == [], f"axe-core finds nothing {violations}")
    errors = stage.errors()
    claim(errors == [], f"the page complains of nothing {errors}")
finally:
    stage.close()
sys.exit(1 if failures else 0)
