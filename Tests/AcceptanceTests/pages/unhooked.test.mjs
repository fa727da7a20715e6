// What Unhooked's page works out, without a browser.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { garment, worn } from "../../../www/unhooked/cosmetics.js"
import { bust, portrait, scene, species, stages } from "../../../www/unhooked/drawing.js"
import { phaseAfter } from "../../../www/unhooked/farewell.js"
import { lightAt, untilMidnight } from "../../../www/unhooked/light.js"
import { brought, duration, span, whyNot } from "../../../www/unhooked/money.js"
import { face } from "../../../www/unhooked/pet.js"
import { apps, dayLasts, lineOf, secondsLeft } from "../../../www/unhooked/walkup.js"
import { Words } from "../../../www/kit/words.js"
import { press } from "../../../www/unhooked/press.js"

const page = new URL("../../../www/unhooked/", import.meta.url)
const languages = Object.fromEntries(readdirSync(new URL("lang/", page)).map(name => [name, JSON.parse(readFileSync(new URL("lang/" + name, page)))]))
const conditions = ["healthy", "fragile", "sick", "dead"]
/** Words that say which words they are. */
const words = { say: (key, values = {}) => [key, ...Object.values(values)].join(" ") }

test("a day has its light: dark at midnight, bright at noon, warm at both ends", () => {
    assert.deepEqual(lightAt("00:00"), { brightness: 0, warmth: 0, isDay: false, way: 0.5, part: 0 })
    assert.equal(lightAt("12:00").brightness, 1)
    assert.ok(lightAt("06:30").warmth > 0.9 && lightAt("18:30").warmth > 0.9 && lightAt("12:00").warmth < 0.2)
    assert.equal(lightAt("06:00").way, 0)
    assert.equal(lightAt("12:00").way, 0.5)
    assert.equal(lightAt("18:00").isDay, false)
    for (let minute = 1; minute < 1440; minute += 1) {
        const [before, now] = [minute - 1, minute].map(minute => lightAt(`${Math.floor(minute / 60)}:${minute % 60}`))
        assert.ok(Math.abs(now.brightness - before.brightness) < 0.02 && Math.abs(now.warmth - before.warmth) < 0.02, `no jump at minute ${minute}`)
    }
    assert.deepEqual(untilMidnight("23:45"), { hours: 0, minutes: 15 })
    assert.deepEqual(untilMidnight("00:00"), { hours: 24, minutes: 0 })
})

test("a press whose connection breaks is asked again with the same key, and a new press has another", async () => {
    const asked = []
    const engine = { isUp: true, ask: async (action, fields) => {
        asked.push(fields.key)
        if (asked.length > 1) return "answer"
        engine.isUp = false
        setTimeout(() => { engine.isUp = true }, 20)
        throw new Error("gone")
    } }
    assert.equal(await press(engine, "unhooked.feed", { food: "tuna" }, { household: "Ada" }), "answer")
    assert.equal(asked.length, 2)
    assert.equal(asked[0], asked[1])
    await press(engine, "unhooked.feed", { food: "tuna" })
    assert.notEqual(asked[2], asked[1])
    assert.match(asked[2], /^[0-9a-f]{24}$/)
})

test("each press says whose it is, so that the engine refuses it where somebody else is there after a restart", async () => {
    const asked = []
    const engine = { isUp: true, ask: async (action, fields) => {
        asked.push([action, fields.household])
        if (asked.length > 1) throw new Error("Ada is not here")
        engine.isUp = false
        setTimeout(() => { engine.isUp = true }, 20)
        throw new Error("gone")
    } }
    await assert.rejects(press(engine, "unhooked.feed", { food: "tuna" }, { household: "Ada" }), /Ada is not here/)
    assert.deepEqual(asked, [["unhooked.feed", "Ada"], ["unhooked.feed", "Ada"]])
})

