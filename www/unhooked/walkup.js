// An exhibition's visit: a pet of one's own for a week of minutes, what one did today, and Gems for hands off the screen.

import { drawing, element } from "../kit/elements.js"
import { isCalm } from "../kit/motion.js"
import { untilMidnight } from "./light.js"
import { amount, isOurs } from "./money.js"

/** The household of whoever says no name. */
export const guest = "guest"

/** What a day on the phone is made of, in minutes. */
export const apps = [["feed", 150], ["videos", 120], ["games", 60], ["chats", 45], ["maps", 15]]

/** Days after which a week is over. */
const week = 7
const hatches = 1300 // milliseconds
const egg = `<svg class="egg" viewBox="0 0 100 120" aria-hidden="true"><path class="shell" d="M50 6C78 6 94 48 94 74C94 100 76 114 50 114C24 114 6 100 6 74C6 48 22 6 50 6Z"/><path class="crack" d="M6 66L22 56L34 72L48 54L62 72L76 56L94 66"/></svg>`

/** What the line above a pet is made of: whose it is, and the way to one's own or to the wall. */
export function line(state, words, home) {
    const { walkUp, name, age } = state
    if (!walkUp.isOwn) {
        return [element("div", {}, element("h2", {}, words.say("ownPet")), element("p", {}, words.say(walkUp.isRevived ? "houseRevived" : "ownPetText", { name }))),
            element("button", { type: "button", class: "do", id: "own", onclick: home.adoptOwn }, words.say("adoptOwn"))]
    }
    if (!isOurs(state)) return []
    // On its first day the line stands already, so that nothing moves when the way to the wall opens.
    return [element("div", {}, element("h2", {}, words.say(age > week ? "weekIsOver" : "dayOfWeek", { day: age, name })), element("p", {}, words.say(walkUp.canAdopt ? "firstDayText" : "wallText", { name }))),
        ...walkUp.canAdopt ? [] : [element("button", { type: "button", class: "do quiet", id: "finish", onclick: () => home.leave(true) }, words.say("toWall"))]]
}

/** The same line while it asks whether the pet shall go to the wall. Who taps twice stays. */
export function farewellLine({ name }, words, home) {
    return [element("div", {}, element("h2", {}, words.say("goodbye", { name })), element("p", {}, words.say("goodbyeText", { name }))),
        element("button", { type: "button", class: "do quiet", id: "hang", onclick: home.finish }, words.say("toWall")),
        element("button", { type: "button", class: "do", id: "stay", onclick: () => home.leave(false) }, words.say("stay"))]
}

/** How long a day of its clock lasts in seconds, to five; null at its very end, when the clock does not tell. */
export function dayLasts({ time, dayEndsIn }) {
    const { hours, minutes } = untilMidnight(time)
    const left = (60 * hours + minutes) / (24 * 60)
    return left < 0.02 ? null : Math.max(5, Math.round(dayEndsIn / left / 5) * 5)
}

/** By what the line differs, so that a button that somebody may be pressing stays. */
export const lineOf = state => JSON.stringify([state.walkUp ?? null, state.name, state.age, isOurs(state)])

/** An egg that hatches at once, in the place of what `root` holds. */
export async function hatch(root) {
    root.replaceChildren(element("div", { class: "hatching", role: "img" }, drawing(egg)))
    await new Promise(resolve => setTimeout(resolve, isCalm() ? 200 : hatches))
}

/** How many whole seconds hands are to stay off yet; null while nothing is counted. `since` is when they went, in milliseconds. */
export function secondsLeft({ away }, since, now) {
    if (!away || away.left === 0 || since === null) return null
    return Math.max(0, Math.ceil(away.seconds - (now - since) / 1000))
}

/** Counts the seconds without hands, and says so. */
export class Away {
    #since = null
    #down = 0
    #state = null

    constructor(root, words, fingers, visit) {
        Object.assign(this, { root, words, visit })
        fingers.on("began", () => {
            this.#down += 1
            this.#since = null
        })
        fingers.on("ended", () => {
            this.#down = Math.max(0, this.#down - 1)
            this.restart()
        })
        visit.on("changed", ({ state }) => { if (state === "away") this.#since = null })
        setInterval(() => this.#draw(), 250)
    }

    /** Somebody has done something, or it has just earned Gems. */
    restart() { if (this.#down === 0) this.#since = performance.now() }

    show(state) {
        this.#state = state
        this.#draw()
    }

    #draw() {
        const left = this.#state && this.visit.state !== "away" && isOurs(this.#state) ? secondsLeft(this.#state, this.#since, performance.now()) : null
        this.root.hidden = left === null
        const drawn = JSON.stringify([left, this.#state?.away])
        if (left === null || this.root.dataset.drawn === drawn) return
        this.root.dataset.drawn = drawn
        this.root.replaceChildren(element("span", {}, this.words.say("handsOff", { count: left })), amount(this.words, "gems", this.#state.away.gems, true))
    }
}
