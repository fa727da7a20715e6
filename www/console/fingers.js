// Fingers on drawn screens: one for each touchscreen that the engine reads, and one for the pages that report their own touches. It only
// looks: nothing is claimed, and nothing is taken from the pages.

import { element } from "../kit/elements.js"

const pages = "pages"

export class TouchedScreens {
    #screens = new Map()
    #fingers = new Map()

    constructor(words) {
        this.words = words
        this.root = element("div", { class: "screens" })
        this.setScreens([])
    }

    /** As `touch.owner` and the greeting tell them. */
    setScreens(screens) {
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
        this.#screens.set(client, { name, glass, figure: element("figure", {}, glass, element("figcaption", {}, name)) })
        this.#name(client)
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
    }

    #lift(key) {
        const finger = this.#fingers.get(key)
        if (!finger) return
        this.#fingers.delete(key)
        finger.dot.remove()
        this.#name(finger.screen)
    }

    #name(screen) {
        const { glass, name } = this.#screens.get(screen)
        const count = [...this.#fingers.values()].filter(finger => finger.screen === screen).length
        glass.setAttribute("aria-label", `${name}: ${this.words.say("fingers", { count })}`)
    }
}
