// Unhooked's page. It draws what the engine tells it, and has no rule of its own.

import { performDefaultActions } from "../kit/default-actions.js"
import { element } from "../kit/elements.js"
import { Captions } from "../kit/captions.js"
import { Engine, engineAddress, engineToken } from "../kit/engine.js"
import { Frames } from "../kit/frames.js"
import { Calm, Countdown, leanIn, throughDark } from "../kit/presence.js"
import { Explorer } from "../kit/explore.js"
import { Fingers, makeKiosk } from "../kit/touch.js"
import { Visit } from "../kit/visit.js"
import { Words } from "../kit/words.js"
import { Farewell } from "./farewell.js"
import { fly } from "./flight.js"
import { FoodShop } from "./food.js"
import { Home } from "./home.js"
import { dish, icon } from "./icons.js"
import { Memories } from "./memories.js"
import { amount, brought, duration, isOurs, span } from "./money.js"
import { Newcomer } from "./newcomer.js"
import { Notices } from "./notices.js"
import { Pet } from "./pet.js"
import { press } from "./press.js"
import { Room } from "./room.js"
import { Settings } from "./settings.js"
import { Away, dayLasts } from "./walkup.js"
import { Wardrobe } from "./wardrobe.js"

const refreshEvery = 2000 // milliseconds
const views = ["home", "food", "wardrobe", "memories", "settings"]

const wishes = new URLSearchParams(location.search)
if (wishes.has("kiosk")) document.documentElement.dataset.kiosk = ""
if (wishes.get("type") === "large") document.documentElement.dataset.type = "large"

const words = await Words.load(new URL("lang/", import.meta.url), ["en", "de"])
document.documentElement.lang = words.language
words.fill(document)
makeKiosk(document)

const byID = id => document.getElementById(id)
const engine = new Engine(engineAddress(location), {
    name: "unhooked", token: engineToken(location), touches: wishes.has("kiosk") && wishes.get("touches") !== "page" ? "engine" : "page",
    topics: ["session", "pet", "day-over", "day-begun", "health", "growth", "meal", "purchase", "gems", "recovery", "memorial", "movement",
        "earned", "away", "treat", "wall", "state", ...Captions.topics, ...Explorer.topics],
})
const frames = new Frames(engine)
const fingers = new Fingers(document, engine, { surface: "#pet" })
performDefaultActions(fingers)
const visit = new Visit(engine)
let state = null
/** What this page has entered by; null for the exhibition's own pet. To the engine a connection that comes back is a stranger's. */
let entered = null

/** What the house's pet is called. */
let house = null

const notices = new Notices(byID("notices"), 1)
const movements = new Notices(byID("movements"), 2)
const room = new Room(byID("stage"))
const pet = new Pet(byID("pet"), fingers, frames, words)
const newcomer = new Newcomer(byID("newcomer"), words, { act, pay, enter, chosen })
const home = new Home(byID("home"), words, { act, pay, welcome: action => newcomer.open(action, state, house), adoptOwn, finish })
const food = new FoodShop(byID("food"), words, pay)
const wardrobe = new Wardrobe(byID("wardrobe"), words, { act, pay, again: () => quietly(drawView()) })
const memories = new Memories(byID("memories"), byID("memory"), words, act)
const settings = new Settings(byID("settings"), words, { act, enter })
const farewell = new Farewell({ stage: byID("stage"), epitaph: byID("epitaph"), flower: byID("flower") }, words, draw)

const away = new Away(byID("away"), words, fingers, visit)

leanIn(visit, isThere => pet.notice(isThere))
new Countdown(visit)
new Calm(engine)

const quietly = promise => promise.catch(() => {})
/** Sound leads: what is seen of an event waits as long as its sound takes. */
const withSound = draw => setTimeout(draw, engine.greeting.latencyMilliseconds)

/** Asks the engine for an action; false where it was refused, which is said. */
async function act(action, fields) {
    away.restart()
    try {
        await engine.ask(action, fields)
        await refresh()
        return true
    } catch ({ reason }) {
        notices.show("care", words.say({ "secret-needed": "secretNeeded", "secret-wrong": "secretWrong", "not-yet": "othersAreHere" }[reason] ?? "notPossible"), { kind: "bad" })
        return false
    }
}

/** Goes on with another household's pet, or with the exhibition's. */
async function enter(fields) {
    const isDone = await act("unhooked.enter", fields)
    if (isDone) entered = fields.household ? fields : null
    return isDone
}

/** A visitor of a walk-up wants a pet of their own: a guest's, which begins anew. */
function adoptOwn() { newcomer.open("own", state, house) }

