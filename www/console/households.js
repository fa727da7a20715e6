// Which household is looked at.

import { element } from "../kit/elements.js"

export function chooser(words, household, households, choose) {
    const names = [...new Set([household, ...households])].sort()
    return element("label", { class: "chooser" }, element("span", {}, words.say("household")), element("select", { onchange: ({ target }) => choose(target.value).catch(() => {}) },
        names.map(name => element("option", { value: name, selected: name === household }, name))))
}
