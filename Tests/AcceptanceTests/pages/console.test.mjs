// What the console works out, without a browser.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { readBook, table, verify } from "../../../www/console/book.js"
import { condition, remarks } from "../../../www/console/condition.js"
import { adviceOnMotor, adviceOnOutput, adviceOnScreens, triedMotors } from "../../../www/console/advice.js"
import { Calibration, calibrationOf, lineOf, obstacles, placeOf as placeOfHearing } from "../../../www/console/calibration.js"
import { Draft } from "../../../www/console/draft.js"
import { isRefused, wayIn } from "../../../www/console/entry.js"
import { lasting } from "../../../www/console/figures.js"
import { fieldAt, fieldsOn } from "../../../www/console/fingers.js"
import { Lines } from "../../../www/console/happenings.js"
import { countries, countryName, lawOf } from "../../../www/console/hearing.js"
import { stepOf } from "../../../www/console/knobs.js"
import { bytesAt, course, linesOf, rateOf, stretch, summary } from "../../../www/console/journal.js"
import { noteOf, PeakHold, placeOf } from "../../../www/console/level.js"
import { details, LogBook, passes, supportFile } from "../../../www/console/log.js"
import { heardUntil, sessionAt, told, unlogged } from "../../../www/console/recorder.js"
import { ago, dayAt, dayInWords, dayOf, hour, moment, shortMoment, timeAt, zoneOf } from "../../../www/console/time.js"
import { at, leaves, twin, withValue } from "../../../www/console/tree.js"
import { beganAt, clock, matches, momentsOf, nameOf, Sessions } from "../../../www/console/sessions.js"
import { folderOf, tryTwice } from "../../../www/console/sounds.js"
import { aloneCommand } from "../../../www/console/noise.js"
import { hourAt, onAt, rowsOf, shadesOf } from "../../../www/console/week.js"
import { all, topicsOf, viewsFor } from "../../../www/console/views.js"
import { Words } from "../../../www/kit/words.js"

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

const status = (house = {}, output = {}, issues = []) => ({
    issues, output: { state: "connected", isMutedByOthers: false, volumeByOthers: 0, ...output },
    house: { isMuted: false, isOpen: true, isByHand: false, volume: 0, preset: "normal", ceiling: { level: -1, setting: -1 }, waitingForStart: [], ...house },
})
const state = (tone = false, hasSession = false) => ({ isMuted: false, hasSession, tone: { isOpen: tone } })

test("one line says what matters most: what is wrong before what is muted, and that before what plays", () => {
    const key = (...given) => condition(...given).key
    assert.deepEqual(condition(status({ isMuted: true }, {}, ["a", "b"]), state(true)), { kind: "bad", key: "is-wrong", values: { count: 2 } })
    assert.deepEqual([key(status({ isMuted: true, isOpen: false }), state(true)), key(status({}, { isMutedByOthers: true }), state(true)), key(status({ isOpen: false, volume: -120 }), state()),
        key(status({ volume: -120 }), state(true)), key(status(), state(true, true)), key(status(), state(false, true)), key(status(), state()), key(null, state(true)), key(null, null)],
    ["is-muted", "is-mutedByOthers", "is-closed", "is-silent", "is-playing", "is-visited", "is-ready", "is-playing", "is-ready"])
})

