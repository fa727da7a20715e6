// Pets that died, as framed pictures; one that is touched fills the screen, with its days as a string of lights.

import { drawing, element } from "../kit/elements.js"
import { portrait } from "./drawing.js"

const mostLights = 120

export class Memories {
    constructor(root, dialog, words, act) {
        Object.assign(this, { root, dialog, words, act })
        dialog.addEventListener("click", () => dialog.close())
    }

    close() { this.dialog.close() }

    /** `wall` has visitors' pets; null without one. */
    show({ pets }, wall = null) {
        const { words } = this
        const frame = pet => [this.#picture(pet), element("strong", {}, pet.name), ...this.#facts(pet)]
        const hung = wall === null ? [] : [
            element("h2", {}, words.say("wall")), element("p", { class: "lead" }, words.say(wall.pets.length === 0 ? "wallIsEmpty" : "wallLead")),
            element("ul", { class: "frames", id: "wall" }, wall.pets.map(pet => element("li", {}, element("div", { class: "framed", "data-condition": pet.condition }, frame(pet))))),
        ]
        if (wall !== null && pets.length === 0) return void this.root.replaceChildren(...hung)
        this.root.replaceChildren(...hung, element("h2", {}, words.say("memories")), element("p", { class: "lead" }, words.say(pets.length === 0 ? "noMemories" : "memoriesText")),
            element("ul", { class: "frames" }, pets.map(grave => element("li", {},
                element("button", { type: "button", class: "framed", "data-pet": grave.pet, onclick: () => this.#remember(grave) }, frame(grave))))))
    }

    async #remember(grave) {
        if (!await this.act("unhooked.remember", { pet: grave.pet })) return
        this.dialog.replaceChildren(this.#picture(grave), element("h2", { id: "memory-title" }, grave.name), ...this.#facts(grave, "p"), lights(grave),
            element("button", { type: "button", class: "do quiet" }, this.words.say("back")))
        if (!this.dialog.open) this.dialog.showModal()
    }

    #picture(grave) { return element("span", { class: "mat" }, drawing(portrait(grave.species, grave.stage, grave.worn))) }

    #facts({ days, stage, fedDays }, tag = "span") {
        const { words } = this
        const lived = element(tag, {}, words.say("livedFor", { count: days, stage: words.say(`stage-${stage}`) }))
        // A day counts as fed when it is over: who leaves on the first has none yet.
        return fedDays === 0 ? [lived] : [lived, element(tag, {}, words.say("wasFed", { count: fedDays }))]
    }
}

/** A light for each day, of which as many burn as there were days on which it had enough. Its last days were none of them. */
function lights({ days, fedDays }) {
    const each = Math.max(1, days / mostLights)
    return element("div", { class: "string", "aria-hidden": "true" }, Array.from({ length: Math.round(days / each) }, (_, index) => {
        const light = element("i", { "data-burns": index < fedDays / each })
        light.style.setProperty("--turn", index)
        return light
    }))
}
