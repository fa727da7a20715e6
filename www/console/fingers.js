// Fingers on drawn screens: one for each touchscreen that the engine reads, and one for the pages that report their own touches. It only
// looks: nothing is claimed, and nothing is taken from the pages.

import { element } from "../kit/elements.js"

const pages = "pages"
const columns = 6, rows = [3, 16] // fields across a screen, and the fewest and most down it

/** How many fields lie on a screen of this ratio of width to height, across and down: about square ones. */
export const fieldsOn = ratio => ({ across: columns, down: Math.min(rows[1], Math.max(rows[0], Math.round(columns / ratio))) })

/** The number of the field at a place of the screen, 0 to 1 each way; row by row, from 0. */
export function fieldAt({ across, down }, x, y) {
    const within = (part, count) => Math.min(count - 1, Math.max(0, Math.floor(part * count)))
    return within(y, down) * across + within(x, across)
}

export class TouchedScreens {
    #screens = new Map()
    #fingers = new Map()
    #told = null

    /** With `countsFields` each screen has fields that stay lit when a finger has been there, and says how many are: what no finger lights is dead. */
    constructor(words, { countsFields = false } = {}) {
        Object.assign(this, { words, countsFields })
        this.root = element("div", { class: "screens" })
        this.setScreens([])
    }

    /** As the greeting, a snapshot and `touch.owner` tell them. Fields stay lit where the screens are the same. */
    setScreens(screens) {
        const told = JSON.stringify(screens)
        if (this.countsFields && told === this.#told) return
        this.#told = told
        this.#screens.clear()
        this.#fingers.clear()
        for (const { client, name, rotate, width, height } of screens) {
            const isTurned = rotate % 180 !== 0
            this.#add(client, name, isTurned ? height / width : width / height)
        }
        if (screens.length === 0) this.#add(pages, this.words.say("screen-pages"), 9 / 16)
        this.root.replaceChildren(...[...this.#screens.values()].map(({ figure }) => figure))
    }

    #add(client, name, ratio) {
        const glass = element("div", { class: "glass", role: "img" })
        glass.style.aspectRatio = ratio > 0 ? String(ratio) : "9 / 16"
        const fields = this.countsFields ? this.#fieldsOn(glass, ratio > 0 ? ratio : 9 / 16) : null
        const caption = element("figcaption", {}, name)
        this.#screens.set(client, { name, glass, fields, caption, figure: element("figure", {}, glass, caption) })
        this.#name(client)
    }

    #fieldsOn(glass, ratio) {
        const size = fieldsOn(ratio)
        const lights = Array.from({ length: size.across * size.down }, () => element("i"))
        const grid = element("div", { class: "lights", "aria-hidden": "true" }, lights)
        grid.style.gridTemplate = `repeat(${size.down}, 1fr) / repeat(${size.across}, 1fr)`
        glass.append(grid)
        return { size, lights, lit: new Set() }
    }

    /** All fields are dark again. */
    forgetFields() {
        for (const [client, { fields }] of this.#screens) {
            fields?.lit.clear()
            for (const light of fields?.lights ?? []) delete light.dataset.lit
            this.#name(client)
        }
    }

    /** What the topic `touches` tells of a touchscreen. */
    told({ client, contacts }) { for (const contact of contacts) this.#move(client, `${client}/${contact.id}`, contact) }

    /** What the topic `event` tells: touches that pages report, and who has gone. */
    happened({ event, client, ...touch }) {
        if (client < 0) return
        if (event === "touch") this.#move(pages, `${client}/${touch.id}`, touch)
        if (event === "left") for (const key of [...this.#fingers.keys()].filter(key => key.startsWith(`${client}/`))) this.#lift(key)
    }

    #move(screen, key, { phase, x, y }) {
        if (phase === "ended") return this.#lift(key)
        if (x === undefined || y === undefined) return
        if (!this.#screens.has(screen)) {
            this.#add(screen, screen === pages ? this.words.say("screen-pages") : this.words.say("screen", { number: -screen }), 9 / 16)
            this.root.append(this.#screens.get(screen).figure)
        }
        let finger = this.#fingers.get(key)
        if (!finger) {
            finger = { dot: element("i", { class: "finger" }), screen }
            this.#fingers.set(key, finger)
            this.#screens.get(screen).glass.append(finger.dot)
            this.#name(screen)
        }
        finger.dot.style.left = `${x * 100}%`
        finger.dot.style.top = `${y * 100}%`
        this.#light(screen, x, y)
    }

    #light(screen, x, y) {
        const { fields } = this.#screens.get(screen)
        if (!fields) return
        const number = fieldAt(fields.size, x, y)
        if (fields.lit.has(number)) return
        fields.lit.add(number)
        fields.lights[number].dataset.lit = ""
        this.#name(screen)
    }

    #lift(key) {
        const finger = this.#fingers.get(key)
        if (!finger) return
        this.#fingers.delete(key)
        finger.dot.remove()
        this.#name(finger.screen)
    }

    #name(screen) {
        const { glass, name, fields, caption } = this.#screens.get(screen)
        const count = [...this.#fingers.values()].filter(finger => finger.screen === screen).length
        const fingers = this.words.say("fingers", { count })
        glass.setAttribute("aria-label", `${name}: ${fingers}`)
        if (!fields) return
        const lit = this.words.say("fieldsTouched", { count: fields.lit.size, of: fields.lights.length })
        caption.replaceChildren(name, element("b", {}, `${fingers} · ${lit}`))
    }
}
