// Exploring by touch, for who does not see: tells the engine what is where on the page, has spoken what a finger comes upon, and acts where
// a second tap says so (docs/protocol.md, exploring by touch). The engine follows the fingers, and makes the sounds.

import { element } from "./elements.js"
import { Speech } from "./speech.js"
import { Words } from "./words.js"

const most = 64, longest = 160 // regions, characters of a label
const lookEvery = 250 // milliseconds
const scrolled = 0.8, strip = 0.12 // of a list's height: how far it goes at once, and how high the region is that moves it on
const acts = ["button", "slider", "toggle"]
const roles = [...acts, "image", "heading", "text"]
const selector = "button, a[href], input, h1, h2, h3, h4, p, li, dt, dd, output, [role=img], [role=meter], [role=status], [data-explore]"

/** A part of the page as the engine takes it; null for one that cannot be seen. `place` has `left`, `top`, `right` and `bottom` in pixels. */
export function region({ id, label, role }, place, { width, height }) {
    const part = (from, to, whole) => [from, to].map(edge => Math.min(1, Math.max(0, edge / whole)))
    const [left, right] = part(place.left, place.right, width), [top, bottom] = part(place.top, place.bottom, height)
    const round = value => Math.round(value * 1000) / 1000
    const words = label.replace(/\s+/g, " ").trim()
    if (words === "" || right - left < 0.002 || bottom - top < 0.002) return null
    return { id, label: [...words].slice(0, longest).join(""), role,
             x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) }
}

/** Those that act come first where there are more than the engine takes; the order is the page's. */
export function fewEnough(regions) {
    if (regions.length <= most) return regions
    const kept = new Set([...regions.filter(({ role }) => acts.includes(role)), ...regions.filter(({ role }) => !acts.includes(role))].slice(0, most))
    return regions.filter(region => kept.has(region))
}

/** What kind of thing an element is; `data-explore` may say so. */
export function roleOf(part) {
    if (roles.includes(part.dataset.explore)) return part.dataset.explore
    if (part.matches("button:disabled, [aria-disabled=true]")) return "text"
    if (part.matches("input[type=range]")) return "slider"
    if (part.matches("[aria-pressed], input[type=checkbox], input[type=radio]")) return "toggle"
    if (part.matches("button, a[href], input")) return "button"
    if (part.matches("h1, h2, h3, h4")) return "heading"
    return part.matches("[role=img]") ? "image" : "text"
}

/** The page's engine subscribes `Explorer.topics`. */
export class Explorer {
    static topics = ["explore.mode", "explore.at", "explore.activate"]

    static async start(engine, fingers) {
        new Explorer(engine, fingers, await Words.load(new URL("lang/", import.meta.url), ["en", "de"]))
    }

    #words
    #engine
    #speech
    #ids = new WeakMap()
    #last = 0
    /** What each region does, by its id. */
    #acts = new Map()
    #sent = null
    /** What each status said last. */
    #said = new WeakMap()
    #timer = null
    /** The id of the region that the frame is around; null for none. */
    #framed = null
    /** Whether the engine has taken this page's regions. */
    #isKnown = false
    #caption = element("p", { id: "explored", "aria-hidden": "true", popover: "manual" })
    #frame = element("div", { id: "explored-frame", "aria-hidden": "true", popover: "manual" })

