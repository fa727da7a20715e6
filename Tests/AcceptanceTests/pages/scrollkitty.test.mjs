// What ScrollKitty's page works out, without a browser.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { isStroke, spent } from "../../../www/scrollkitty/cat.js"
import { acts, Deck, lasts } from "../../../www/scrollkitty/idle.js"
import { hoursIn, requests, withDays, withHours } from "../../../www/scrollkitty/settings.js"
import { backFrom, lightsInRow, questions } from "../../../www/scrollkitty/onboarding.js"
import { isEvening, offer } from "../../../www/scrollkitty/walkup.js"
import { face, paw, scene, states } from "../../../www/scrollkitty/drawing.js"

const page = new URL("../../../www/scrollkitty/", import.meta.url)
const languages = Object.fromEntries(readdirSync(new URL("lang/", page)).map(name => [name, JSON.parse(readFileSync(new URL("lang/" + name, page)))]))

test("a slow finger strokes; one that rests or flicks does not", () => {
    assert.ok(isStroke(0.01, 50), "a fifth of the screen a second")
    assert.ok(isStroke(0.06, 50))
    assert.ok(!isStroke(0, 50))
    assert.ok(!isStroke(0.0004, 50), "a finger that trembles")
    assert.ok(!isStroke(0.1, 50), "two screens a second")
    assert.ok(!isStroke(0.01, 0))
})

test("each loss is seen in the cat, the first most of all", () => {
    const steps = Array.from({ length: 21 }, (_, bypasses) => spent(100 - 5 * bypasses))
    assert.equal(steps[0], 0)
    assert.equal(steps[20], 1)
    assert.ok(steps[1] > 0.2)
    for (let n = 1; n < steps.length; n++) assert.ok(steps[n] > steps[n - 1])
})

test("a walk-up offers a cat of one's own, then to say good night, and months the onboarding", () => {
    assert.deepEqual([{}, { isOwn: false }, { isOwn: true }].map(offer), ["meet", "own", "leave"])
    assert.deepEqual(["nightly-good", "nightly-mixed", "terminal", "greeting", "summary"].filter(group => isEvening({ group })), ["nightly-good", "nightly-mixed", "terminal"])
})

test("the way back leads to the last step that somebody answers", () => {
    const steps = [{ seconds: 2 }, {}, {}, { seconds: 4.5 }, {}]
    assert.deepEqual(steps.map((_, index) => backFrom(steps, index)), [-1, -1, 1, 2, 2])
})

test("only what is asked or chosen is counted", () => {
    const steps = ["intro", "survey", "survey", "result", "set-up"].map(kind => ({ kind }))
    assert.deepEqual(questions(steps), [steps[1], steps[2], steps[4]])
})

test("the years of each age stand in rows of which the last is full, or lacks one light", () => {
    // The years to go, as docs/scrollkitty.md has them by age.
    for (const years of [65, 59, 52, 44, 34, 22]) {
        const row = lightsInRow(years)
        assert.ok(row >= 10 && row <= 17 && (years % row === 0 || years % row === row - 1), `${years} in rows of ${row}`)
    }
    assert.equal(lightsInRow(52), 13)
})

test("the cat does each of its acts by itself in turn, none twice in a row, and lies still when it is weak", () => {
    assert.deepEqual(Object.keys(acts), states)
    const css = readFileSync(new URL("cat.css", page), "utf8")
    for (const name of Object.values(acts).flat()) {
        assert.ok(lasts[name] > 0 && css.includes(`[data-act="${name}"]`), name)
    }
    const deck = new Deck()
    const done = Array.from({ length: 400 }, () => deck.next(acts.healthy))
    for (let n = 1; n < done.length; n++) assert.notEqual(done[n], done[n - 1])
    for (const name of acts.healthy) assert.ok(done.filter(act => act === name).length >= 40, name)
    // It has got tired in the middle of a round.
    assert.ok(acts.tired.includes(deck.next(acts.tired)))
    assert.equal(deck.next(acts.weak), null)
})

