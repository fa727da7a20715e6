// ColorScroller's page. It draws what the engine tells it, and has no rule of its own.

import { performDefaultActions } from "../kit/default-actions.js"
import { Captions } from "../kit/captions.js"
import { Engine, engineAddress, engineToken } from "../kit/engine.js"
import { Explorer } from "../kit/explore.js"
import { Fingers, makeKiosk } from "../kit/touch.js"
import { Frames } from "../kit/frames.js"
import { isCalm } from "../kit/motion.js"
import { Beckoning, Calm, Countdown, leanIn, throughDark } from "../kit/presence.js"
import { Visit } from "../kit/visit.js"
import { Words } from "../kit/words.js"
import { Board, nextAhead } from "./board.js"
import { Course } from "./course.js"
import { Feed } from "./feed.js"
import { celebrate, Taunts, tire, Toasts } from "./moments.js"
import { Panel } from "./panel.js"
import { nag, promptMaker } from "./prompt.js"
import { enliven } from "./rivals.js"
import { Sheet } from "./sheet.js"

const ahead = 12

const wishes = new URLSearchParams(location.search)
if (wishes.has("kiosk")) document.documentElement.dataset.kiosk = ""
if (wishes.get("type") === "large") document.documentElement.dataset.type = "large"

const words = await Words.load(new URL("lang/", import.meta.url), ["en", "de"])
document.documentElement.lang = words.language
words.fill(document)
document.getElementById("feed").dataset.exploreLabel = words.say("nextCard")
makeKiosk(document)

const engine = new Engine(engineAddress(location), {
    name: "colorscroller", token: engineToken(location), touches: wishes.has("kiosk") && wishes.get("touches") !== "page" ? "engine" : "page",
    topics: ["session", "scroll", "unlock", "toast", "intervention", "leaderboard", "held", "rank", "reset", "state", "counters", ...Captions.topics, ...Explorer.topics],
})
const frames = new Frames(engine)
const fingers = new Fingers(document, engine, { surface: "#feed, #pill, #corner, #beckon, #countdown", touchscreen: wishes.get("touchscreen") })
performDefaultActions(fingers)
const visit = new Visit(engine)
const board = new Board(words)
const feed = new Feed(document.getElementById("feed"), {
    board: document.getElementById("board"), makePrompt: promptMaker(words), fingers, frames,
})
/** A sheet covers the card. */
const tellToasts = () => toasts.moved(sheet.isOpen ? undefined : feed.card(feed.index)?.skin?.name)
const sheet = new Sheet(words, fingers, () => engine.ask("feed.inventory"), tellToasts)
const toasts = new Toasts(words)
const taunts = new Taunts(words)
const course = new Course()
/** Cards viewed in this visit. */
let viewed = 0
function setViewed(count) {
    viewed = count
    board.setViewed(count)
    const [figure, unit] = document.getElementById("count").children
    figure.textContent = words.number.format(count)
    unit.textContent = words.say("cardsViewed", { count })
    document.getElementById("count").hidden = count === 0
}

let lastRank = 1

