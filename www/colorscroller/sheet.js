// The pill with the number of unlocked skins, and the sheet that rises from it.

import { isCalm } from "../kit/motion.js"
import { rubber } from "./paging.js"
import { swatch } from "./pictures.js"

const rarities = [["special", "specials"], ["rare", "rares"], ["common", "commons"]]

const closesAfter = 0.16, throwsAt = 0.6 // screen heights, and screen heights a second
const gives = 0.12 // of a way upwards

export class Sheet {
    #count = 0

    /** `ask` resolves with the inventory. `changed` is called when the sheet has opened or closed. */
    constructor(words, fingers, ask, changed) {
        Object.assign(this, { words, ask, changed })
        this.pill = document.getElementById("pill")
        this.dialog = document.getElementById("sheet")
        this.shelves = this.dialog.querySelector(".shelves")
        this.latest = document.createElement("span")
        this.latest.className = "latest"
        this.label = document.createElement("span")
        this.figure = document.createElement("span")
        this.figure.className = "figure"
        this.label.textContent = words.say("unlocked")
        this.pill.append(this.latest, this.label, this.figure)
        this.pill.addEventListener("click", () => this.open())
        this.dialog.querySelector(".close").addEventListener("click", () => this.close())
        this.dialog.addEventListener("cancel", event => {
            event.preventDefault()
            this.close()
        })
        this.shelves.addEventListener("scroll", () => this.#tellEnds())
        new ResizeObserver(() => this.#tellEnds()).observe(this.shelves)
        this.#follow(fingers)
    }

    get count() { return this.#count }

    get isOpen() { return this.dialog.open }

    setCount(count) {
        if (count !== this.#count && count > 0 && !isCalm()) {
            this.figure.animate([{ transform: "translateY(70%)", opacity: 0 }, { transform: "none", opacity: 1 }],
                                { duration: 220, easing: "cubic-bezier(0.2, 0.9, 0.3, 1)" })
        }
        this.#count = count
        this.figure.textContent = this.words.number.format(count)
        this.pill.setAttribute("aria-label", this.words.say("unlockedCount", { count }))
        this.pill.hidden = count === 0
        if (count === 0) this.latest.replaceChildren()
        if (this.dialog.open) this.fill()
    }

    /** The last three show on the pill. */
    add(skin) {
        this.latest.append(swatch(skin, 28, 28))
        while (this.latest.children.length > 3) this.latest.firstChild.remove()
    }

    async open() {
        if (this.dialog.open) return
        await this.fill()
        this.dialog.showModal()
        this.shelves.scrollTop = 0
        this.#tellEnds()
        this.changed()
        this.#move(["translateY(100%)", "none"], 320, "cubic-bezier(0.2, 0.9, 0.25, 1)")
    }

    async close() {
        if (!this.dialog.open) return
        const from = this.dialog.style.transform || "none"
        await this.#move([from, "translateY(100%)"], 160, "ease-in").finished
        this.dialog.close()
        this.dialog.style.transform = ""
        this.changed()
    }

    #isBeside(y) {
        const { top, bottom } = this.dialog.getBoundingClientRect()
        return y * innerHeight < top || y * innerHeight > bottom
    }

    /** Which fingers the list takes, as the browser has to know beforehand. */
    #tellEnds() {
        const { scrollTop, scrollHeight, clientHeight } = this.shelves
        this.shelves.dataset.at = scrollHeight <= clientHeight ? "all" : scrollTop <= 0 ? "top" : "middle"
    }

    /** The sheet goes down with a finger on its header, or on its list where that is at its top, and closes or comes back when it is let go.
     *  Upwards it gives a little, where there is nothing to scroll. */
    #follow(fingers) {
        let held = null, scrolls = false
        fingers.on("began", ({ id, target, y }) => {
            // Beside the sheet a finger's target is the dialog, too.
            if (target === this.dialog && this.#isBeside(y)) return this.close()
            if (held !== null || !target.closest?.("#sheet") || target.closest("button")) return
            scrolls = target.closest(".shelves") !== null && this.shelves.dataset.at !== "all"
            if (!scrolls || this.shelves.scrollTop <= 0) held = id
        })
        fingers.on("moved", finger => {
            if (finger.id !== held) return
            const way = finger.y - finger.startY
            // From here on the list scrolls, and the sheet stays.
            if (scrolls && this.shelves.scrollTop > 0) held = null
            const moved = way > 0 ? way : scrolls ? 0 : gives * rubber(way)
            this.dialog.style.transform = held === null ? "" : `translateY(${moved * innerHeight}px)`
        })
        fingers.on("ended", finger => {
            if (finger.id !== held) return
            held = null
            const isThrown = finger.velocity > throwsAt
            if (!finger.isCancelled && (isThrown || finger.y - finger.startY > closesAfter)) return this.close()
            const from = this.dialog.style.transform
            this.dialog.style.transform = ""
            if (from && !isCalm()) this.#move([from, "none"], 220, "cubic-bezier(0.2, 0.9, 0.25, 1)")
        })
    }

    async fill() {
        const inventory = await this.ask()
        const shelves = rarities.filter(([rarity]) => inventory[rarity].length > 0).map(([rarity, title]) => {
            const shelf = document.createElement("section")
            const heading = document.createElement("h3")
            heading.textContent = this.words.say(title)
            const count = document.createElement("span")
            count.textContent = this.words.number.format(inventory[rarity].length)
            heading.append(" ", count)
            const list = document.createElement("ul")
            list.dataset.rarity = rarity
            list.append(...inventory[rarity].map(skin => this.#item(skin)))
            shelf.append(heading, list)
            return shelf
        })
        const nothing = document.createElement("p")
        nothing.textContent = this.words.say("nothingYet")
        this.shelves.replaceChildren(...(shelves.length ? shelves : [nothing]))
        this.#tellEnds()
    }

    #item(skin) {
        const item = document.createElement("li")
        const [name, seen, rgb] = ["name", "seen", "rgb"].map(kind => {
            const part = document.createElement("span")
            part.className = kind
            return part
        })
        name.textContent = skin.name
        seen.textContent = this.words.say("timesSeen", { count: skin.timesSeen })
        rgb.append(...skin.rgb.map(parts => {
            const line = document.createElement("span")
            line.textContent = parts.join(" ")
            return line
        }))
        const size = Math.min(300, Math.max(96, innerWidth / 4.5))
        item.append(swatch(skin, size, size * 1.2), name, seen, rgb)
        return item
    }

    #move([from, to], duration, easing) {
        const fades = to === "none" ? [{ opacity: 0 }, { opacity: 1 }] : [{ opacity: 1 }, { opacity: 0 }]
        const frames = isCalm() ? fades : [{ transform: from }, { transform: to }]
        return this.dialog.animate(frames, { duration: isCalm() ? 120 : duration, easing })
    }
}
