// How the pet is, what can be done for it, and the day: screen time, what it would earn, and when it ends.

import { element } from "../kit/elements.js"
import { stages } from "./drawing.js"
import { icon } from "./icons.js"
import { lightAt, untilMidnight } from "./light.js"
import { amount, isOurs, price, span, whyNot } from "./money.js"
import { apps, farewellLine, line, lineOf } from "./walkup.js"

const step = 5, leastRange = 240, walkUpRange = 720 // minutes

/** A quarter of 100: 0 to 3. */
export const quarter = points => Math.min(3, Math.floor(points / 25))

export class Home {
    /** Minutes that are dialled and not yet told. */
    #dialled = null
    #parts = null
    /** Whether somebody is asked if their pet shall go to the wall. */
    #isLeaving = false
    /** Households whose first pet somebody has chosen. The engine still lets another be chosen until it has eaten. */
    #chosen = new Set()

    /** `act` asks the engine for an action; `pay` for one that costs something; `welcome` opens the choice of a pet. In a walk-up `adoptOwn`
     *  goes to a pet of the visitor's own, and `finish` has it go to the wall. */
    constructor(root, words, { act, pay, welcome, adoptOwn, finish }) { Object.assign(this, { root, words, act, pay, welcome, adoptOwn, finish }) }

    show(state) {
        this.state = state
        this.#parts ??= this.#build()
        this.#line()
        this.#banner()
        this.#meters()
        this.#day()
    }

