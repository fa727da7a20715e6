// Who speaks what a page says, and when, without a browser.
import assert from "node:assert/strict"
import { test } from "node:test"
import { Refused } from "../../../www/kit/engine.js"
import { Speech } from "../../../www/kit/speech.js"

globalThis.document = { documentElement: { lang: "de" } }
globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } }

/** Lets what was promised happen. */
const settle = () => new Promise(resolve => setImmediate(resolve))

/** An engine that answers by `answers`, one after the other, a browser's voice, and timers that the test lets run. */
function stage(...answers) {
    const asked = [], browser = [], timers = []
    const engine = {
        ask: async (method, params) => {
            asked.push([method, params.text, params.language])
            const answer = answers.shift()
            if (answer instanceof Error) throw answer
            return answer
        },
    }
    const voice = { cancel: () => browser.push("cancel"), speak: ({ text, lang }) => browser.push([text, lang]) }
    const clock = { setTimeout: (act, delay) => timers.push({ act, delay }), clearTimeout: number => { if (number) timers[number - 1].act = () => {} } }
    return { speech: new Speech(engine, { browser: voice, timers: clock }), asked, browser, timers }
}

test("the engine speaks, in the page's language, and the browser does not", async () => {
    const { speech, asked, browser } = stage({ seconds: 1 })
    speech.say("Nächste Karte")
    await settle()
    assert.deepEqual(asked, [["speech.say", "Nächste Karte", "de"]])
    assert.deepEqual(browser, [])
})

test("what waits is said when the text before is over, and dropped by what does not wait", async () => {
    const { speech, asked, timers } = stage({ seconds: 2 }, { seconds: 1 }, { seconds: 1 })
    speech.say("first")
    speech.say("second", { waits: true })
    await settle()
    assert.deepEqual(asked.map(([, text]) => text), ["first"])
    assert.equal(timers[0].delay, 2000)
    timers[0].act()
    await settle()
    assert.deepEqual(asked.map(([, text]) => text), ["first", "second"])
    speech.say("third", { waits: true })
    speech.say("urgent")
    await settle()
    for (const { act } of timers.splice(0)) act()
    await settle()
    assert.deepEqual(asked.map(([, text]) => text), ["first", "second", "urgent"])
})

test("where the engine has no voice the browser speaks, what waits too, and the engine is asked again after 30 s", async () => {
    const { speech, asked, browser, timers } = stage(new Refused("no voice", "unavailable"), { seconds: 1 })
    speech.say("first")
    speech.say("second", { waits: true })
    speech.say("also", { waits: true })
    await settle()
    timers.find(({ delay }) => delay === 0).act()
    speech.say("third")
    assert.equal(asked.length, 1)
    assert.deepEqual(browser, ["cancel", ["first", "de"], ["second", "de"], ["also", "de"], "cancel", ["third", "de"]])
    timers.find(({ delay }) => delay === 30_000).act()
    speech.say("fourth")
    await settle()
    assert.deepEqual(asked.map(([, text]) => text), ["first", "fourth"])
    assert.equal(browser.length, 6)
})

for (const reason of ["too-fast", "not-now", "busy", null]) {
    test(`a text that is refused (${reason}) is spoken by the browser, and the next one by the engine`, async () => {
        const { speech, asked, browser, timers } = stage(new Refused("no", reason), { seconds: 1 })
        speech.say("first")
        await settle()
        timers[0].act()
        speech.say("second", { waits: true })
        await settle()
        assert.deepEqual(asked.map(([, text]) => text), ["first", "second"])
        assert.deepEqual(browser, ["cancel", ["first", "de"]])
    })
}

test("a refused text that a newer one has replaced is spoken by nobody", async () => {
    const { speech, browser } = stage(new Refused("no", "busy"), { seconds: 1 })
    speech.say("first")
    speech.say("second")
    await settle()
    assert.deepEqual(browser, [])
})

test("of the texts that wait only the newest four are said", async () => {
    const { speech, asked, timers } = stage(...Array(10).fill({ seconds: 1 }))
    speech.say("now")
    for (let number = 0; number < 100; number += 1) speech.say(`${number}`, { waits: true })
    for (let number = 0; number < 10; number += 1) {
        await settle()
        timers.at(-1).act()
    }
    assert.deepEqual(asked.map(([, text]) => text), ["now", "96", "97", "98", "99"])
})

test("a long text is cut where the engine's limit is, and no cat is cut in half", async () => {
    const { speech, asked } = stage({ seconds: 20 })
    speech.say("🐈".repeat(301))
    await settle()
    assert.equal([...asked[0][1]].length, 300)
})
