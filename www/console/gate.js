// Whoever has no operator's token: what may be seen without one, and where one is from. A token stays behind the hash of the address, which
// a browser sends to nobody.

import { element } from "../kit/elements.js"

function form(words) {
    const field = element("input", { type: "password", autocomplete: "off", id: "token", required: true })
    return element("form", { onsubmit: event => {
        event.preventDefault()
        location.hash = `token=${field.value.trim()}`
        location.reload()
    } }, element("label", {}, words.say("token"), field), element("button", { type: "submit", class: "do" }, words.say("enter")))
}

/** In place of everything: the engine does not answer, as it does where it does not know the token. */
export const gate = words => element("div", { class: "gate" },
    element("h1", {}, words.say("gate")), element("p", { class: "quiet" }, words.say("gateText")), form(words))

/** Above what may be seen. `role` is the engine's word. */
export const invitation = (words, role) => element("details", { class: "invitation" },
    element("summary", {}, words.say({ watch: "mayWatch", volume: "maySetVolume" }[role] ?? "mayVisit")),
    element("p", { class: "quiet" }, words.say("howToGetMore")), form(words))
