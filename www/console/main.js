// The console: operators see how the house is, change it, hear what was recorded, look at documents, flags, books and households, and publish. It uses the public
// protocol and has no rule of its own.

import { offer } from "../colorscroller/download.js"
import { element } from "../kit/elements.js"
import { Engine, engineAddress } from "../kit/engine.js"
import { Calm } from "../kit/presence.js"
import { Words } from "../kit/words.js"
import { Configuration } from "./configuration.js"
import { Devices } from "./devices.js"
import { Do } from "./do.js"
import { Draft } from "./draft.js"
import { beginAnew, claim, isRefused, keeps, wayIn } from "./entry.js"
import { Flags } from "./flags.js"
import { keepFocus } from "./focus.js"
import { gate } from "./gate.js"
import { icon } from "./icons.js"
import { Ledger } from "./ledger.js"
import { Log } from "./log.js"
import { Now } from "./now.js"
import { Recorder } from "./recorder.js"
import { Sessions } from "./sessions.js"
import { Support } from "./support.js"
import { zoneOf } from "./time.js"
import { Venue } from "./venue.js"
import { all, topicsOf, viewsFor } from "./views.js"

const refreshEvery = 2000, saysFor = 6000 // milliseconds

const words = await Words.load(new URL("lang/", import.meta.url), ["en", "de"])
document.documentElement.lang = words.language
document.title = words.say("console")
words.fill(document)

const byID = id => document.getElementById(id)
const main = document.querySelector("main")
const nav = document.querySelector("nav")
// Whoever says `page` takes no touches over, and is told which screens the engine reads.
const way = wayIn(location.hash)
const engine = new Engine(engineAddress(location), { name: "console", token: way.token, touches: "page", topics: [] })
const draft = new Draft(engine)
new Calm(engine)
keepFocus(main)

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
const recorder = new Recorder({ engine, words })
const recall = wish => recorder.open(wish)
const parts = { engine, words, draft, act, offer, recall, toDraft: () => goTo("configuration") }
const views = {
    now: new Now(page("now"), { ...parts, toDo: () => goTo("doing") }),
    doing: new Do(page("doing"), parts),
    sessions: new Sessions(page("sessions"), parts),
    venue: new Venue(page("venue"), parts),
    devices: new Devices(page("devices"), parts),
    configuration: new Configuration(page("configuration"), parts),
    flags: new Flags(page("flags"), parts),
    ledger: new Ledger(page("ledger"), parts),
    support: new Support(page("support"), parts),
    log: new Log(page("log"), parts),
}
let current = "now"
let offered = []

async function goTo(name) {
    current = offered.includes(name) ? name : "now"
    for (const button of nav.children) button.ariaCurrent = button.dataset.view === current ? "page" : null
    // On a phone there may be more views than are in sight.
    nav.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
    main.replaceChildren(views[current].root)
    main.scrollTop = 0
    byID("say").replaceChildren()
    await Promise.all([show(true), listen()])
}

/** Draws the view. What was not asked for by somebody happens quietly. */
async function show(isAsked) {
    try {
        await views[current].show(isAsked)
    } catch ({ message }) {
        if (isAsked && engine.isUp) say(message, "bad")
    }
}

/** Takes over a subscription's snapshot: newer than the greeting, and than what was told before. */
function taken(snapshot) {
    if (snapshot.touches) screensAre(snapshot.touches)
    if (current === "now") views.now.taken(snapshot)
}

/** The touchscreens may be others than at the greeting, and only some views are told of it. */
function screensAre(touches) {
    engine.greeting.touches = touches
    views[current].setScreens?.(touches.screens)
}

/** Is told only what the view draws, and nothing while nobody sees the page. */
async function listen() {
    const topics = document.hidden ? [] : topicsOf(current, engine.greeting.role)
    if (JSON.stringify(topics) === JSON.stringify(engine.topics)) return
    engine.topics = topics
    const answer = await engine.ask("subscribe", { topics }).catch(() => null)
    if (answer) taken(answer.snapshot)
}

nav.append(...all.map(name => element("button", { type: "button", "data-view": name, hidden: true, onclick: () => goTo(name) },
    icon(name), element("span", {}, words.say(`go-${name}`)))))

/** Leaves out the views that the running piece has nothing for. */
async function offerViews() {
    offered = await viewsFor(engine).catch(() => ["now"])
    for (const button of nav.children) button.hidden = !offered.includes(button.dataset.view)
    nav.hidden = offered.length < 2
}

// An engine that knows no such token does not answer at all.
const lonely = setTimeout(async () => {
    const isOver = way.token !== null && await isRefused(engine.address, way.token)
    // A code that somebody opens again is used up: the device has its token. A new one is only slow.
    if (isOver && way.code && keeps()) return beginAnew()
    if (engine.isUp) return
    // Each further connection would count as one more wrong token.
    if (isOver) engine.leave()
    document.body.dataset.gate = ""
    main.replaceChildren(gate(words, way.code !== null))
}, 3000)

let greeted = null
engine.on("down", () => { engine.topics = [] })
engine.on("touch.owner", screensAre)
engine.on("up", async ({ greeting, snapshot }) => {
    const { role, person, experience } = greeting
    words.timeZone = zoneOf(greeting)
    // A code lets its device in for a moment more after the claim. Whoever opens it again then is refused a second one, and helped above.
    if (way.code) return claim(engine).catch(({ message }) => say(message, "bad"))
    clearTimeout(lonely)
    delete document.body.dataset.gate
    byID("piece").textContent = experience
    const about = role === "operator" && !person ? "nobodyText" : `role-${role}`
    byID("who").replaceChildren(element("b", {}, person ?? words.say("nobody")), element("span", {}, words.say(about)))
    const who = JSON.stringify([role, person, experience])
    // Announcements were missed, or the connection was another for a moment: somebody may be in the middle of something.
    const isSame = who === greeted && main.contains(views[current].root)
    greeted = who
    if (isSame && engine.topics.length > 0) return taken(snapshot)
    await offerViews()
    if (!isSame) return goTo(current)
    await Promise.all([show(false), listen()])
})
engine.on("config.outlook", ({ part }) => { for (const bar of document.querySelectorAll(".simulation progress")) bar.value = part })
// Others change things, too.
setInterval(() => { if (engine.isUp && !document.hidden) show(false) }, refreshEvery)
document.addEventListener("visibilitychange", () => { if (engine.isUp) listen() })
addEventListener("hashchange", () => { if (wayIn(location.hash).token !== engine.token) location.reload() })

engine.connect()