/** Among the rivals, 1 for the best. Returns whether it is better than before. */
function setRank(rank) {
    const isBetter = rank < lastRank
    lastRank = rank
    const place = document.querySelector("#count .rank")
    const text = `#${words.number.format(rank)}`
    if (text === place.textContent) return false
    place.textContent = text
    if (!isCalm()) place.animate([{ transform: "translateY(-70%)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 220, easing: "cubic-bezier(0.2, 0.9, 0.3, 1)" })
    return isBetter
}

/** Skins that were unlocked, by name, so that a toast can show what it is about. */
const unlocked = new Map()

new Panel(words, engine, fingers, frames)
new Beckoning(visit)
leanIn(visit)
new Countdown(visit)
new Calm(engine)
nag(feed)
enliven(board, () => feed.index === 0 && !document.hidden)

/** Sound leads: what is seen of an event waits as long as its sound takes. */
const withSound = act => setTimeout(act, engine.greeting.latencyMilliseconds)

async function takeUp() {
    const [state, leaderboard, inventory] = await Promise.all(["feed.state", "feed.leaderboard", "feed.inventory"].map(method => engine.ask(method)))
    const { cards } = await cardsAround(state.index)
    setViewed(state.blocksViewed)
    course.restart(state.index)
    feed.restart(state.index, cards)
    hold(state)
    setRank(state.rank)
    tireBy(state.toneLevel)
    board.show(leaderboard)
    unlocked.clear()
    sheet.setCount(0)
    for (const skin of [...inventory.common, ...inventory.rare, ...inventory.special].slice(-3)) sheet.add(skin)
    sheet.setCount(state.unlockCount)
}

/** The feed stands still until then, by the engine's clock. */
function hold({ pausedUntilMonotonic }) {
    const until = pausedUntilMonotonic === undefined ? null : engine.clock.toPage(pausedUntilMonotonic)
    if (until !== null) feed.hold(until - performance.now())
}

/** From silence at −60 dBFS to the loudest that a theme has, −6. */
const tireBy = level => tire(Math.min(1, Math.max(0, (level + 60) / 54)))

function correct(index) {
    if (index === null) return
    feed.goTo(index)
    fetchAhead()
}

/** Cards from the one before on, as far as there are any. */
const cardsAround = index => engine.ask("feed.cards", { first: Math.max(0, index - 1), count: ahead + 2 })

async function fetchAhead() {
    const isComplete = Array.from({ length: ahead + 1 }, (_, n) => feed.index + n).every(index => feed.card(index))
    if (!isComplete) feed.put((await cardsAround(feed.index)).cards)
}

const quietly = promise => promise.catch(() => {})

engine.on("up", () => quietly(takeUp().then(() => feed.freeze(false))))
engine.on("down", () => feed.freeze(true))

/** The page has gone on, and the engine may yet say otherwise. */
async function wentAhead(answer) {
    course.sent()
    await quietly(answer)
    correct(course.answered(feed.index))
}

feed.on("swiped", finger => wentAhead(finger.answer))
feed.on("stepped", index => wentAhead(engine.ask("feed.scroll", { index })))
feed.on("shown", index => {
    const card = feed.card(index)
    const skin = card?.skin
    tellToasts()
    document.getElementById("spoken").textContent = skin ? words.say("cardSpoken", { name: skin.name, rarity: words.say(skin.rarity) })
        : card?.face === "gray" ? words.say("gray") : ""
})

engine.on("scroll", ({ cardIndex, unlockCount, blocksViewed }) => {
    setViewed(blocksViewed)
    sheet.setCount(unlockCount)
    correct(course.told(cardIndex, feed.index))
    quietly(fetchAhead())
})
engine.on("held", held => {
    hold(held)
    feed.bump()
})
engine.on("rank", ({ rank, passed }) => {
    if (setRank(rank) && passed) withSound(() => taunts.show({ rival: passed, standing: "passed" }))
})
engine.on("unlock", ({ skin, ...pause }) => {
    hold(pause)
    unlocked.set(skin.name, skin)
    sheet.add(skin)
    withSound(() => celebrate(skin, feed.view))
})
engine.on("toast", toast => withSound(() => toasts.show(toast, unlocked.get(toast.name))))
engine.on("intervention", ({ reward, ...taunt }) => {
    if (reward) feed.put([reward])
    if (taunt.rival) withSound(() => taunts.show(taunt))
})
engine.on("leaderboard", leaderboard => board.show(leaderboard))
engine.on("state", ({ tone }) => tireBy(tone.level))
// Somebody may have turned a knob since the cards were asked for.
engine.on("session", ({ phase }) => { if (phase === "began") quietly(cardsAround(feed.index).then(({ cards }) => feed.put(cards))) })
visit.on("changed", ({ state }) => board.setAwaiting(state === "away"))
// Who is about to leave is told how little is missing.
visit.on("changed", ({ state }) => {
    if (state !== "leaving") return
    const next = nextAhead(board.told, viewed)
    const hook = document.querySelector("#countdown .hook")
    hook.hidden = next === null
    if (next) hook.textContent = words.say("leaving", next)
})
const beginAnew = () => throughDark(() => quietly(takeUp()))
visit.on("over", beginAnew)
engine.on("reset", beginAnew)

await Captions.show(engine)
await Explorer.start(engine, fingers)
engine.connect()