    constructor(engine, fingers, words) {
        this.#engine = engine
        this.#speech = new Speech(engine)
        this.#words = words
        document.body.append(this.#frame, this.#caption)
        const turn = on => {
            fingers.explore(on)
            this.#turn(on)
        }
        const know = (isKnown, on) => {
            this.#isKnown = isKnown
            turn(on)
        }
        // A page elsewhere cannot be explored by the house's glass: its regions are refused, and the house's switch is not for it.
        engine.on("up", () => {
            this.#sent = null
            engine.ask("explore.regions", { regions: [] }).then(({ on }) => know(true, on)).catch(() => know(false, false))
        })
        engine.on("down", () => know(false, false))
        engine.on("explore.mode", ({ on }) => {
            if (!this.#isKnown) return
            turn(on)
            this.#speech.say(words.say(on ? "exploreOn" : "exploreOff"))
        })
        engine.on("explore.at", found => this.#found(found))
        engine.on("explore.activate", ({ id }) => {
            this.#acts.get(id)?.()
            this.#look()
        })
    }

    #turn(on) {
        clearInterval(this.#timer)
        document.documentElement.toggleAttribute("data-exploring", on)
        this.#show("")
        this.#outline()
        if (!on) return
        // What stands there already is no news.
        this.#hear(() => {})
        this.#timer = setInterval(() => this.#look(), lookEvery)
        this.#look()
    }

    #found({ id, label, role }) {
        // What another page has found has no label, and may have the id of something here.
        this.#outline(label === undefined ? null : id)
        if (label === undefined) return this.#show("")
        const words = acts.includes(role) ? this.#words.say("exploreRole", { label, role: this.#words.say(`role ${role}`) }) : label
        this.#show(words)
        this.#speech.say(words)
    }

    /** Over everything, a dialog that was opened since the last time too: what comes last into the browser's top layer lies on top. */
    #show(text) {
        this.#caption.textContent = text
        this.#caption.hidePopover()
        if (text !== "") this.#caption.showPopover()
    }

    /** For who sees and presses a switch: a frame around what was found, until it has gone. */
    #outline(id = null) {
        this.#framed = id
        this.#frame.hidePopover()
        const region = id === null ? undefined : JSON.parse(this.#sent ?? "[]").find(region => region.id === id)
        if (region === undefined) return
        for (const [side, size] of [["left", region.x], ["top", region.y], ["width", region.width], ["height", region.height]]) {
            this.#frame.style[side] = `${size * 100}%`
        }
        this.#frame.showPopover()
    }

    /** Tells the engine where everything is, if that has changed, and says what has happened. */
    #look() {
        const regions = this.#regions()
        const text = JSON.stringify(regions)
        if (text !== this.#sent) {
            this.#sent = text
            this.#engine.tell("explore.regions", { regions })
            if (this.#framed !== null) this.#outline(this.#framed)
        }
        this.#hear(words => {
            this.#show(words)
            this.#speech.say(words, { waits: true })
        })
    }

    /** Figures that count down are said once. */
    #hear(say) {
        for (const status of document.querySelectorAll("[role=status]")) {
            const words = status.checkVisibility() ? status.textContent.replace(/\s+/g, " ").trim() : ""
            const calm = words.replace(/[0-9]+/g, "#")
            if (calm === (this.#said.get(status) ?? "")) continue
            this.#said.set(status, calm)
            if (words !== "") say(words)
        }
    }

    #regions() {
        const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body
        const size = { width: innerWidth, height: innerHeight }
        this.#acts.clear()
        const parts = [...root.querySelectorAll(selector)].filter(part => part !== this.#caption && isSeen(part)).map(part => {
            const id = this.#id(part, "")
            this.#acts.set(id, () => act(part, words => this.#speech.say(words)))
            return region({ id, label: labelOf(part), role: roleOf(part) }, part.getBoundingClientRect(), size)
        })
        const lists = [...root.querySelectorAll(".scrolls")].filter(list => isSeen(list) && list.scrollHeight > list.clientHeight + 1).map(list => {
            const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 1
            const id = this.#id(list, " on")
            this.#acts.set(id, () => list.scrollTo({ top: isAtEnd ? 0 : list.scrollTop + scrolled * list.clientHeight }))
            const { left, right, top, bottom } = list.getBoundingClientRect()
            const label = this.#words.say(isAtEnd ? "exploreTop" : "exploreMore")
            return region({ id, label, role: "button" }, { left, right, bottom, top: bottom - strip * (bottom - top) }, size)
        })
        return fewEnough([...parts, ...lists].filter(part => part !== null))
    }

    #id(part, suffix) {
        if (!this.#ids.has(part)) this.#ids.set(part, `e${++this.#last}`)
        return this.#ids.get(part) + suffix
    }
}

/** Whether it is drawn, nothing lies over the middle of what acts, and it is not only the row of a button. */
function isSeen(part) {
    if (part.matches("li, p") && part.querySelector("button, a[href], input")) return false
    if (!part.checkVisibility({ visibilityProperty: true }) || part.closest("[inert], .unseen, [aria-hidden=true]")) return false
    if (!part.matches("button, a[href], input")) return true
    const { left, right, top, bottom } = part.getBoundingClientRect()
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return above !== null && (part.contains(above) || above.contains(part))
}

function labelOf(part) {
    const name = part.dataset.exploreLabel ?? part.getAttribute("aria-label") ?? part.labels?.[0]?.innerText ?? part.innerText
    if (part.matches("input[type=range]")) return `${name} ${valueOf(part)}`
    return part.matches("[role=meter]") ? `${name} ${part.getAttribute("aria-valuetext") ?? part.getAttribute("aria-valuenow") ?? ""}` : name
}

const valueOf = slider => slider.getAttribute("aria-valuetext") ?? slider.value

/** A part that does something else than a click does so at `explored`. A slider goes on by a tenth, and from its end back to its beginning. */
function act(part, say) {
    if (part.matches("input[type=range]")) {
        const [least, most] = [Number(part.min), Number(part.max)]
        const next = Number(part.value) + (most - least) / 10
        part.value = Number(part.value) >= most ? least : Math.min(most, next)
        for (const name of ["input", "change"]) part.dispatchEvent(new Event(name, { bubbles: true }))
        return say(valueOf(part))
    }
    if (part.dispatchEvent(new CustomEvent("explored", { bubbles: true, cancelable: true })) && acts.includes(roleOf(part))) part.click()
}
