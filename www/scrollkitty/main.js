// ScrollKitty's page. It draws what the engine tells it, and has no rule of its own.

import { performDefaultActions } from "../kit/default-actions.js"
import { Captions } from "../kit/captions.js"
import { Engine, engineAddress, engineToken } from "../kit/engine.js"
import { enter, leave } from "../kit/motion.js"
import { Explorer } from "../kit/explore.js"
import { Fingers, makeKiosk } from "../kit/touch.js"
import { Frames } from "../kit/frames.js"
import { Calm, Countdown, leanIn, throughDark } from "../kit/presence.js"
import { Visit } from "../kit/visit.js"
import { Words } from "../kit/words.js"
import { Cat } from "./cat.js"
import { Health } from "./health.js"
import { Idle } from "./idle.js"
import { Onboarding } from "./onboarding.js"
import { Phone } from "./phone.js"
import { Settings } from "./settings.js"
import { Timeline } from "./timeline.js"
import { GoodNight, guest, offer } from "./walkup.js"
import { Week } from "./week.js"

const noticeStays = 2600, saysFor = 14_000, refreshEvery = 10_000, refreshOwnEvery = 1000 // milliseconds

const wishes = new URLSearchParams(location.search)
if (wishes.has("kiosk")) document.documentElement.dataset.kiosk = ""
if (wishes.get("type") === "large") document.documentElement.dataset.type = "large"

const words = await Words.load(new URL("lang/", import.meta.url), ["en", "de"])
document.documentElement.lang = words.language
words.fill(document)
makeKiosk(document)

const byID = id => document.getElementById(id)
const engine = new Engine(engineAddress(location), {
    name: "scrollkitty", token: engineToken(location), touches: wishes.has("kiosk") && wishes.get("touches") !== "page" ? "engine" : "page",
    topics: ["session", "cat", "lost", "shield", "message", "summary", "day", "streak", "state", ...Captions.topics, ...Explorer.topics],
})
const frames = new Frames(engine)
const fingers = new Fingers(document, engine, { surface: "#cat", touchscreen: wishes.get("touchscreen") })
performDefaultActions(fingers)
const visit = new Visit(engine)
let state = null

const cat = new Cat(byID("cat"), fingers, frames, words)
const health = new Health(byID("health"), words)
const phone = new Phone(byID("phone"), words, act)
const timeline = new Timeline(byID("timeline"), words)
const settings = new Settings(words, act)
const week = new Week(byID("week"), words, settings)
const onboarding = new Onboarding(byID("onboarding"), words, settings, {
    act, ask: length => Promise.all([engine.ask("kitty.onboarding", length ? { length } : {}), engine.ask("kitty.state")]),
})
const goodNight = new GoodNight(byID("good-night"), words, visit)

const idle = new Idle(cat, fingers)
leanIn(visit, isThere => idle.notice(isThere))
new Countdown(visit)
new Calm(engine)

const quietly = promise => promise.catch(() => {})
/** Sound leads: what is seen of an event waits as long as its sound takes. */
const withSound = draw => setTimeout(draw, engine.greeting.latencyMilliseconds)

/** Asks the engine for an action. What it refuses is said where somebody looks. */
async function act(action, fields, done = () => {}) {
    try {
        await engine.ask(action, fields)
        await done()
        if (document.body.dataset.view === "week") await drawView()
    } catch {
        const place = byID("onboarding").open ? byID("onboarding").querySelector(".refused") : null
        if (place) place.textContent = words.say("notPossible")
        else notice(words.say("notPossible"))
    }
}

let noticeEnds = null
function notice(text) {
    const place = byID("notice")
    place.textContent = text
    enter(place, "translateY(-60%)")
    clearTimeout(noticeEnds)
    noticeEnds = setTimeout(() => leave(place, "translateY(-60%)"), noticeStays)
}

let saysEnds = null
function say(text) {
    const place = byID("says")
    delete place.dataset.hint
    place.textContent = text
    enter(place, "translateY(20%)")
    clearTimeout(saysEnds)
    saysEnds = setTimeout(hint, saysFor)
}

/** What this visitor has done with the cat that is there: what was done needs no hint. */
const tried = { stroke: false, phone: false }