/** Somebody has chosen who lives here. A visitor of minutes is told how long a day is now. */
function chosen() {
    home.chosen(state)
    if (state.walkUp) tellDays()
}

function tellDays() {
    const lasts = dayLasts(state)
    if (lasts === null) return void setTimeout(tellDays, refreshEvery)
    notices.show("sun", words.say("daysLast", { time: duration(words, lasts) }))
}

/** The visitor's own pet goes to the wall, where it is seen. */
async function finish() {
    // What waits to be told was its own.
    notices.clear()
    if (await enter({})) await goTo("memories")
}

/** The same household again after the connection broke. */
async function enterAgain() {
    await refresh()
    if (entered === null) return
    if (state.household === "home") entered = null
    if (state.household !== undefined) return
    await engine.ask("unhooked.enter", entered)
    await refresh()
}

/** The same for what costs something. Its button waits for the answer. */
async function pay(button, action, fields = {}) {
    if (button.getAttribute("aria-busy") === "true") return false
    button.setAttribute("aria-busy", "true")
    away.restart()
    try {
        await press(engine, action, fields, { household: state.household })
        return true
    } catch {
        notices.show("care", words.say("notPossible"), { kind: "bad" })
        return false
    } finally {
        button.removeAttribute("aria-busy")
        await quietly(refresh())
    }
}

function show(next) {
    const isOther = state !== null && state.household !== next.household
    state = next
    if (isOther) home.forget()
    if (state.household === "home") house = state.name
    if (farewell.follow(state)) {
        newcomer.close()
        memories.close()
        notices.clear()
        movements.clear()
        goTo("home")
    }
    draw()
}

function draw() {
    document.body.dataset.condition = state.condition
    // What can be set, and the books, are the house's: a visitor of minutes has no use for them.
    const isWalkUp = state.walkUp !== undefined
    document.body.toggleAttribute("data-walk-up", isWalkUp)
    document.querySelector('nav [data-view="settings"]').hidden = isWalkUp
    const seen = { ...state, condition: farewell.condition }
    room.show(seen)
    pet.show(seen)
    // What can be done for it is not told while it dies.
    if (seen.condition !== "dying") home.show(state)
    away.show(state)
    document.querySelector("#top h1").textContent = state.name
    document.querySelector("#top .who p").textContent = words.say("ageAndStage", { count: state.age, stage: words.say(`stage-${state.stage}`) })
    byID("wallets").replaceChildren(...isOurs(state) ? ["energy", "gems"].map(currency => element("li", {}, amount(words, currency, state[currency]))) : [])
}

const drawn = {}
async function drawView() {
    const view = document.body.dataset.view
    const ask = { food: "unhooked.shop", wardrobe: "unhooked.shop", memories: "unhooked.memorial", settings: "unhooked.ledger" }[view]
    if (!ask) return
    // Nobody else is told of a household's money.
    const answer = view === "settings" && !isOurs(state) ? null : await engine.ask(ask)
    const wall = view === "memories" && state.walkUp ? await engine.ask("unhooked.wall") : null
    // What is the same is not drawn again: somebody may be pressing it. No view but home shows the clock, or what Gems heal.
    const { time, dayEndsIn, cure, revive, restart, ...looks } = state
    const now = JSON.stringify([answer, wall, view === "memories" ? null : looks, view === "wardrobe" ? wardrobe.category : null])
    if (drawn[view] === now) return
    drawn[view] = now
    if (view === "food") food.show(state, answer)
    if (view === "wardrobe") wardrobe.show(state, answer)
    if (view === "memories") memories.show(answer, wall)
    if (view === "settings") settings.show(state, answer)
}

async function refresh() {
    show(await engine.ask("unhooked.state"))
    await drawView()
}

async function goTo(view) {
    document.body.dataset.view = view
    for (const button of document.querySelectorAll("nav button")) button.setAttribute("aria-pressed", String(button.dataset.view === view))
    for (const name of views) byID(name).hidden = name !== view
    byID(view).scrollTop = 0
    notices.turn()
    await quietly(drawView())
}

document.querySelector("nav").append(...views.map(view => element("button", { type: "button", "data-view": view, "aria-pressed": "false", onclick: () => goTo(view) },
    icon(view), element("span", {}, words.say(`go-${view}`)))))

// What is told.