test("a press that the engine refuses is not asked again, and one without an engine is given up", async () => {
    let asked = 0
    const refuses = { isUp: true, ask: async () => { asked += 1; throw new Error("refused") } }
    await assert.rejects(press(refuses, "unhooked.cure"), /refused/)
    assert.equal(asked, 1)
    const gone = { isUp: false, ask: async () => { throw new Error("gone") } }
    await assert.rejects(press(gone, "unhooked.cure", {}, { wait: 10 }), /gone/)
})

test("what cannot be paid is said by what is missing", () => {
    const state = { gems: 100, energy: 30, condition: "sick", name: "Mo" }
    assert.equal(whyNot(words, { gems: 120, waits: 0, left: 5 }, state), null)
    assert.equal(whyNot(words, { gems: 120, waits: 0, left: 5, reason: "…" }, state), "lackGems 20")
    assert.equal(whyNot(words, { gems: 20, waits: 7200, left: 5, reason: "…" }, state), "waits hours 2")
    assert.equal(whyNot(words, { gems: 20, waits: 7200, left: 0, reason: "…" }, state), "noneLeft")
    assert.equal(whyNot(words, { energy: 100, reason: "…" }, state), "lackEnergy 70")
    assert.equal(whyNot(words, { energy: 10, reason: "…" }, { ...state, condition: "dead" }), "notDead Mo")
    assert.equal(whyNot(words, { energy: 10, reason: "…" }, state), "notNow")
    assert.equal(duration(words, 40), "seconds 40")
    assert.equal(duration(words, 500_000), "days 6")
    assert.equal(span(words, 95), "hoursMinutes 1 35")
    assert.equal(span(words, 120), "hoursShort 2")
})

test("a movement brings to a wallet what its postings there come to", () => {
    const movement = { postings: [{ account: "wallet.energy", amount: -100 }, { account: "spent.cosmetics.energy", amount: 100 }, { account: "wallet.gems", amount: -40 }] }
    assert.equal(brought(movement, "energy"), -100)
    assert.equal(brought(movement, "gems"), -40)
    assert.equal(brought({ postings: [] }, "gems"), 0)
})

test("a face is of its condition, of what is told of its mood, and of the hand", () => {
    assert.equal(face({ condition: "healthy", effects: [] }), "open")
    assert.equal(face({ condition: "healthy", effects: ["sad", "hungry"] }), "sad")
    assert.equal(face({ condition: "fragile", effects: ["sparkle"] }), "bliss")
    assert.equal(face({ condition: "healthy", effects: ["sad"] }, true), "bliss")
    assert.equal(face({ condition: "sick", effects: ["sad"] }, true), "ill")
    assert.equal(face({ condition: "dying", effects: ["sparkle"] }, true), "asleep")
    assert.equal(face({ condition: "dead", effects: [] }), "asleep")
})

test("who was there while a pet lived sees it die, and who comes later finds the bed", () => {
    const pet = (condition, number = 1, household = "home") => ({ household, pet: number, condition })
    assert.equal(phaseAfter(null, pet("sick"), pet("dead")), "dying")
    assert.equal(phaseAfter(null, pet("healthy"), pet("dead")), "dying", "also where the machine was off for days")
    assert.equal(phaseAfter("dying", pet("dead"), pet("dead")), "dying", "the clock goes on meanwhile")
    assert.equal(phaseAfter("open", pet("dead"), pet("dead")), "open")
    assert.equal(phaseAfter(null, null, pet("dead")), "quiet")
    assert.equal(phaseAfter(null, pet("healthy", 1, "Ada"), pet("dead")), "quiet", "another household's")
    assert.equal(phaseAfter("open", pet("dead"), pet("dead", 2)), "quiet")
    assert.equal(phaseAfter("quiet", pet("dead"), pet("fragile")), null)
})

test("a time of day is written as in its language", () => {
    const [english, german] = ["en", "de"].map(language => new Words(language, {}))
    assert.deepEqual(["00:05", "12:00", "15:26", "24:00"].map(time => english.clock(time)), ["12:05 AM", "12:00 PM", "3:26 PM", "12:00 AM"])
    assert.deepEqual(["00:05", "15:26", "24:00"].map(time => german.clock(time)), ["00:05", "15:26", "24:00"])
})

