// What the console works out, without a browser.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { readBook, table, verify } from "../../../www/console/book.js"
import { Draft } from "../../../www/console/draft.js"
import { ago } from "../../../www/console/time.js"
import { at, leaves, twin, withValue } from "../../../www/console/tree.js"

const page = new URL("../../../www/console/", import.meta.url)
const languages = Object.fromEntries(readdirSync(new URL("lang/", page)).map(name => [name, JSON.parse(readFileSync(new URL("lang/" + name, page)))]))
const entry = (number, ...postings) => ({ number, key: `k${number}`, kind: "food", created: 1_767_225_600, note: "null", postings: postings.map(([account, amount]) => ({ account, currency: "energy", amount })) })

test("every language has the same words, and the page uses no others", () => {
    assert.deepEqual(Object.keys(languages["en.json"]), Object.keys(languages["de.json"]))
    for (const file of readdirSync(page).filter(name => name.endsWith(".js"))) {
        for (const [, word] of readFileSync(new URL(file, page), "utf8").matchAll(/say\("([^"$]+)"/g)) assert.ok(word in languages["en.json"], `${file}: ${word}`)
    }
})

test("a value of a document is changed in a copy, and one that is undefined is taken out", () => {
    const document = { flags: { food: true }, foods: [{ id: "tuna", energy: 100 }, { id: "bone", energy: 60 }] }
    assert.deepEqual(withValue(document, ["foods", 1, "energy"], 61).foods, [{ id: "tuna", energy: 100 }, { id: "bone", energy: 61 }])
    assert.deepEqual(withValue(document, ["foods", 0], undefined).foods, [{ id: "bone", energy: 60 }])
    assert.deepEqual(withValue(document, ["flags", "food"], undefined).flags, {})
    assert.equal(document.foods[1].energy, 60)
    assert.deepEqual(leaves(document).map(({ path }) => path.join(".")), ["flags.food", "foods.0.id", "foods.0.energy", "foods.1.id", "foods.1.energy"])
    assert.equal(at(document, ["foods", 1, "id"]), "bone")
    assert.equal(twin(document.foods, { id: "bone" }, 0), document.foods[1])
})

test("books add up, or it is said which entry and which account do not", async () => {
    const entries = [entry(1, ["issued", -50], ["wallet", 50]), entry(4, ["wallet", -20], ["food", 20])]
    const balances = [["issued", -50], ["wallet", 30], ["food", 20]].map(([account, amount]) => ({ account, currency: "energy", amount }))
    const asked = []
    const engine = { ask: async (method, params) => {
        asked.push([method, params.after ?? params.upTo])
        if (method === "ledger.balances") return { balances }
        return { entries: entries.filter(({ number }) => number > params.after).slice(0, 1) }
    } }
    const book = await readBook(engine, "home")
    assert.deepEqual(asked, [["ledger.entries", 0], ["ledger.entries", 1], ["ledger.entries", 4], ["ledger.balances", 4]])
    assert.deepEqual(verify(book), { sums: [{ currency: "energy", sum: 0 }], faults: [] })
    const wrong = { ...book, entries: [entries[0], entry(4, ["wallet", -20], ["food", 19])] }
    assert.deepEqual(verify(wrong).faults, [{ entry: 4 }, { account: "food" }])
    assert.deepEqual(verify({ ...book, told: { balances: balances.slice(0, 2) } }).faults, [{ account: "food" }])
})

test("the table is RFC 4180, as `thrum ledger export` writes it", () => {
    const entries = [{ ...entry(1, ["issued", -50], ["wallet", 50]), note: "{\"item\":\"a, b\"}" }, entry(2)]
    assert.equal(table({ household: "Ada \"1\"", entries }), [
        "number,time,household,key,kind,account,currency,amount,note",
        "1,2026-01-01T00:00:00Z,\"Ada \"\"1\"\"\",k1,food,issued,energy,-50,\"{\"\"item\"\":\"\"a, b\"\"}\"",
        "1,2026-01-01T00:00:00Z,\"Ada \"\"1\"\"\",k1,food,wallet,energy,50,\"{\"\"item\"\":\"\"a, b\"\"}\"",
        "2,2026-01-01T00:00:00Z,\"Ada \"\"1\"\"\",k2,food,,,,", ""].join("\r\n"))
})

test("text that a spreadsheet would run is text in the table, and an amount stays a number", () => {
    const entries = [{ ...entry(1, ["=1+1", -50]), key: "'=a", note: "-5" }, { ...entry(2, ["a", 50]), key: "@b,\u0338" }]
    assert.deepEqual(table({ household: "home", entries }).split("\r\n").slice(1), [
        "1,2026-01-01T00:00:00Z,home,''=a,food,'=1+1,energy,-50,'-5", "2,2026-01-01T00:00:00Z,home,\"'@b,\u0338\",food,a,energy,50,", ""])
})

test("a draft begins with what is in force, and only the newest answer counts", async () => {
    const answers = []
    const engine = { ask: (method, params) => method === "config.get" ? Promise.resolve({ document: { bonus: 1 } })
        : new Promise(resolve => answers.push(() => resolve({ changes: [params.document.bonus] }))) }
    const draft = new Draft(engine)
    await draft.open("terms")
    draft.set(["bonus"], 2)
    const first = draft.judge()
    draft.set(["bonus"], 3)
    const second = draft.judge()
    answers[1]()
    await second
    answers[0]()
    await first
    assert.deepEqual([draft.diff, draft.base, draft.isOpen], [{ changes: [3] }, { bonus: 1 }, true])
    draft.discard()
    assert.equal(draft.isOpen, false)
})

test("how long ago something was is said in words", () => {
    const say = (language, passed) => ago({ language }, 1_000_000 - passed, 1_000_000)
    assert.deepEqual([say("en", 0), say("en", 61), say("de", 7_300), say("en", 86_400)], ["now", "1 minute ago", "vor 2 Stunden", "yesterday"])
})
