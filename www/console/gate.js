// Whoever has no operator's token: what may be seen without one, and where one is from. A token stays behind the hash of the address, which
// a browser sends to nobody.

import { element } from "../kit/elements.js"
import { beginAnew, forget, keeps } from "./entry.js"

function form(words) {
    const field = element("input", { type: "password", autocomplete: "off", id: "token", required: true })
    return element("form", { onsubmit: event => {
        event.preventDefault()
        location.hash = `token=${field.value.trim()}`
        location.reload()
    } }, element("label", {}, words.say("token"), field), element("button", { type: "submit", class: "do" }, words.say("enter")))
}

/** Has the device forget a token that it was given, which may have been revoked. */
const forgetting = words => element("button", { type: "button", class: "do quiet", "data-do": "forget", onclick: () => {
    forget()
    beginAnew()
} }, words.say("forgetToken"))

/** In place of everything: the engine does not answer, as it does where it does not know the token. `byCode`: or the code. */
export const gate = (words, byCode) => element("div", { class: "gate" },
    element("h1", {}, words.say("gate")), element("p", { class: "quiet" }, words.say(byCode ? "codeText" : "gateText")), form(words),
    keeps() ? forgetting(words) : null)

/** Above what may be seen. `role` is the engine's word. */
export const invitation = (words, role) => element("details", { class: "invitation" },
    element("summary", {}, words.say({ watch: "mayWatch", volume: "maySetVolume" }[role] ?? "mayVisit")),
    element("p", { class: "quiet" }, words.say("howToGetMore")), form(words))
