// Pets that died, as framed pictures.

import { drawing, element } from "../kit/elements.js"
import { portrait } from "./drawing.js"

export class Memories {
    constructor(root, words, act) { Object.assign(this, { root, words, act }) }

    show({ pets }) {
        const { words } = this
        this.root.replaceChildren(element("h2", {}, words.say("memories")), element("p", { class: "lead" }, words.say(pets.length === 0 ? "noMemories" : "memoriesText")),
            element("ul", { class: "frames" }, pets.map(grave => element("li", {},
                element("button", { type: "button", class: "framed", "data-pet": grave.pet, onclick: () => this.act("unhooked.remember", { pet: grave.pet }) },
                    element("span", { class: "mat" }, drawing(portrait(grave.species, grave.stage, grave.worn))),
                    element("strong", {}, grave.name),
                    element("span", {}, words.say("livedFor", { count: grave.days, stage: words.say(`stage-${grave.stage}`) })),
                    element("span", {}, words.say("wasFed", { count: grave.fedDays })))))))
    }
}