test("each pet is drawn in each posture, with whatever it wears, without inline styles", () => {
    const items = { hat: "crown", glasses: "round-glasses", neck: "bell", coat: "cape" }
    for (const markup of species.flatMap(kind => [scene(kind), scene(kind, items), bust(kind, items), ...stages.map(stage => portrait(kind, stage, items))])) {
        assert.doesNotMatch(markup, /style=|undefined|NaN|href=|\[object/)
        assert.equal(markup.match(/<g[\s>]/g).length, markup.match(/<\/g>/g).length)
    }
    assert.notEqual(scene("cat"), scene("dog"))
    assert.notEqual(scene("cat"), scene("cat", { neck: "bow" }))
    for (const [category, id] of Object.entries(items)) {
        assert.notDeepEqual(garment(category, id), garment(category, "what nobody has drawn"), id)
        assert.ok(garment(category, "what nobody has drawn"), category)
    }
    assert.deepEqual(worn({}), { hat: "", glasses: "", neck: "", coat: "", coatBack: "" })
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
    const moved = ["welcome", "award", "food", "cosmetic", "cure", "revive", "restart", "purchase", "refund"].map(kind => `moved-${kind}`)
    const made = [...moved, ...species, ...species.flatMap(kind => conditions.map(condition => `${kind}-${condition}`)), ...stages.map(stage => `stage-${stage}`),
        ...[0, 1, 2, 3].flatMap(quarter => [`full-${quarter}`, `mood-${quarter}`]), ...["home", "food", "wardrobe", "memories", "settings"].map(view => `go-${view}`),
        ...["hat", "glasses", "neck", "coat", "background"].map(category => `of-${category}`), ...["cure", "revive", "restart"].map(recovery => `did-${recovery}`)]
    assert.ok(asked.length > 60)
    for (const key of [...asked, ...made]) assert.ok(key in first, key)
})

test("the page keeps to what a strict policy allows", () => {
    for (const name of readdirSync(page).filter(name => /\.(js|html|css)$/.test(name))) {
        const text = readFileSync(new URL(name, page), "utf8")
        assert.doesNotMatch(text, /\son\w+=|\sstyle=|<style|setAttribute\("style|eval\(|new Function|javascript:/, name)
        assert.doesNotMatch(text, /(?:src|href|url\(|import\(|from )\s*=?\s*["'(]?https?:/, name)
    }
})

test("how long a day lasts follows from its clock and from what is left of it", () => {
    assert.equal(dayLasts({ time: "00:00", dayEndsIn: 30 }), 30)
    assert.equal(dayLasts({ time: "18:00", dayEndsIn: 7.4 }), 30)
    assert.equal(dayLasts({ time: "12:00", dayEndsIn: 43_200 }), 86_400)
    assert.equal(dayLasts({ time: "23:59", dayEndsIn: 0.01 }), null)
})

test("hands are counted off only while staying away earns something", () => {
    const state = { away: { gems: 40, seconds: 10, left: 2 } }
    assert.equal(secondsLeft(state, 1000, 1000), 10)
    assert.equal(secondsLeft(state, 1000, 10_100), 1)
    assert.equal(secondsLeft(state, 1000, 60_000), 0)
    assert.equal(secondsLeft(state, null, 5000), null, "a hand is on it")
    assert.equal(secondsLeft({ away: { ...state.away, left: 0 } }, 1000, 2000), null)
    assert.equal(secondsLeft({}, 1000, 2000), null, "an app's months have none")
})

test("the line of a walk-up is drawn again only when something of it is another, and a day of all apps is on the dial", () => {
    const state = { walkUp: { isOwn: true, canAdopt: false, canReport: true, isRevived: false }, name: "Otto", age: 2, gems: 0, fullness: 10 }
    assert.equal(lineOf(state), lineOf({ ...state, fullness: 90 }))
    assert.notEqual(lineOf(state), lineOf({ ...state, age: 3 }))
    assert.ok(apps.reduce((sum, [, minutes]) => sum + minutes, 0) <= 720)
})