const told = (topic, draw) => engine.on(topic, body => withSound(() => draw(body)))
engine.on("up", () => quietly(enterAgain()))
told("pet", next => {
    show(next)
    quietly(drawView())
})
told("movement", ({ movement }) => {
    for (const currency of ["energy", "gems"]) {
        const value = brought(movement, currency)
        // What the guest before has left is nobody's news.
        if (value !== 0 && movement.kind !== "returned" && !(movement.kind === "award" && farewell.isUnderWay)) movements.show(currency, words.say(`moved-${movement.kind}`), { topic: "movement", figure: amount(words, currency, value, true) })
    }
})
// No day and no wallet is told beside a death.
told("day-over", ({ energy, usedMinutes, limitMinutes, isFed, condition }) => {
    if (condition === "dead") return farewell.told()
    notices.show(energy === 0 ? "phone" : "sun", energy === undefined ? words.say("dayIsOver") : words.say(energy === 0 ? "dayOverNothing" : "dayOver", { count: energy }), {
        topic: "day-over", kind: energy > 0 ? "good" : "plain",
        detail: [typeof usedMinutes === "number" ? words.say("usedOf", { used: span(words, usedMinutes), limit: span(words, limitMinutes) }) : words.say("nothingTold"), words.say(isFed ? "wasFedToday" : "wasNotFed")].join(" · "),
    })
})
told("day-begun", ({ daysOff }) => {
    home.forget()
    if (!farewell.isUnderWay) notices.show("sun", words.say("dayBegun"), { topic: "day-begun", detail: daysOff > 0 ? words.say("daysOff", { count: daysOff }) : null })
})
told("health", ({ health, text }) => {
    if (health === "dead") return farewell.told()
    notices.show(health === "sick" ? "care" : "heart", text[words.language], { topic: "health", kind: health === "healthy" ? "good" : "bad" })
})
told("growth", ({ stage }) => notices.show("growth", words.say("grew", { name: state.name, stage: words.say(`stage-${stage}`) }), { topic: "growth", kind: "good" }))
told("meal", ({ animation, food, isFed }) => {
    const from = document.querySelector(`#food [data-food="${CSS.escape(food)}"] .dish-icon`)
    fly(dish(food), from?.checkVisibility() ? from : document.querySelector("nav"), byID("pet")).then(() => pet.eat(animation))
    notices.show("food", words.say("ate", { name: state.name }), { topic: "meal", kind: "good", detail: words.say(isFed ? "feeds" : "feedsNot") })
})
told("purchase", () => notices.show("gift", words.say("bought"), { topic: "purchase", kind: "good" }))
told("gems", ({ gems, isRefund }) => notices.show("gems", words.say(isRefund ? "gemsRefunded" : "gemsBought", { count: gems }), { topic: "gems", kind: isRefund ? "plain" : "good" }))
told("recovery", ({ recovery, gems }) => notices.show("heart", words.say(gems === 0 ? "did-revive-house" : `did-${recovery}`, { name: state.name }), { topic: "recovery", kind: "good" }))
told("memorial", ({ grave }) => notices.show("flower", words.say("remembered", { name: grave.name }), { topic: "memorial", detail: words.say("livedFor", { count: grave.days, stage: words.say(`stage-${grave.stage}`) }) }))

told("earned", ({ energy, usedMinutes, limitMinutes }) => notices.show(energy === 0 ? "phone" : "sun", energy === undefined ? words.say("told") : words.say(energy === 0 ? "earnedNothing" : "earnedNow", { count: energy }), {
    topic: "earned", kind: energy > 0 ? "good" : "plain", detail: words.say("usedOf", { used: span(words, usedMinutes), limit: span(words, limitMinutes) }),
}))
told("away", ({ gems }) => {
    away.restart()
    notices.show("moon", words.say("stayedAway", { count: gems }), { topic: "away", kind: "good" })
})
told("treat", ({ goodDays }) => {
    pet.eat("munch")
    notices.show("food", words.say("treated", { name: state.name }), { topic: "treat", kind: "good", detail: words.say("byGoodDays", { count: goodDays }) })
})
told("wall", ({ portrait }) => notices.show("picture", words.say("hung", { name: portrait.name }), { topic: "wall", detail: words.say("livedFor", { count: portrait.days, stage: words.say(`stage-${portrait.stage}`) }) }))

// The pet's clock goes on without an announcement.
setInterval(() => { if (engine.isUp) quietly(refresh()) }, refreshEvery)
visit.on("over", () => throughDark(async () => {
    entered = null
    newcomer.close()
    memories.close()
    notices.clear()
    movements.clear()
    farewell.close()
    home.forget()
    document.activeElement?.blur()
    await goTo("home")
    await quietly(refresh())
}))

goTo("home")
await Captions.show(engine)
await Explorer.start(engine, fingers)
engine.connect()
