// What ColorScroller's page works out, without a browser.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { fromHex, fromOKLCH, inkOn, luminance, mix, seenOn, toHex, toOKLCH } from "../../../www/colorscroller/colors.js"
import { keyframes, nextAhead } from "../../../www/colorscroller/board.js"
import { Course } from "../../../www/colorscroller/course.js"
import { apart, asDrawn } from "../../../www/colorscroller/grays.js"
import { follow, rubber } from "../../../www/colorscroller/paging.js"
import { shortfalls, stir, stirred } from "../../../www/colorscroller/rivals.js"
import { dice, scatter } from "../../../www/colorscroller/scatter.js"
import { Spring } from "../../../www/kit/spring.js"

const page = new URL("../../../www/colorscroller/", import.meta.url)

test("the feed follows the finger one to one, gives less and less beyond its ends, and hardly moves in a pause", () => {
    assert.equal(follow(4, 0.37, 9, false), 4.37)
    assert.equal(follow(4, -0.37, 9, false), 3.63)
    assert.ok(follow(0, -0.5, 9, false) > -0.5 && follow(0, -0.5, 9, false) < -0.1)
    assert.ok(follow(9, 0.5, 9, false) > 9.1 && follow(9, 0.5, 9, false) < 9.5)
    assert.ok(Math.abs(follow(4, 1, 9, true) - 4) < 0.15)
    for (let way = 0.1; way < 5; way += 0.1) assert.ok(rubber(way + 0.1) - rubber(way) < rubber(way) - rubber(way - 0.1) + 1e-12)
    assert.ok(rubber(100) < 1)
})

test("a page may be ahead of the engine while something is under way, and goes where the engine is when nothing is", () => {
    const course = new Course()
    course.sent()
    course.sent()
    assert.equal(course.told(1, 2), null)
    assert.equal(course.answered(2), null)
    assert.equal(course.told(2, 2), null)
    assert.equal(course.answered(2), null)
    // The engine held the feed: the page goes back.
    course.sent()
    assert.equal(course.answered(3), 2)
    // Somebody else scrolled.
    assert.equal(course.told(7, 2), 7)
    course.sent()
    course.restart(0)
    assert.equal(course.told(0, 0), null)
})

test("scattered places are blue noise: none too close, none missing, and the same for the same seed", () => {
    const [width, height, distance] = [540, 960, 60]
    const places = scatter(width, height, distance, dice("starfield"))
    assert.deepEqual(places, scatter(width, height, distance, dice("starfield")))
    assert.notDeepEqual(places, scatter(width, height, distance, dice("heartbeat")))
    const nearest = (x, y, others) => Math.min(...others.map(place => Math.hypot(place[0] - x, place[1] - y)))
    for (const place of places) assert.ok(nearest(...place, places.filter(other => other !== place)) >= distance)
    for (let x = 0; x < width; x += 20) {
        for (let y = 0; y < height; y += 20) assert.ok(nearest(x, y, places) < 2 * distance, `a hole at ${x}, ${y}`)
    }
})

test("OKLCH is Ottosson's, and back again", () => {
    // From https://bottosson.github.io/posts/oklab/ and CSS Color 4: red is oklch(62.796% 0.25768 29.234).
    const [light, chroma, hue] = toOKLCH([1, 0, 0])
    assert.ok(Math.abs(light - 0.62796) < 1e-4 && Math.abs(chroma - 0.25768) < 1e-4 && Math.abs(hue - 29.234) < 1e-2)
    for (const hex of ["#000000", "#ffffff", "#1e8fff", "#7f3fff", "#3d0000", "#98ffcc"]) assert.equal(toHex(fromOKLCH(toOKLCH(fromHex(hex)))), hex)
})