test("each remark and each line has its words, in every language", () => {
    const found = [...remarks(status({ mute: { by: "anna" }, isOpen: false, isByHand: true, ceiling: { level: -6, setting: -1, byHand: { by: "ben" } }, hearing: { volume: -3 }, waitingForStart: ["http"] }, { state: "null", volumeByOthers: -9 })),
        ...remarks(status({ volumeByHand: { level: -6, by: "anna" } })), ...remarks(status({ volumeByHand: { level: -6, by: "anna", since: 1 } })),
        ...remarks(status({ mute: { by: "anna", since: 1 }, isOpen: false, opensAt: 2, entry: "night", nextChange: 3 })), ...remarks(status({ entry: "night" }))]
    const keys = new Set(found.map(({ key }) => key))
    for (const entries of Object.values(languages)) {
        for (const { key, values } of found) assert.doesNotMatch(new Words("en", entries).say(key, { ...values, time: "12:00" }), /undefined|\{/)
        assert.deepEqual(Object.keys(entries).filter(key => key.startsWith("note-") && !keys.has(key)), [])
    }
})

test("a peak is held for 1.5 s, and falls by 24 dB a second then", () => {
    const peak = new PeakHold()
    assert.deepEqual([peak.hold(-6, 0), peak.hold(-20, 1500), peak.hold(-60, 2000), peak.hold(-12, 2250)], [-6, -6, -18, -12])
    assert.deepEqual([-120, -60, -30, 0, 3].map(placeOf), [0, 0, 0.5, 1, 1])
})

test("a pitch is named by equal temperament", () => {
    assert.deepEqual([440, 261.6256, 240, 466.1638, 0].map(noteOf), [{ name: "A4", cents: 0 }, { name: "C4", cents: 0 }, { name: "B3", cents: -49 }, { name: "A♯4", cents: 0 }, null])
})

test("what happens is told in at most 50 lines, and what repeats counts on one", () => {
    const lines = new Lines()
    for (let x = 0; x < 9; x++) lines.add({ event: "touch", client: 3, phase: "moved", x }, 0)
    lines.add({ event: "touch", client: 4, phase: "began", x: 0 }, 0)
    lines.add({ cue: "chime", name: "unlock" }, 0)
    lines.add({ cue: "chime", name: "unlock" }, 0)
    lines.add({ cue: "texture", name: "purr", on: true }, 0)
    assert.deepEqual(lines.newest.map(({ name, text, count }) => [name, text, count]), [["texture", "purr · on", 1], ["chime", "unlock", 2], ["touch", "began", 1], ["touch", "", 9]])
    for (let number = 0; number < 60; number++) lines.add({ cue: "chime", name: `${number}` }, 0)
    assert.deepEqual([lines.newest.length, lines.newest[0].text], [50, "59"])
})

test("views that the piece has nothing for are left out, and levels are asked for only where they are drawn", async () => {
    const engine = (role, kinds = [], document = {}, methods = [], balances = []) => ({
        greeting: { role, experience: "piece", methods },
        ask: async method => ({ "config.history": { kinds }, "config.get": { document }, "ledger.balances": { balances, households: [] } })[method],
    })
    assert.deepEqual(await viewsFor(engine("watch")), ["now", "sessions", "venue", "devices"])
    assert.deepEqual(await viewsFor(engine("visitor")), ["now"])
    assert.deepEqual(await viewsFor(engine("volume")), ["now", "doing", "sessions", "venue", "devices"])
    assert.deepEqual(await viewsFor(engine("operator")), ["now", "doing", "sessions", "venue", "devices", "log"])
    assert.deepEqual(await viewsFor(engine("operator", [{ kind: "terms" }])), ["now", "doing", "sessions", "venue", "devices", "configuration", "log"])
    assert.deepEqual(await viewsFor(engine("operator", [{ kind: "terms" }], { flags: {} }, ["piece.state", "piece.memorial", "piece.history"], [{}])), all)
    for (const role of ["operator", "volume", "watch", "visitor", "player"]) {
        assert.deepEqual(all.filter(view => topicsOf(view, role).includes("meters")), ["now"])
        assert.deepEqual(all.filter(view => topicsOf(view, role).includes("touches")), ["now", "devices"])
        for (const view of ["now", "devices"]) assert.equal(topicsOf(view, role).includes("event"), ["operator", "volume", "watch"].includes(role))
    }
})

test("one loudspeaker is played by a command that names the sink, whatever characters are in its name", () => {
    assert.equal(aloneCommand(2), "speaker-test -D pulse -c 2 -s 1 -t pink")
    assert.equal(aloneCommand(4, "it's $HOME"), `PULSE_SINK='it'\\''s $HOME' speaker-test -D pulse -c 4 -s 1 -t pink`)
})

test("a week is drawn by its days, and the day on which clocks go forward has 23 hours", () => {
    // Berlin, from Saturday 28 March 2026: midnight is at 23:00 UTC, and from Monday on at 22:00 UTC.
    const saturday = Date.UTC(2026, 2, 27, 23) / 1000, hour = 3600
    const days = [0, 24, 47].map(hours => ({ start: saturday + hours * hour, utcOffset: hours < 47 ? hour : 2 * hour }))
    const span = (from, to, preset, isOpen = true) => ({ start: saturday + from * hour, until: saturday + to * hour, preset, isOpen, utcOffset: from < 26 ? hour : 2 * hour })
    const week = { days, spans: [span(0, 10, "silent", false), span(10, 18, "quiet-day"), span(18, 33, "silent", false), span(33, 71, "normal")] }
    const rows = rowsOf(week)
    assert.deepEqual(rows.map(({ start, until }) => (until - start) / hour), [24, 23, 24])
    assert.deepEqual(rows.map(({ pieces }) => pieces.map(({ span }) => span.preset)), [["silent", "quiet-day", "silent"], ["silent", "normal"], ["normal"]])
    assert.deepEqual(rows[0].pieces.map(({ from, to }) => [from, to]), [[0, 10 / 24], [10 / 24, 18 / 24], [18 / 24, 1]])
    assert.deepEqual(rows[1].pieces.map(({ from, to }) => [from, to]), [[0, 9 / 23], [9 / 23, 1]])
    assert.deepEqual([week.spans[1], week.spans[3]].map(({ start, utcOffset }) => hourAt(start, utcOffset)), ["10:00", "10:00"])
    assert.deepEqual([onAt(week, saturday + 12 * hour).span.preset, onAt(week, saturday + 12 * hour).next.start], ["quiet-day", saturday + 18 * hour])
    assert.deepEqual([onAt(week, saturday + 40 * hour).next, onAt({ spans: [] }, 0)], [null, { span: null, next: null }])
    assert.deepEqual([...shadesOf(week)], [["normal", 0], ["quiet-day", 1]])
    assert.deepEqual([...shadesOf({ spans: week.spans.slice(0, 3) })], [["quiet-day", 1]], "the first shade is for normal")
    assert.deepEqual(rowsOf({ days: [], spans: [] }), [], "the clock is not set")
})

test("a preset by hand ends where the next span begins, also where that one has the same preset", () => {
    const spans = [{ start: 0, until: 10, preset: "normal" }, { start: 10, until: 20, preset: "normal" }, { start: 20, until: 30, preset: "silent" }]
    assert.deepEqual([onAt({ spans }, 5, true).next, onAt({ spans }, 5).next, onAt({ spans }, 25, true).next], [spans[1], spans[2], null])
})

test("where nothing changes within the seven days, the first change after them is next", () => {
    const spans = [{ start: 0, until: 10, preset: "normal" }, { start: 10, until: 20, preset: "silent" }]
    const after = { start: 40, preset: "normal", isOpen: true, utcOffset: 0 }
    assert.deepEqual([onAt({ spans, after }, 5).next, onAt({ spans, after }, 15).next, onAt({ spans: [], after }, 15).next], [spans[1], after, null])
})

test("a calibration is the reading plus the decibels under full scale, as docs/hearing.md has it, and its line keeps what else is there", () => {
    assert.deepEqual([calibrationOf(76, -20), calibrationOf(76.25, -10), calibrationOf(130, -20), calibrationOf(10, -20), calibrationOf(NaN, -20)], [96, 86.3, null, null, null])
    assert.equal(lineOf(null, 96, ""), "hearing: {calibration: 96}")
    assert.equal(lineOf("{calibration: 90, limit: 80, session: 20, country: SE}", 96.5, "DE"), "hearing: {calibration: 96.5, country: DE, limit: 80, session: 20}")
    const settings = [{ key: "idle", source: "flag", place: "--idle", value: "9" }, { key: "theme", source: "file", place: "/etc/thrum/thrum.yaml:4", value: "glass" }]
    const hearing = { key: "hearing", source: "default", value: "nothing accounted" }
    assert.deepEqual(placeOfHearing([...settings, hearing]), { former: null, line: null, file: "/etc/thrum/thrum.yaml" })
    assert.deepEqual(placeOfHearing([...settings, { ...hearing, source: "file", place: "/a: b.yaml:12", value: "{calibration: 90}" }]), { former: "{calibration: 90}", line: 12, file: "/a: b.yaml" })
    assert.deepEqual(placeOfHearing(settings.slice(0, 1)), { former: null, line: null, file: null })
})

test("what would falsify a calibration is said, and nothing where nothing is in the way", () => {
    const status = (house, output) => ({ house: { isMuted: false, volume: 0, preset: "normal", ceiling: { level: -1 }, ...house }, output: { kind: "pulse", state: "connected", isMutedByOthers: false, ...output } })
    const found = (house, output, level = -20) => obstacles(status(house, output), level).map(({ key }) => key)
    assert.deepEqual(found(), [])
    assert.deepEqual(found({ isMuted: true, volume: -9, ceiling: { level: -20 } }, { isMutedByOthers: true }), ["way-mutedByOthers", "way-muted", "way-volume", "way-ceiling"])
    assert.deepEqual([found({ volume: -120 }), found({ ceiling: { level: -12 } }, {}, -10), found({ ceiling: { level: -12 } })], [["way-silent"], ["way-ceiling"], []])
    assert.deepEqual([found({}, { kind: "null", state: "null" }), found({}, { state: "waiting" })], [["way-null"], ["way-waiting"]])
    // Nobody sets the volume that the guard has turned down.
    assert.deepEqual([found({ volume: -9, hearing: { volume: -9 } }), found({ volume: -120, hearing: { volume: -120 } }), found({ volume: -9, hearing: { volume: 0 } })],
        [["way-guard"], ["way-guard"], ["way-volume"]])
    for (const entries of Object.values(languages)) assert.ok("way-guard" in entries)
})

test("what the meter showed of one level is not taken for another", async context => {
    globalThis.document = { createElement: () => ({ dataset: {}, value: "", setAttribute() {}, addEventListener() {}, append() {}, replaceChildren(...parts) { this.parts = parts },
        get valueAsNumber() { return parseFloat(this.value) } }) }
    // Not every Node has one.
    globalThis.navigator ??= {}
    context.after(() => { delete globalThis.document })
    const walk = new Calibration({ words: new Words("en", languages["en.json"]), engine: { on() {} }, changed: async () => {} })
    walk.level.value = "-20"
    walk.reading.value = "76"
    walk.reading.oninput()
    assert.equal(walk.reload.hidden, false)
    walk.level.value = "-10"
    await walk.level.onchange()
    assert.deepEqual([walk.reading.value, walk.reload.hidden], ["", true])
})

test("every word for a country that the settings take has its source in every language, and a name", () => {
    const swift = readFileSync(new URL("../../../Sources/Core/Venue/SoundLimit.swift", import.meta.url), "utf8")
    const taken = [...swift.slice(0, swift.indexOf("/// The highest")).matchAll(/= "([\w-]+)"/g)].map(([, word]) => word)
    assert.equal(taken.length, 11)
    for (const language of ["en", "de"]) assert.deepEqual(countries(new Words(language, languages[`${language}.json`])).toSorted(), taken.toSorted())
    const words = new Words("en", languages["en.json"])
    assert.deepEqual(["DE", "FR-children", "WHO"].map(word => countryName(words, word)), ["Germany", "France, where children come", "World Health Organization"])
    assert.equal(lawOf(words, { word: "DE", level: 99, minutes: 30 }), "It keeps that of Germany: at most 99 dBA on average over 30 minutes (DIN 15905-5).")
    assert.ok(lawOf(words, { word: "US", level: 85, minutes: 480 }).includes("over 8 hours"))
    assert.ok(lawOf(words, { word: "AT", level: 85, minutes: 60 }).endsWith("over 1 hour."), "a country without a source here")
})

test("what is wrong with a device or an output has something to do about it", () => {
    const keys = found => found.map(({ key }) => key)
    const output = { kind: "pulse", state: "connected", isMutedByOthers: false, volumeByOthers: 0, isRealtime: true, underruns: 0 }
    assert.deepEqual(adviceOnOutput(output), [])
    assert.deepEqual(keys(adviceOnOutput({ ...output, isMutedByOthers: true, volumeByOthers: -6, underruns: 2 })), ["advice-mutedByOthers", "advice-underruns"])
    assert.deepEqual(keys(adviceOnOutput({ ...output, volumeByOthers: -6, isRealtime: false })), ["advice-volumeByOthers", "advice-noPriority"])
    assert.deepEqual([{ kind: "alsa", state: "waiting" }, { state: "waiting" }, { kind: "null", state: "null" }].map(is => keys(adviceOnOutput({ ...output, ...is }))[0]),
        ["advice-waitingForCard", "advice-waiting", "advice-null"])
    const devices = { touchscreens: [{ name: "left", drops: 0 }], unused: [], refused: 0, missing: [] }
    assert.deepEqual(adviceOnScreens(devices), [])
    assert.deepEqual(keys(adviceOnScreens({ ...devices, touchscreens: [{ name: "left", drops: 3 }], missing: ["right"] })), ["advice-missing", "advice-drops"])
    assert.deepEqual(keys(adviceOnScreens({ ...devices, touchscreens: [], refused: 2 })), ["advice-refused"], "it may be one of these")
    assert.deepEqual([[], [{}]].map(unused => keys(adviceOnScreens({ ...devices, touchscreens: [], unused }))), [["advice-noScreen"], ["advice-onlyUnused"]])
    assert.deepEqual([{ missed: 0 }, { missed: 2 }, { missed: 2, issue: "it does not play" }].map(adviceOnMotor).map(keys), [[], ["advice-missed"], ["advice-motor"]])
    for (const advice of ["null", "waiting", "waitingForCard", "mutedByOthers", "volumeByOthers", "noPriority", "underruns", "refused", "missing", "onlyUnused", "noScreen", "drops", "motor", "missed", "noMotor"]) {
        assert.ok(`advice-${advice}` in languages["en.json"], advice)
    }
})

test("a motor test says of each motor whether it played", () => {
    const motor = (node, plays, missed, issue) => ({ name: node, node, plays, missed, issue })
    const before = { motors: [motor("a", 1, 0), motor("b", 1, 0), motor("c", 1, 0), motor("d", 1, 0), motor("e", 1, 0)] }
    const after = { motors: [motor("a", 2, 0), motor("b", 1, 1), motor("c", 1, 0), motor("e", 1, 0, "it is gone")] }
    assert.deepEqual(triedMotors(before, after).map(({ key }) => key), ["motor-played", "motor-missed", "motor-still", "motor-gone", "motor-issue"])
})

test("fields of a touch test are about square, and each place lies in one", () => {
    assert.deepEqual([9 / 16, 16 / 9, 10, 0.1].map(fieldsOn).map(({ across, down }) => [across, down]), [[6, 11], [6, 3], [6, 3], [6, 16]])
    const size = { across: 6, down: 11 }
    assert.deepEqual([[0, 0], [0.999, 0], [1, 1], [0.5, 0.5], [-1, 2]].map(([x, y]) => fieldAt(size, x, y)), [0, 5, 65, 33, 60])
})

test("the log is read part by part, the newest first, and then only what is new", async () => {
    const all = Array.from({ length: 450 }, (_, index) => ({ number: index + 1, level: "info", message: `${index + 1}`, metadata: {}, time: index }))
    const asked = []
    const engine = { ask: async (method, { after = 0, before = Infinity, count = 1000 }) => {
        asked.push([method, after, before, count])
        return { records: all.filter(({ number }) => number > after && number < before).slice(-count), utcOffset: 7200 }
    } }
    const book = new LogBook()
    const seen = []
    await book.read(engine, () => seen.push(book.lines.length))
    assert.deepEqual(asked, [["log.list", 0, Infinity, 200], ["log.list", 0, 251, 200], ["log.list", 0, 51, 200]])
    assert.deepEqual([seen, book.lines.map(({ number }) => number), book.offset], [[200, 400, 450], all.map(({ number }) => number), 7200])
    await book.read(engine, () => seen.push(book.lines.length))
    assert.equal(seen.length, 3)
    all.push(...Array.from({ length: 600 }, (_, index) => ({ ...all[0], number: 451 + index })))
    await book.read(engine)
    assert.deepEqual([asked.at(-1), book.lines.length, book.lines[0].number, book.lines.at(-1).number], [["log.list", 450, Infinity, 1000], 1000, 51, 1050])
})

test("a log of which a part was refused is read on from there, and what is new meanwhile comes too", async () => {
    const all = Array.from({ length: 450 }, (_, index) => ({ number: index + 1, level: "info", message: "", metadata: {}, time: index }))
    let allowed = 1
    const engine = { ask: async (method, { after = 0, before = Infinity, count = 1000 }) => {
        if (allowed-- === 0) throw new Error("busy")
        return { records: all.filter(({ number }) => number > after && number < before).slice(-count), utcOffset: 0 }
    } }
    const book = new LogBook()
    await assert.rejects(book.read(engine), /busy/)
    assert.equal(book.lines.length, 200)
    all.push({ ...all[0], number: 451 })
    allowed = 2
    await assert.rejects(book.read(engine), /busy/)
    assert.equal(book.lines.length, 401)
    allowed = Infinity
    await book.read(engine)
    assert.deepEqual(book.lines.map(({ number }) => number), all.map(({ number }) => number))
})

test("a log in which nothing stood is read again", async () => {
    const all = []
    const engine = { ask: async () => ({ records: [...all], utcOffset: 0 }) }
    const book = new LogBook()
    await book.read(engine)
    all.push({ number: 1, level: "info", message: "", metadata: {}, time: 0 })
    await book.read(engine)
    assert.deepEqual(book.lines, all)
})

test("a line passes by how severe it is and by every word, also of what belongs to it", () => {
    const line = { level: "warning", message: "a request over HTTP was refused", metadata: { reason: "expected a token", from: "10.0.0.7" } }
    assert.deepEqual(details(line), ["from=10.0.0.7", "reason=expected a token"])
    const tried = [["trace", ""], ["warning", "http REFUSED"], ["info", "10.0.0.7 token"], ["notice", "warning"], ["error", ""], ["trace", "http granted"]]
    assert.deepEqual(tried.map(([level, text]) => passes(line, { level, text })), [true, true, true, true, false, false])
})

test("the support file is asked for with the page's token, and a refusal says why", async () => {
    const asked = []
    const answering = (ok, text) => async (address, { headers }) => {
        asked.push([address, headers])
        return { ok, text: async () => text, blob: async () => "a blob" }
    }
    assert.equal(await supportFile({ address: "ws://hall-3:7400/socket", token: "abc" }, answering(true)), "a blob")
    assert.equal(await supportFile({ address: "wss://hall-3/socket", token: null }, answering(true)), "a blob")
    assert.deepEqual(asked, [["http://hall-3:7400/support", { Authorization: "Bearer abc" }], ["https://hall-3/support", {}]])
    await assert.rejects(supportFile({ address: "ws://hall-3/socket", token: "abc" }, answering(false, "expected an operator's token\n")), { message: "expected an operator's token" })
})

test("a line's time is that of the place, whatever the browser's", () => {
    const words = { language: "de" }
    // `date -u -d @1782568805` is Sat Jun 27 14:00:05 UTC 2026.
    assert.equal(timeAt(words, 1_782_568_805, 7200), "16:00:05")
    assert.equal(dayAt(words, 1_782_568_805, 36_000), "Sonntag, 28. Juni 2026")
    // Brisbane is ten hours ahead of UTC all year.
    const there = { language: "de", timeZone: "Australia/Brisbane" }
    assert.equal(moment(there, 1_782_568_805), "28.06.2026, 00:00")
    assert.equal(hour(there, 1_782_568_805), "00:00")
    assert.equal(dayOf(there, 1_782_568_805), "2026-06-28")
    assert.equal(shortMoment(there, 1_782_568_805, 1_782_568_806), "00:00")
    assert.ok(shortMoment(there, 1_782_568_799, 1_782_568_806).includes("27."), "yesterday there, and today in Europe")
    assert.deepEqual([1_782_568_799, 1_782_568_800 - 86_401].map(seconds => dayInWords(there, seconds, 1_782_568_806)), ["gestern", "Freitag, 26. Juni"])
})

test("the place's zone has the name that the engine tells, or how far it is ahead of UTC", () => {
    assert.equal(zoneOf({ timeZone: "Europe/Berlin", utcOffset: 3600 }), "Europe/Berlin")
    assert.deepEqual([7200, -10_800].map(utcOffset => hour({ language: "de", timeZone: zoneOf({ utcOffset }) }, 1_767_225_600)), ["02:00", "21:00"])
    assert.equal(zoneOf({ timeZone: "Nowhere/Land", utcOffset: 7200 }), "Etc/GMT-2")
    // In winter Berlin is an hour ahead, and in summer two.
    assert.deepEqual([1_767_225_600, 1_782_568_805].map(seconds => hour({ language: "de", timeZone: "Europe/Berlin" }, seconds)), ["01:00", "16:00"])
})

test("a session is found by words of its piece, theme and date, and says how long it was", () => {
    const texts = ["colorscroller", "dusk", "2026-11-21T10-00-00Z", "Saturday, November 21"]
    for (const wanted of ["", "color", "COLOR dusk", " november  scroller "]) assert.ok(matches(wanted, texts), wanted)
    for (const wanted of ["dawn", "color dawn"]) assert.ok(!matches(wanted, texts), wanted)
    assert.deepEqual([0, 59.6, 558.383, 3600, 86_800].map(clock), ["0:00", "1:00", "9:18", "1:00:00", "24:06:40"])
    assert.equal(nameOf("/var/lib/thrum/sessions/2026-11-21T10-00-00Z-2.jsonl"), "2026-11-21T10-00-00Z-2")
    const began = (name, started) => beganAt({ journal: `/sessions/${name}.jsonl`, started, modified: 7 })
    for (const name of ["2026-11-21T10-00-05Z", "2026-11-21T10-00-05Z-2"]) assert.equal(began(name, "simulated"), Date.UTC(2026, 10, 21, 10, 0, 5) / 1000)
    assert.equal(began("mine", "2026-11-21T10:00:00.500Z"), Date.UTC(2026, 10, 21, 10) / 1000 + 0.5)
    for (const started of [undefined, "simulated"]) assert.equal(began("mine", started), 7)
})

test("recordings are where the engine is, and only where the page is from there", () => {
    assert.equal(folderOf("ws://box:7400/socket", { host: "box:7400" }), "http://box:7400/sessions/")
    assert.equal(folderOf("wss://box/socket", { host: "box" }), "https://box/sessions/")
    assert.equal(folderOf("ws://other:7400/socket", { host: "box:7400" }), null)
})

test("a device comes in by the code in the address, or the token there, or the one that it keeps", () => {
    assert.deepEqual(["", "#token=a", "#code=b", "#code=b&token=a"].map(hash => wayIn(hash, "kept")),
        [{ code: null, token: "kept" }, { code: null, token: "a" }, { code: "b", token: "b" }, { code: "b", token: "b" }])
    assert.deepEqual(wayIn(""), { code: null, token: null })
})

test("a code is given up only where the engine says that it knows none, and not where it is slow or not there", async () => {
    const asked = []
    const answering = status => async (path, { headers }) => {
        asked.push([path, headers.Authorization])
        return { status }
    }
    const refused = await Promise.all([401, 429, 426, 403, 502].map(status => isRefused("ws://hall-3:7400/socket", "b", answering(status))))
    assert.deepEqual(refused, [true, true, false, false, false])
    assert.deepEqual(asked[0], ["http://hall-3:7400/socket", "Bearer b"])
    assert.equal(await isRefused("ws://hall-3:7400/socket", "b", async () => { throw new TypeError("no network") }), false)
})

test("a slider's step is 1, 2 or 5 times a power of ten, and a hundredth of its way at most", () => {
    assert.deepEqual([stepOf(0, 1), stepOf(0, 60), stepOf(0, 1000), stepOf(1, 1440), stepOf(0, 0.5)], [0.01, 0.5, 10, 10, 0.005])
})

test("a length of time has its two largest units", () => {
    const words = new Words("en", languages["en.json"])
    assert.deepEqual([0.4, 59, 61, 7_500, 90_061].map(seconds => lasting(words, seconds)), ["0 s", "59 s", "1 min 1 s", "2 h 5 min", "1 d 1 h"])
})

/** The tab of sessions without a page: what it asks for, and how the engine comes and goes. */
function sessionsTab(isHeard) {
    const heard = {}, asked = { loans: 0, lists: 0 }
    const engine = { address: "ws://box:7400/socket", token: "t", on: (name, call) => { heard[name] = call }, ask: async () => {
        asked.lists += 1
        throw new Error("no list")
    } }
    const root = { isConnected: true, querySelectorAll: () => [{ paused: !isHeard }] }
    return { tab: new Sessions(root, { engine, words: { language: "en" } }), heard, asked }
}

test("another engine is asked for a loan and for its sessions, and the same one is not asked again", async context => {
    const { tab, heard, asked } = sessionsTab(false)
    globalThis.location = { host: "box:7400" }
    context.after(() => { delete globalThis.location })
    context.mock.method(globalThis, "fetch", async () => {
        asked.loans += 1
        return { ok: true }
    })
    const show = () => tab.show(false).catch(({ message }) => message)
    assert.equal(await show(), undefined)
    await show()
    assert.deepEqual(asked, { loans: 1, lists: 0 })
    heard.up({})
    assert.equal(await show(), "no list")
    await show()
    assert.deepEqual(asked, { loans: 2, lists: 1 })
})

test("a sound that fails is lent and loaded once more where it was, and the second time it has failed", async () => {
    const calls = []
    const audio = Object.assign(new EventTarget(), { currentTime: 71, paused: false, load() {
        calls.push("load")
        Object.assign(audio, { currentTime: 0, paused: true })
    }, play: async () => { calls.push(`play at ${audio.currentTime}`) } })
    tryTwice(audio, async () => { calls.push("lend") }, () => { calls.push("failed") })
    audio.dispatchEvent(new Event("error"))
    await new Promise(setImmediate)
    assert.deepEqual(calls, ["lend", "load", "play at 71"])
    audio.dispatchEvent(new Event("error"))
    await new Promise(setImmediate)
    assert.deepEqual(calls.slice(3), ["failed"])
})

const journalOf = lines => [{ format: "thrum-journal", sampleRate: 1000, theme: { name: "a".repeat(20_000) } }, ...lines].map(line => JSON.stringify(line) + "\n").join("")

test("any 30 s of a long journal are found, and little of the rest is read", async () => {
    const lines = Array.from({ length: 60_000 }, (_, number) => ({ client: 1, event: "swipe", frame: number * 100, text: "x".repeat(40) }))
    // Told behind what came after it.
    lines.splice(30_010, 0, { discontinuity: "gap", frame: 2_999_950 })
    const text = journalOf(lines)
    for (const [first, last] of [[0, 5_000], [2_999_000, 3_001_000], [5_990_000, 6_100_000], [7_000_000, 7_030_000]]) {
        let bytes = 0
        const read = async (from, to) => {
            bytes += to - from
            return text.slice(from, to)
        }
        const found = await stretch(read, text.length, first, last)
        assert.deepEqual(found, lines.filter(({ frame }) => frame >= first && frame <= last), `${first}`)
        assert.ok(text.length > 5e6 && bytes < 2.5e6, `${bytes} of ${text.length}`)
    }
})

test("of a stretch that is too long its beginning is left out, and not what went wrong at its end", async () => {
    const lines = Array.from({ length: 100_000 }, (_, number) => ({ client: 1, event: "touch", frame: number, text: "x".repeat(40) }))
    const text = journalOf(lines)
    let bytes = 0
    const read = async (from, to) => {
        bytes += to - from
        return text.slice(from, to)
    }
    const found = await stretch(read, text.length, 10_000, 79_999)
    assert.deepEqual(found, lines.slice(80_000 - found.length, 80_000))
    assert.ok(found.length > 15_000 && found.length < 70_000, `${found.length}`)
    assert.ok(text.length > 8e6 && bytes < 6e6, `${bytes} of ${text.length}`)
})

test("what went wrong is read by the word of Thrum 0.1.0, too", () => {
    const text = journalOf([{ lapse: "gap", frame: 5 }, { lapse: "late", discontinuity: "late", frame: 7 }])
    assert.deepEqual(linesOf(text).map(({ discontinuity }) => discontinuity), ["gap", "late"])
    assert.deepEqual(summary(text).faults, [{ at: 0.005, kind: "gap" }, { at: 0.007, kind: "late" }])
})

test("a line that is cut or no line of the session's course is left out, and the rate is the header's", () => {
    const text = journalOf([{ event: "stop", frame: 5 }, { checkpoint: {}, frame: 5 }, { end: "idle", frame: 9 }])
    assert.deepEqual(linesOf(text.slice(10) + '{"event":"stop","fra').map(({ frame }) => frame), [5, 9])
    assert.equal(rateOf(text), 1000)
    assert.equal(rateOf('{"experience":"direct","sampleRate":44100,"theme":{"na'), 44_100)
    for (const none of ["", "nothing\n{\"sampleRate\":8000}"]) assert.equal(rateOf(none), null)
})

test("a part of a journal is asked for with the token, and a refusal says why", async () => {
    const asked = []
    const answering = (status, text) => async (address, { headers }) => {
        asked.push([address, headers])
        return { status, ok: status < 300, text: async () => text }
    }
    assert.equal(await bytesAt("/a.jsonl", { token: "t" }, 0, 100, answering(206, "bytes")), "bytes")
    assert.deepEqual(asked, [["/a.jsonl", { Range: "bytes=0-99", Authorization: "Bearer t" }]])
    assert.equal(await bytesAt("/a.jsonl", {}, 100, 200, answering(416, "no such range")), "", "it is shorter than that")
    await assert.rejects(bytesAt("/a.jsonl", {}, 0, 1, answering(404, "there is no such session\n")), { message: "there is no such session" })
})

test("a journal comes to its visits, deeds, chimes, marks and what went wrong", () => {
    const found = summary(journalOf([
        { client: 0, event: "visit", phase: "began", frame: 0 }, { client: 1, event: "tap", frame: 1000, cues: [{ cue: "chime", name: "unlock" }, { cue: "chime", name: "ding" }] },
        { client: -1, event: "touch", phase: "began", frame: 2000, cues: [{ cue: "chime", name: "unlock" }] }, { client: 1, event: "journal.mark", frame: 2500, text: "<b>" },
        { client: 1, event: "left", frame: 2600 }, { discontinuity: "gap", frame: 3000 }, { discontinuity: "gap", frame: 3000, frames: 10 },
        { discontinuity: "lost", frame: 4000, entries: 2 }, { client: 0, event: "visit", phase: "began", frame: 5000 },
    ]))
    assert.deepEqual([found.visits, found.deeds, [...found.chimes], found.marks, found.faults],
        [2, 3, [["unlock", 2], ["ding", 1]], [{ at: 2.5, text: "<b>" }], [{ at: 3, kind: "gap" }, { at: 4, kind: "lost" }]])
    assert.equal(summary(journalOf([])).visits, 1)
})

test("of a session the first 200 marks and faults are shown, and how many are left", () => {
    const marks = Array.from({ length: 150 }, (_, at) => ({ at, text: `${at}` })), faults = Array.from({ length: 60 }, (_, at) => ({ at: at + 0.5, kind: "gap" }))
    const { moments, left } = momentsOf({ marks, faults })
    assert.deepEqual([moments.length, left, moments.slice(0, 2)], [200, 10, [{ at: 0, text: "0" }, { at: 0.5, kind: "gap" }]])
    assert.deepEqual(momentsOf({ marks: marks.slice(0, 2), faults: [] }), { moments: [{ at: 0, text: "0" }, { at: 1, text: "1" }], left: 0 })
})

test("that nothing was logged is said only where the log goes back so far", () => {
    assert.deepEqual([unlogged([{ time: 70 }], 100), unlogged([{ time: 71 }], 100), unlogged([], 100)], ["recall-unlogged", "recall-unreached", "recall-unreached"])
    for (const entries of Object.values(languages)) assert.ok("recall-unlogged" in entries && "recall-unreached" in entries)
})

test("the course of a stretch has the tone while it sounded, and what people did", () => {
    const lines = [{ client: 1, event: "touch", frame: 1000, cues: [{ cue: "tone.gate", open: true }, { cue: "tone.level", level: -40 }] },
        { client: 0, event: "tick", frame: 2500 }, { client: 1, event: "swipe", frame: 3200, cues: [{ cue: "tone.level", level: -20 }] },
        { client: 0, event: "stop", frame: 3500, cues: [{ cue: "stop" }] }]
    assert.deepEqual(course(lines, 1000, 0, 5, 5), [{ level: null, events: 0 }, { level: -40, events: 1 }, { level: -40, events: 0 }, { level: -20, events: 1 }, { level: null, events: 0 }])
})

test("what is to be heard before a moment is the session that went on then, or had ended less than 30 s before", () => {
    const session = (name, seconds, isRunning = false) => ({ journal: `/s/${name}.jsonl`, seconds, isRunning })
    const sessions = [session("2026-01-01T12-00-00Z", 5, true), session("2026-01-01T11-00-00Z", 60), session("2026-01-01T10-00-00Z", 60)]
    const at = (hour, second) => sessionAt(sessions, Date.UTC(2026, 0, 1, hour) / 1000 + second)
    assert.deepEqual([at(12, 500), at(11, 30), at(11, 89), at(10, 0)], [sessions[0], sessions[1], sessions[1], sessions[2]])
    assert.deepEqual([at(11, 91), at(9, 0)], [null, null])
})

test("a session that goes on is heard up to a whole second before its last event, and not long after what went wrong", () => {
    assert.deepEqual([[{ seconds: 95.05 }, 80], [{ seconds: 95.05 }, 200], [{ seconds: 95.95 }, 200], [{ seconds: 0.01 }, 5], [{}, 5]].map(([session, at]) => heardUntil(session, at)),
        [82, 94, 95, 0, 0])
})

test("of an event's cues those are told that are heard at once", () => {
    const words = { say: key => key }
    const swipe = { event: "swipe", frame: 1, cues: [{ cue: "haptic", name: "swipe" }, { cue: "tone.level", level: -3 }, { cue: "chime", name: "unlock" }] }
    assert.deepEqual(told(swipe, words), [{ event: "swipe", frame: 1 }, { cue: "chime", name: "unlock" }])
    assert.deepEqual(told({ event: "chime", name: "ding", frame: 1, cues: [{ cue: "chime", name: "ding" }] }, words), [{ event: "chime", name: "ding", frame: 1 }])
    assert.deepEqual([told({ discontinuity: "late", frame: 1 }, words), told({ end: "idle", frame: 1 }, words)], [[{ event: "fault-late" }], [{ event: "ended-idle" }]])
})

test("how each session ends and each thing that goes wrong has its words, in every language", () => {
    for (const entries of Object.values(languages)) {
        for (const end of ["idle", "request", "shutdown", "rollover"]) assert.ok(`ended-${end}` in entries, end)
        for (const kind of ["gap", "late", "lost"]) assert.ok(`fault-${kind}` in entries, kind)
    }
})