/** What there is to do, while nothing is said. */
function hint() {
    byID("says").dataset.hint = ""
    const name = document.body.dataset.view !== "today" ? null : state?.condition === "dead" ? "hintAsleep"
        : tried.stroke ? (tried.phone ? null : "hintPhone") : tried.phone ? "hintStroke" : "hint"
    byID("says").textContent = name === null ? "" : words.say(name)
}
const hintAnew = () => { if ("hint" in byID("says").dataset) hint() }
fingers.on("moved", () => { tried.stroke ||= "stroked" in byID("stage").dataset })
fingers.on("ended", hintAnew)

/** How the cat is when it says something is told after it. */
const unplaced = []

function show(next) {
    // Another cat has come: its phone is as nobody has touched it, and it is met where it sits.
    if (state !== null && state.isOwn !== next.isOwn) {
        phone.home()
        Object.assign(tried, { stroke: false, phone: false })
        if (document.body.dataset.view !== "today") goTo("today")
    }
    state = next
    // A visitor of minutes has no days and no week behind them, and the house's choices are not theirs.
    document.querySelector('nav [data-view="week"]').hidden = state.isOwn !== undefined
    goodNight.follow(state)
    byID("begin").dataset.offers = offer(state)
    byID("begin").textContent = words.say({ meet: "getToKnow", own: "ownCat", leave: "leaveCat" }[offer(state)])
    for (const message of unplaced.splice(0)) timeline.heard(message, state)
    document.body.dataset.condition = state.condition
    hintAnew()
    cat.show(state)
    health.show(state)
    phone.show(state)
    const streak = document.querySelector("#top .streak")
    streak.hidden = state.streak === 0 || state.isOwn !== undefined
    streak.textContent = words.say("streak", { count: state.streak })
}

async function drawView() {
    const view = document.body.dataset.view
    if (view === "timeline") timeline.show(state, await engine.ask("kitty.history"))
    if (view === "week") {
        const [now, days, { steps }] = await Promise.all(["kitty.state", "kitty.week", "kitty.onboarding"].map(query => engine.ask(query)))
        week.show(now, days, steps)
    }
}

async function goTo(view) {
    document.body.dataset.view = view
    for (const button of document.querySelectorAll("nav button")) button.setAttribute("aria-pressed", String(button.dataset.view === view))
    for (const id of ["timeline", "week"]) byID(id).hidden = id !== view
    for (const id of ["health", "phone"]) byID(id).hidden = view !== "today"
    hintAnew()
    await quietly(drawView())
}

async function takeUp() {
    show(await engine.ask("kitty.state"))
    await drawView()
}

for (const button of document.querySelectorAll("nav button")) button.addEventListener("click", () => goTo(button.dataset.view))
byID("begin").addEventListener("click", () => {
    switch (offer(state)) {
    case "own": return quietly(Promise.all([phone.putAway(), onboarding.openBefore("quick", guest)]))
    case "leave": return act("household.enter", {})
    default: return quietly(onboarding.open(wishes.get("onboarding") ?? undefined))
    }
})
byID("onboarding").addEventListener("close", () => quietly(takeUp()))

engine.on("up", () => quietly(takeUp()))
engine.on("cat", next => withSound(() => {
    show(next)
    if (document.body.dataset.view === "timeline") quietly(drawView())
}))
engine.on("day", () => withSound(() => {
    cat.morning()
    goodNight.dayBegan()
}))
engine.on("lost", lost => withSound(() => {
    cat.flinch(byID("phone"))
    health.lose(lost)
    // What it said while it was better does not fit any more. What it says of this loss comes after.
    tried.phone = true
    hint()
    notice(lost.text[words.language])
}))
engine.on("shield", ({ text }) => withSound(() => notice(text[words.language])))
engine.on("streak", ({ achievements }) => withSound(() => notice(words.say("achieved", { name: words.say(`got-${achievements.at(-1)}`) }))))
engine.on("message", message => withSound(() => {
    unplaced.push(message)
    goodNight.heard(message)
    say(message.text[words.language])
}))
// The cat's clock and its use go on without an announcement, and a day of minutes goes fast.
let refreshed = 0
setInterval(() => {
    refreshed += refreshOwnEvery
    if (!state?.isOwn && refreshed < refreshEvery) return
    refreshed = 0
    if (engine.isUp) quietly(engine.ask("kitty.state").then(show))
}, refreshOwnEvery)
visit.on("over", () => throughDark(async () => {
    onboarding.restart()
    phone.home()
    Object.assign(tried, { stroke: false, phone: false })
    await goTo("today")
    await quietly(takeUp())
}))

hint()
goTo("today")
await Captions.show(engine)
await Explorer.start(engine, fingers)
engine.connect()
