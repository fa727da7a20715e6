// The console: operators look at documents, flags, books and households, and publish. It uses the public protocol and has no rule of its own.

import { offer } from "../colorscroller/download.js"
import { element } from "../kit/elements.js"
import { Engine, engineAddress, engineToken } from "../kit/engine.js"
import { Calm } from "../kit/presence.js"
import { Words } from "../kit/words.js"
import { Configuration } from "./configuration.js"
import { Draft } from "./draft.js"
import { Flags } from "./flags.js"
import { icon } from "./icons.js"
import { Ledger } from "./ledger.js"
import { Support } from "./support.js"

const refreshEvery = 2000, saysFor = 6000 // milliseconds

const words = await Words.load(new URL("lang/", import.meta.url), ["en", "de"])
document.documentElement.lang = words.language
document.title = words.say("console")
words.fill(document)

const byID = id => document.getElementById(id)
const main = document.querySelector("main")
const nav = document.querySelector("nav")
const engine = new Engine(engineAddress(location), { name: "console", token: engineToken(location), touches: "page", topics: ["config.outlook"] })
const draft = new Draft(engine)
new Calm(engine)

let saying = null
function say(text, kind = "plain") {
    clearTimeout(saying)
    byID("say").replaceChildren(element("p", { "data-kind": kind }, text))
    saying = setTimeout(() => byID("say").replaceChildren(), saysFor)
}

/** Asks for a step. Returns the answer; null where it was refused, which is said. The button waits for it. */
async function act(button, method, params) {
    if (button?.getAttribute("aria-busy") === "true") return null
    button?.setAttribute("aria-busy", "true")
    try {
        const version = await engine.ask(method, params)
        say(words.say(`did-${version.state}`, { version: version.version }))
        return version
    } catch ({ message }) {
        say(message, "bad")
        return null
    } finally {
        button?.removeAttribute("aria-busy")
    }
}

const page = name => element("div", { class: `view ${name}` })
const parts = { engine, words, draft, act, offer, toDraft: () => goTo("configuration") }
const views = {
    configuration: new Configuration(page("configuration"), parts),
    flags: new Flags(page("flags"), parts),
    ledger: new Ledger(page("ledger"), parts),
    support: new Support(page("support"), parts),
}
let current = "configuration"

async function goTo(name) {
    current = name
    for (const button of nav.children) button.ariaCurrent = button.dataset.view === name ? "page" : null
    main.replaceChildren(views[name].root)
    main.scrollTop = 0
    byID("say").replaceChildren()
    await show(true)
}

/** Draws the view. What was not asked for by somebody happens quietly. */
async function show(isAsked) {
    try {
        await views[current].show(isAsked)
    } catch ({ message }) {
        if (isAsked && engine.isUp) say(message, "bad")
    }
}

nav.append(...Object.keys(views).map(name => element("button", { type: "button", "data-view": name, onclick: () => goTo(name) }, icon(name), element("span", {}, words.say(`go-${name}`)))))

/** Whoever is no operator is asked for a token. It stays behind the hash of the address, which a browser sends to nobody. */
function askForToken() {
    const field = element("input", { type: "password", autocomplete: "off", id: "token" })
    main.replaceChildren(element("form", { class: "gate", onsubmit: event => {
        event.preventDefault()
        location.hash = `token=${field.value.trim()}`
        location.reload()
    } }, element("h1", {}, words.say("gate")), element("p", { class: "quiet" }, words.say("gateText")), element("label", {}, words.say("token"), field), element("button", { type: "submit", class: "do" }, words.say("enter"))))
}

// An engine that knows no such token does not answer at all.
const lonely = setTimeout(() => {
    document.body.dataset.gate = ""
    askForToken()
}, 3000)

engine.on("up", ({ greeting: { role, person, experience } }) => {
    clearTimeout(lonely)
    delete document.body.dataset.gate
    const isOperator = role === "operator"
    byID("piece").textContent = experience
    nav.hidden = !isOperator
    byID("who").replaceChildren(...isOperator ? [element("b", {}, person ?? words.say("nobody")), element("span", {}, words.say(person ? "operator" : "nobodyText"))] : [])
    if (isOperator) goTo(current)
    else askForToken()
})
engine.on("config.outlook", ({ part }) => { for (const bar of document.querySelectorAll(".simulation progress")) bar.value = part })
// Others publish, too.
setInterval(() => { if (engine.isUp && engine.greeting.role === "operator") show(false) }, refreshEvery)
addEventListener("hashchange", () => { if (engineToken(location) !== engine.token) location.reload() })

engine.connect()
