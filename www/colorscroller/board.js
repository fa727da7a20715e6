// The landing card: who has scrolled furthest this hour, and how the last visit went.

import { isCalm } from "../kit/motion.js"
import { Spring } from "../kit/spring.js"
import { shortfalls, stir, stirred } from "./rivals.js"

const ticking = 900, stagger = 45 // milliseconds
/** Rows change places by it: from 1, where the name stood, to 0. */
const swap = new Spring({ from: 1, to: 0, response: 0.5, damping: 0.7 })

/** Where `spring` is at even steps until it stays near its end, and how many milliseconds that takes: the browser then moves what swings by
 * itself. */
export function keyframes(spring) {
    const step = 1 / 60
    const values = []
    for (let time = 0; !spring.isSettled(time, 0.004); time += step) values.push(spring.value(time))
    return { values: [...values, spring.to], duration: values.length * step * 1000 }
}

/** Which rival comes next for somebody with so many cards viewed, and how many cards it takes to be ahead; null where all are behind. */
export function nextAhead(rows, viewed) {
    const ahead = rows.filter(row => !row.isVisitor && row.score >= viewed)
    if (ahead.length === 0) return null
    const { name, score } = ahead.reduce((a, b) => (b.score < a.score ? b : a))
    return { name, count: score - viewed + 1 }
}

export class Board {
    #scores = new Map()
    /** By how many cards rivals are shown below their scores, by name. */
    #short = new Map()
    #isAwaiting = false

    constructor(words) {
        this.words = words
        this.rows = document.getElementById("rows")
        this.invited = document.getElementById("invited")
        this.visit = document.getElementById("last")
        this.told = []
    }

    /** As the engine has it: `rows`, the best first, and `lastSession` with what of it is known; left out when there was none. */
    show({ rows, lastSession = {} }) {
        const before = new Map(this.told.map(({ name, score }) => [name, score]))
        this.told = rows
        if (this.#isAwaiting && !isCalm()) {
            // Whoever has caught up with a score is not short of the same score again.
            const isKnown = ({ name, score }) => before.get(name) === score
            const known = new Map(rows.filter(isKnown).map(({ name }) => [name, this.#short.get(name) ?? 0]))
            this.#short = new Map([...shortfalls(rows)].map(([name, most]) => [name, Math.min(most, known.get(name) ?? most)]))
        }
        this.#showRows(stirred(rows, this.#short))
        this.#showLast(lastSession)
    }

    /** How far whoever is there has come. */
    setViewed(count) { this.invited.querySelector(".score").textContent = this.words.number.format(count) }

    /** Nobody is there, and rivals may be short of their scores; or somebody is, who is ranked by them. */
    setAwaiting(isAwaiting) {
        if (isAwaiting === this.#isAwaiting) return
        this.#isAwaiting = isAwaiting
        this.#short.clear()
        if (this.told.length > 0) this.#showRows(this.told)
    }

    /** One of the rivals has scrolled on. */
    stir() {
        const short = stir(this.#short, Math.random)
        if (short === this.#short) return
        this.#short = short
        this.#showRows(stirred(this.told, short))
    }

    #showRows(rows) {
        const before = new Map([...this.rows.children].map(row => [row.querySelector(".name").dataset.name, row.getBoundingClientRect()]))
        this.invited.hidden = false
        this.invited.querySelector(".rank").textContent = rows.length + 1
        if (this.rows.children.length !== rows.length) this.rows.replaceChildren(...rows.map(() => this.#row()))
        const best = Math.max(1, ...rows.map(row => row.score))
        rows.forEach((row, place) => this.#fill(this.rows.children[place], row, place, best, before.get(row.name)))
        this.#scores = new Map(rows.map(row => [row.name, row.score]))
    }

    #row() {
        const row = document.createElement("li")
        for (const name of ["rank", "name", "score", "bar"]) {
            const part = document.createElement("span")
            part.className = name
            row.append(part)
        }
        row.querySelector(".bar").setAttribute("aria-hidden", "true")
        return row
    }

    /** `before` is where the name stood, if it did. */
    #fill(element, row, place, best, before) {
        const [rank, name, score, bar] = element.children
        const isNew = name.dataset.name !== row.name
        rank.textContent = place + 1
        name.dataset.name = row.name
        name.textContent = row.isVisitor ? this.words.say("beforeYou") : row.name
        element.classList.toggle("visitor", row.isVisitor)
        // The best has ten times the last's score and more: in proportion to the square root, the last still has a bar.
        bar.style.setProperty("--part", Math.sqrt(row.score / best).toFixed(3))
        const known = this.#scores.get(row.name)
        tick(score, known ?? 0, row.score, known === undefined ? place * stagger : 0, this.words.number)
        if (isCalm()) return
        if (known !== undefined && known < row.score) score.animate([{ color: "var(--danger)" }, { color: "inherit" }], { duration: 2 * ticking, easing: "ease-in" })
        if (!isNew) return
        if (before) {
            const { x, y } = element.getBoundingClientRect()
            const { values, duration } = keyframes(swap)
            element.animate(values.map(part => ({ transform: `translate(${part * (before.x - x)}px, ${part * (before.y - y)}px)` })), duration)
        } else {
            element.animate([{ opacity: 0, transform: "translateX(-3vmin)" }, { opacity: 1, transform: "none" }],
                            { duration: 220, delay: place * stagger, fill: "backwards", easing: "cubic-bezier(0.2, 0.9, 0.3, 1)" })
        }
    }

    #showLast({ cards, skins, minutes, rank }) {
        const known = Object.entries({ cards, skins, minutes, rank }).filter(([, value]) => value !== undefined)
        this.visit.hidden = known.length === 0
        this.visit.querySelector("dl").replaceChildren(...known.map(([key, value]) => {
            const pair = document.createElement("div")
            const [term, figure] = [document.createElement("dt"), document.createElement("dd")]
            term.textContent = this.words.say(key)
            figure.textContent = (key === "rank" ? "#" : "") + this.words.number.format(value)
            pair.append(figure, term)
            return pair
        }))
    }
}

/** Counts a figure up, or down, to where it belongs. */
function tick(element, from, to, delay, number) {
    element.dataset.to = to
    if (isCalm() || from === to) return void (element.textContent = number.format(to))
    const start = performance.now() + delay
    const step = now => {
        if (element.dataset.to !== String(to)) return
        const part = Math.min(1, Math.max(0, (now - start) / ticking))
        element.textContent = number.format(Math.round(from + (to - from) * (1 - (1 - part) ** 3)))
        if (part < 1) requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
}