    forget() { this.#dialled = null }

    /** Asks whether the visitor's pet shall go to the wall, or asks no longer. */
    leave(isLeaving) {
        this.#isLeaving = isLeaving
        this.#line()
    }

    /** Somebody has chosen who lives in this household: nobody is asked again. */
    chosen({ household }) {
        this.#chosen.add(household)
        this.#banner()
    }

    #build() {
        const say = (...what) => this.words.say(...what)
        const meter = name => element("div", { class: "meter", "data-meter": name }, element("span", { class: "name" }, icon({ fullness: "food", mood: "heart", growth: "growth" }[name]),
            element("span", { class: "unseen" }, say(name)), element("strong")), element("div", { class: "bar", role: "meter", "aria-label": say(name), "aria-valuemin": 0, "aria-valuemax": 100 }, element("i")))
        const dial = element("input", { type: "range", min: 0, step, "aria-label": say("screenTime"), oninput: () => this.#dial(Number(dial.value)) })
        const button = (by, text) => element("button", { type: "button", class: "round", "aria-label": say(text), onclick: () => this.#dial(this.#minutes() + by) }, by < 0 ? "−" : "+")
        this.root.replaceChildren(
            element("div", { class: "banner walkup", hidden: true }),
            element("div", { class: "banner state", role: "status" }),
            element("div", { class: "meters" }, ["fullness", "mood", "growth"].map(meter)),
            element("div", { class: "today" },
                element("div", { class: "handset", "aria-hidden": "true" }, element("div", { class: "glass" }, element("i"), element("b"), element("span"))),
                element("div", { class: "use" }, element("h2", {}, say("screenTime")), element("p", { class: "limit" }),
                    element("div", { class: "dial" }, button(-step, "less"), element("div", { class: "track" }, dial, element("i", { class: "mark", "aria-hidden": "true" })), button(step, "more")),
                    element("div", { class: "choice apps", role: "group", "aria-label": say("didToday"), hidden: true }, apps.map(([name, minutes]) =>
                        element("button", { type: "button", "data-app": name, onclick: () => this.#dial(this.#minutes() + minutes) }, say(`app-${name}`), " +", span(this.words, minutes)))),
                    element("button", { type: "button", class: "do tell", onclick: () => this.#tell() })),
                element("div", { class: "earns" }, element("p", { class: "due" }), element("p", { class: "eaten" }))),
            element("div", { class: "dayline" }, element("span", { class: "orb" }), element("div", { class: "bar", "aria-hidden": "true" }, element("i")), element("p")))
        return { dial, banner: this.root.querySelector(".banner.state") }
    }

    #part(place) { return this.root.querySelector(place) }

    #line() {
        const { state, words } = this
        const place = this.#part(".walkup")
        if (!state.walkUp?.isOwn) this.#isLeaving = false
        const drawn = this.#isLeaving ? `leaving ${state.name}` : lineOf(state)
        if (place.dataset.drawn === drawn) return
        place.dataset.drawn = drawn
        place.replaceChildren(...!state.walkUp ? [] : this.#isLeaving ? farewellLine(state, words, this) : line(state, words, this))
        place.hidden = place.childElementCount === 0
    }

    // What can be done.

    #banner() {
        const { state, words } = this
        const isAsked = isNew(state) && !this.#chosen.has(state.household)
        const kind = state.condition === "dead" ? "dead" : state.condition === "sick" ? "sick" : isAsked ? "new" : state.condition === "fragile" ? "fragile" : null
        const banner = this.#parts.banner
        const remedies = isOurs(state) ? ["cure", "revive", "restart"] : []
        const drawn = JSON.stringify([kind, isOurs(state), state.name, state.unfedDays, remedies.map(name => [state[name].gems, state[name].isOffered, state[name].left])])
        if (banner.dataset.drawn === drawn) {
            // How long there is to wait changes at any moment. A button that somebody may be pressing stays.
            for (const why of banner.querySelectorAll("[data-why]")) why.textContent = whyNot(words, state[why.dataset.why], state)
            return
        }
        banner.dataset.drawn = drawn
        banner.hidden = kind === null
        if (kind === null) return void banner.replaceChildren()
        banner.dataset.kind = kind
        /** A button where it can be had; where not, a line that says what it takes and what is missing. */
        const remedy = (name, press) => {
            if (!isOurs(state)) return element("div", { class: "remedy" }, element("small", {}, words.say("notYours")))
            const offer = state[name]
            const reason = whyNot(words, offer, state)
            if (reason) {
                return element("p", { class: "beyond" }, element("span", {}, words.say(name)), price(words, offer), element("small", { id: `why-${name}`, "data-why": name }, reason))
            }
            return element("div", { class: "remedy" },
                element("button", { type: "button", class: "do", "data-remedy": name, onclick: ({ currentTarget }) => press(currentTarget) }, words.say(name), price(words, offer)),
                offer.left !== undefined ? element("small", {}, words.say("timesLeft", { count: offer.left })) : null)
        }
        const isHopeless = !["revive", "restart"].some(name => state[name].isOffered)
        const title = (key, mark, text) => [icon(mark), element("div", {}, element("h2", {}, words.say(key, { name: state.name })), element("p", {}, text))]
        banner.replaceChildren(...{
            sick: () => [...title("isSick", "care", words.say("sickText", { count: state.unfedDays })), remedy("cure", button => this.pay(button, "unhooked.cure"))],
            dead: () => [...title("isDead", "flower", words.say(!isHopeless ? "deadText" : state.away ? "deadTextAway" : "deadTextHopeless", { name: state.name })), remedy("revive", button => this.pay(button, "unhooked.revive")), remedy("restart", () => this.welcome("restart"))],
            fragile: () => title("isFragile", "care", words.say("fragileText")),
            new: () => [...title("isNew", "heart", words.say("newText")), isOurs(state)
                ? element("div", { class: "remedy" }, element("button", { type: "button", class: "do", id: "choose", onclick: () => this.welcome("adopt") }, words.say("choosePet"))) : null].filter(part => part !== null),
        }[kind]())
    }

    #meters() {
        const { state, words } = this
        const growth = state.nextStageIn ?? null
        const draw = (name, part, text, value) => {
            const meter = this.#part(`[data-meter=${name}]`)
            meter.querySelector("strong").textContent = text
            meter.querySelector("i").style.transform = `scaleX(${part})`
            meter.querySelector(".bar").setAttribute("aria-valuenow", Math.round(part * 100))
            meter.querySelector(".bar").setAttribute("aria-valuetext", text)
            meter.dataset.low = String(value < 25)
        }
        this.#part(".meters").hidden = state.condition === "dead"
        draw("fullness", state.fullness / 100, words.say(`full-${quarter(state.fullness)}`), state.fullness)
        draw("mood", state.mood / 100, words.say(`mood-${quarter(state.mood)}`), state.mood)
        draw("growth", growth === null ? 1 : state.fedDays / (state.fedDays + growth), growth === null ? words.say(`stage-${state.stage}`)
            : words.say("untilNext", { stage: words.say(`stage-${stages[stages.indexOf(state.stage) + 1]}`), count: Math.ceil(growth) }), 100)
    }

    // The day.

    /** What was told and stays: in a walk-up, what others have told of the house's pet does not. */
    #told() { return this.state.walkUp?.canReport ? null : this.state.usedMinutes ?? null }

    #minutes() { return this.state.walkUp?.canReport === false ? this.#told() ?? 0 : Math.max(this.#dialled ?? 0, this.#told() ?? 0) }

    #range() { return Math.max(this.state.walkUp ? walkUpRange : leastRange, this.state.limitMinutes * 2, Math.ceil((this.#told() ?? 0) / 60 + 1) * 60) }

    #dial(minutes) {
        this.#dialled = Math.min(this.#range(), Math.max(this.#told() ?? 0, minutes))
        this.#day()
    }

    async #tell() {
        await this.act("unhooked.report", { minutes: this.#minutes() })
        this.#dialled = null
        this.#day()
    }

    #day() {
        const { state, words } = this
        const { dial } = this.#parts
        const [minutes, range] = [this.#minutes(), this.#range()]
        dial.max = range
        dial.value = minutes
        dial.setAttribute("aria-valuetext", span(words, minutes))
        dial.style.setProperty("--part", minutes / range)
        this.#part(".mark").style.left = `${state.limitMinutes / range * 100}%`
        this.#part(".glass b").textContent = span(words, minutes)
        this.#part(".glass span").textContent = words.say("today")
        const over = minutes > state.limitMinutes
        this.#part(".today").dataset.over = String(over)
        this.#part(".glass i").style.transform = `scaleY(${Math.min(1, minutes / state.limitMinutes)})`
        this.#part(".limit").textContent = words.say(over ? "overLimit" : "ofLimit", { limit: span(words, state.limitMinutes), over: span(words, Math.max(0, minutes - state.limitMinutes)) })
        const isTold = state.walkUp ? !state.walkUp.canReport : minutes === state.usedMinutes
        this.#part(".apps").hidden = !state.walkUp?.canReport
        dial.disabled = state.walkUp?.canReport === false
        const tell = this.#part(".tell")
        tell.textContent = isTold ? words.say("told") : words.say("tell", { time: span(words, minutes) })
        tell.setAttribute("aria-disabled", String(isTold))
        // It calls only when there is something that somebody wants to tell.
        tell.classList.toggle("quiet", this.#dialled === null && !isTold)
        this.#part(".due").replaceChildren(...state.walkUp ? [element("span", {}, words.say(isTold ? state.walkUp.isOwn ? "toldUntilTomorrow" : "toldThisVisit" : "tellAndEarn"))]
            : typeof state.energyDue === "number" ? [element("span", {}, words.say("wouldEarn")), amount(words, "energy", state.energyDue, true)] : [element("span", {}, words.say("notToldYet"))])
        this.#part(".eaten").replaceChildren(element("span", {}, words.say(state.condition === "dead" ? "noFood" : state.isFed ? "isFed" : state.eaten > 0 ? "isHungry" : "hasNotEaten", { name: state.name })))
        this.#clock(lightAt(state.time))
        this.#part(".dayline p").replaceChildren(element("b", {}, words.clock(state.time)), state.dayEndsIn < 300 ? ` ${words.say("endsInSeconds", { count: Math.ceil(state.dayEndsIn) })}` : ` ${words.say("endsIn", { hours: untilMidnight(state.time).hours, minutes: String(untilMidnight(state.time).minutes).padStart(2, "0") })}`)
    }

    #clock({ isDay, part }) {
        const orb = this.#part(".dayline .orb")
        if (orb.dataset.orb !== String(isDay)) {
            orb.dataset.orb = String(isDay)
            orb.replaceChildren(icon(isDay ? "sun" : "moon"))
        }
        const bar = this.#part(".dayline i")
        // At midnight it is empty at once.
        bar.style.transition = part < Number(bar.dataset.part) ? "none" : ""
        bar.dataset.part = part
        bar.style.transform = `scaleX(${part})`
    }
}

/** Whether nothing has happened to it yet, so that another can be chosen in its place. */
export const isNew = state => state.walkUp ? state.walkUp.isOwn && state.walkUp.canAdopt : state.pet === 1 && state.fedDays === 0 && state.unfedDays === 0 && state.eaten === 0 && state.condition === "healthy"