test("no grey lies between two colours, and the shorter arc of hue is taken", () => {
    const middle = toOKLCH(mix(fromHex("#ff5f6d"), fromHex("#00c9a7"), 0.5))
    assert.ok(middle[1] > 0.1, `${middle}`)
    // Through red, not through green and blue.
    const [, , hue] = toOKLCH(mix(fromOKLCH([0.6, 0.15, 350]), fromOKLCH([0.6, 0.15, 30]), 0.5))
    assert.ok(Math.abs(hue - 10) < 2, `${hue}`)
    const toward = toOKLCH(mix([0, 0, 0], fromHex("#d00000"), 0.5))
    assert.ok(Math.abs(toward[2] - toOKLCH(fromHex("#d00000"))[2]) < 2, "black has no hue of its own")
})

test("words on a card are read on any colour", () => {
    for (let n = 0; n < 4096; n++) {
        const rgb = [n >> 8, (n >> 4) & 15, n & 15].map(part => part / 15)
        const [a, b] = [luminance(rgb), luminance(fromHex(inkOn(rgb)))].sort()
        assert.ok((b + 0.05) / (a + 0.05) >= 4.5, toHex(rgb))
    }
})

test("who leaves is told the next rival ahead, and how many cards it takes to pass it", () => {
    const rows = [["paper_cut", 768], ["neon_ghost", 39], ["you", 20, true], ["mono_lisa", 17]].map(([name, score, isVisitor = false]) => ({ name, score, isVisitor }))
    assert.deepEqual(nextAhead(rows, 0), { name: "mono_lisa", count: 18 })
    // Whoever has as many cards is still ahead, as the engine's rank has it.
    assert.deepEqual(nextAhead(rows, 17), { name: "mono_lisa", count: 1 })
    assert.deepEqual(nextAhead(rows, 18), { name: "neon_ghost", count: 22 })
    assert.equal(nextAhead(rows, 769), null)
})

test("a spring's keyframes are its places at even steps, from its beginning to its end", () => {
    const spring = new Spring({ from: 1, to: 0, response: 0.5, damping: 0.7 })
    const { values, duration } = keyframes(spring)
    assert.deepEqual([values[0], values.at(-1)], [1, 0])
    values.slice(0, -1).forEach((value, n) => assert.ok(Math.abs(value - spring.value(n * duration / 1000 / (values.length - 1))) < 1e-9))
    assert.ok(Math.min(...values) < -0.02, "it swings over")
    assert.ok(duration > 300 && duration < 1000, `${duration} ms`)
})

test("rivals scroll on and pass one another, never fall, pass no visitor, and end at what the engine says", () => {
    const rows = [["paper_cut", 768], ["night_feed", 47], ["neon_ghost", 46], ["mono_lisa", 21], ["you", 20, true], ["lost_thumb", 20], ["tab", 17]]
        .map(([name, score, isVisitor = false]) => ({ name, score, isVisitor }))
    const score = (rows, name) => rows.find(row => row.name === name).score
    const orders = new Set()
    for (let visit = 0; visit < 200; visit++) {
        const random = dice(`rivals ${visit}`)
        let short = shortfalls(rows)
        assert.deepEqual([...short], [["paper_cut", 92], ["night_feed", 6], ["neon_ghost", 6], ["mono_lisa", 1], ["lost_thumb", 0], ["tab", 3]])
        let before = stirred(rows, short)
        for (let next = stir(short, random); next !== short; next = stir(short, random)) {
            short = next
            const after = stirred(rows, short)
            const changed = after.filter(row => score(before, row.name) !== row.score)
            assert.ok(changed.length === 1 && !changed[0].isVisitor)
            const [{ name, score: shown }] = changed
            assert.ok(shown > score(before, name) && shown <= score(before, name) + 3 && shown <= score(rows, name), `${name} ${shown}`)
            assert.ok(after.every((row, place) => place === 0 || after[place - 1].score >= row.score))
            assert.equal(after.filter(row => !row.isVisitor && row.score >= 20).length, 5, "the visitor's rank is what it was told to be")
            orders.add(after.map(row => row.name).join())
            before = after
        }
        assert.deepEqual(before.map(row => row.score), rows.map(row => row.score))
    }
    assert.ok(orders.size > 1, "they pass one another")
})