test("days and hours are chosen apart, and are asked for once for all days of the same hours", () => {
    const always = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map(day => ({ day, start: "00:00", until: "24:00" }))
    assert.deepEqual(requests(always), [{ days: "mon,tue,wed,thu,fri,sat,sun", start: "00:00", until: "24:00" }])
    const work = withHours(withDays(always, ["mon", "wed"]), { start: "09:00", until: "18:30" })
    assert.deepEqual(requests(work), [{ days: "mon,wed", start: "09:00", until: "18:30" }, { days: "tue,thu,fri,sat,sun" }])
    // A day that is added has the others' hours; one of other hours keeps them.
    const mixed = [{ day: "mon", start: "22:00", until: "06:00" }, ...work.slice(1)]
    assert.deepEqual(hoursIn(mixed), { start: "22:00", until: "06:00" })
    assert.deepEqual(requests(withDays(mixed, ["mon", "tue", "wed"])), [
        { days: "mon,tue", start: "22:00", until: "06:00" }, { days: "wed", start: "09:00", until: "18:30" }, { days: "thu,fri,sat,sun" }])
    assert.deepEqual(requests(withDays(always, [])), [{ days: "mon,tue,wed,thu,fri,sat,sun" }])
    assert.deepEqual(requests(withHours(withDays(always, []), { start: "08:00", until: "09:00" })), [{ days: always.map(({ day }) => day).join(","), start: "08:00", until: "09:00" }])
})

test("each state has a figure and a face of its own, drawn without inline styles", () => {
    assert.deepEqual(states, ["healthy", "concerned", "tired", "weak", "dead"])
    for (const state of states) assert.ok(scene.includes(`data-figure="${state}"`), state)
    assert.equal(new Set(states.map(face)).size, states.length)
    for (const markup of [scene, ...states.map(face), ...states.map(paw)]) {
        assert.doesNotMatch(markup, /style=|undefined|NaN|href=/)
        assert.equal((markup.match(/<g[\s>]/g) ?? []).length, (markup.match(/<\/g>/g) ?? []).length)
    }
})

test("every language has the same words, and all that the page and the engine's names ask for", () => {
    const shape = entry => JSON.stringify(typeof entry === "string" ? (entry.match(/\{\w+\}/g) ?? []).sort() : Object.keys(entry).sort())
    const [first, ...others] = Object.values(languages)
    assert.ok(others.length >= 1)
    for (const other of others) {
        assert.deepEqual(Object.keys(other).sort(), Object.keys(first).sort())
        for (const [key, entry] of Object.entries(other)) assert.equal(shape(entry), shape(first[key]), key)
    }
    const sources = readdirSync(page).filter(name => /\.(js|html)$/.test(name)).map(name => readFileSync(new URL(name, page), "utf8")).join("\n")
    const asked = [...sources.matchAll(/(?:say\(|data-words=|data-label=)"([\w-]+)"/g)].map(match => match[1])
    const achievements = ["first-good-day", "three-days", "week", "month", "untouched-day", "within-goal", "comeback"].map(name => `got-${name}`)
    const choices = ["never", "seldom", "sometimes", "often", "always", "under-18", "18-24", "25-30", "31-40", "41-50", "51-plus", "yes"]
    assert.ok(asked.length > 25)
    for (const key of [...asked, ...states, ...states.map(state => `cat-${state}`), "shielded", "open", "locked", "free", ...achievements, ...choices]) {
        assert.ok(key in first, key)
    }
})

test("the page keeps to what a strict policy allows", () => {
    for (const name of readdirSync(page).filter(name => /\.(js|html|css)$/.test(name))) {
        const text = readFileSync(new URL(name, page), "utf8")
        assert.doesNotMatch(text, /\son\w+=|\sstyle=|<style|setAttribute\("style|eval\(|new Function|javascript:/, name)
        assert.doesNotMatch(text, /(?:src|href|url\(|import\(|from )\s*=?\s*["'(]?https?:/, name)
    }
})