test("inks are seen on their ground, and change no more than it takes", () => {
    for (const ground of ["#ffffff", "#000000", "#808080", "#ff595e", "#0b132b"].map(fromHex)) {
        for (let n = 0; n < 4096; n += 7) {
            const ink = [n >> 8, (n >> 4) & 15, n & 15].map(part => part / 15)
            const seen = fromHex(toHex(seenOn(ground, ink)))
            const [base, before, after] = [ground, ink, seen].map(color => toOKLCH(color)[0])
            assert.ok(Math.abs(after - base) >= 0.18, `${toHex(ink)} on ${toHex(ground)}`)
            if (Math.abs(before - base) >= 0.18) assert.equal(toHex(seen), toHex(ink))
        }
    }
    assert.equal(toHex(seenOn(fromHex("#ffd60a"), fromHex("#111111"))), "#111111")
})

test("a swipe between two grey cards is seen, whichever way it goes", () => {
    const gray = (index, level) => ({ index, face: "gray", color: toHex([level, level, level].map(part => part / 255)) })
    const level = card => Math.round(255 * fromHex(card.color)[0])
    const random = dice("greys")
    const cards = Array.from({ length: 2000 }, (_, index) => index % 11 === 5 ? { index, face: "skin" } : gray(index, 32 + Math.floor(192 * random())))
    const drawn = cards.map((card, index) => asDrawn(card, cards[index - 1], cards[index + 1]))
    for (let index = 1; index < cards.length; index++) {
        if (cards[index].face !== "gray") continue
        if (cards[index - 1].face === "gray") assert.ok(Math.abs(level(drawn[index]) - level(drawn[index - 1])) >= apart, `${index}`)
        assert.ok(Math.abs(level(drawn[index]) - level(cards[index])) <= 3 * apart, "near to what is told")
        if (index % 2 === 0) assert.equal(drawn[index], cards[index])
    }
    assert.equal(asDrawn(undefined), undefined)
    assert.deepEqual(asDrawn(gray(1, 100), { index: 0, face: "leaderboard" }, undefined), gray(1, 100))
})

test("every language has the same words, with the same values in them, and the page asks for no others", () => {
    const languages = readdirSync(new URL("lang/", page)).map(name => JSON.parse(readFileSync(new URL("lang/" + name, page))))
    const shape = entry => JSON.stringify(typeof entry === "string" ? (entry.match(/\{\w+\}/g) ?? []).sort() : Object.keys(entry).sort())
    assert.ok(languages.length >= 2)
    for (const language of languages) {
        assert.deepEqual(Object.keys(language).sort(), Object.keys(languages[0]).sort())
        for (const [key, entry] of Object.entries(language)) assert.equal(shape(entry), shape(languages[0][key]), key)
    }
    const sources = readdirSync(page).filter(name => /\.(js|html)$/.test(name)).map(name => readFileSync(new URL(name, page), "utf8")).join("\n")
    const asked = [...sources.matchAll(/(?:say\(|data-words=|data-label=)"(\w+)"/g)].map(match => match[1])
    assert.ok(asked.length > 15)
    for (const key of asked) assert.ok(key in languages[0], key)
})

test("the page keeps to what a strict policy allows", () => {
    for (const folder of [page, new URL("../kit/", page)]) {
        for (const name of readdirSync(folder).filter(name => /\.(js|html|css)$/.test(name))) {
            const text = readFileSync(new URL(name, folder), "utf8")
            assert.doesNotMatch(text, /\son\w+=|\sstyle=|<style|setAttribute\("style|eval\(|new Function|javascript:/, name)
            assert.doesNotMatch(text, /(?:src|href|url\(|import\(|from )\s*=?\s*["'(]?https?:/, name)
        }
    }
})
