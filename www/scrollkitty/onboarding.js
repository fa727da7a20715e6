// The steps in which somebody gets to know the cat, as the engine lists them.

import { enter } from "../kit/motion.js"
import { face } from "./drawing.js"
import { choice, drawing, element, stepper } from "../kit/elements.js"

const shared = "home" // the household of a cat that is nobody's own

export class Onboarding {
    #data = null
    #state = null
    #index = 0
    /** Where this visitor has left. */
    #left = 0
    #length
    /** What a visitor has answered before their own cat is there, by steps; null where each answer goes to the cat at once. */
    #held = null
    /** What goes on by itself in the step that is shown. */
    #timers = []

    /** `act` asks the engine for an action and then calls what it is given; `ask` asks it for the steps of a length and the cat's state. */
    constructor(root, words, settings, { act, ask }) {
        Object.assign(this, { root, words, settings, act, ask })
        root.querySelector(".later").addEventListener("click", () => root.close())
        root.querySelector(".back").addEventListener("click", () => this.#goTo(backFrom(this.#data.steps, this.#index)))
        root.addEventListener("close", () => this.#stop())
    }

    /** The shared cat's visitors each begin at the first question, and go on where they left. In a household of one's own it goes on with what
     *  is not done, whenever that was begun. */
    async open(length) {
        await this.#load(length)
        this.#held = null
        this.#show(this.#state.household === shared ? this.#left : Math.max(0, this.#data.steps.findIndex(step => step.step === this.#data.next)))
    }

    /** Asks the questions of a length first, and enters the household of a new cat with their answers. Whoever leaves before has changed
     *  nothing. */
    async openBefore(length, household) {
        await this.#load(length)
        this.#held = { household, answers: new Map() }
        this.#show(0)
    }

    async #load(length) {
        this.#length = length
        ;[this.#data, this.#state] = await this.ask(length)
    }

    #show(index) {
        this.#index = index
        if (!this.root.open) this.root.showModal()
        this.#draw()
    }

    /** Somebody else comes. */
    restart() {
        this.#left = 0
        this.root.close()
    }

    /** Goes on after `step`, also when it was pressed twice. */
    async #done(step) {
        await this.#load(this.#length)
        this.#goTo(this.#data.steps.findIndex(({ step: name }) => name === step) + 1)
    }

    #answer({ step }, fields) {
        const answer = { step, ...fields }
        if (this.#held === null) return this.act("kitty.onboard", answer, () => this.#done(step))
        this.#held.answers.set(step, answer)
        if (this.#data.steps[this.#index + 1].kind === "survey") return this.#goTo(this.#index + 1)
        const answers = [...this.#held.answers.values()].map(held => ["kitty.onboard", held])
        return this.#send([["household.enter", { household: this.#held.household }], ...answers], () => {
            this.#held = null
            return this.#done(step)
        })
    }

    #send([[action, fields], ...others], done) {
        return this.act(action, fields, () => others.length > 0 ? this.#send(others, done) : done())
    }

    #goTo(index) {
        if (index >= this.#data.steps.length) return this.restart()
        this.#index = this.#left = Math.max(0, index)
        this.#draw()
    }

    #stop() { for (const timer of this.#timers.splice(0)) clearTimeout(timer) }

    #draw() {
        this.#stop()
        const step = this.#data.steps[this.#index]
        const part = place => this.root.querySelector(place)
        this.root.dataset.step = step.step
        this.root.dataset.kind = step.kind
        part(".progress i").style.transform = `scaleX(${step.number / this.#data.steps.length})`
        const asked = questions(this.#data.steps)
        part(".count").textContent = !asked.includes(step) ? ""
            : this.words.say("stepOf", { number: asked.indexOf(step) + 1, of: asked.length })
        part(".companion").replaceChildren(drawing(face(this.#held ? "healthy" : this.#state.condition)))
        part("h2").textContent = step.title[this.words.language]
        part(".refused").textContent = ""
        // One's own cat is there already.
        part(".later").hidden = this.#state.isOwn === true
        part(".back").hidden = backFrom(this.#data.steps, this.#index) < 0
        const content = element("div", {}, this.#body(step), this.#control(step))
        part(".step").replaceChildren(content)
        enter(content, "translateX(6%)")
        if (step.seconds !== undefined) this.#timers.push(setTimeout(() => this.#answer(step, {}), step.seconds * 1000))
    }

    /** Three rings that fill, and what is said meanwhile, one after the other. */
    #loading({ seconds, captions }) {
        const caption = element("p", { class: "caption", role: "status" }, captions[0][this.words.language])
        captions.slice(1).forEach((words, index) => this.#timers.push(setTimeout(() => {
            caption.textContent = words[this.words.language]
            enter(caption, "translateY(20%)")
        }, (index + 1) * seconds / captions.length * 1000)))
        const circles = drawing(rings)
        circles.style.setProperty("--lasts", `${seconds}s`)
        return [circles, caption]
    }

    #body(step) {
        const score = this.#data.score
        const figure = (value, text) => [element("p", { class: "big" }, this.words.number.format(value)), element("p", {}, text)]
        switch (step.step) {
        case "loading": return this.#loading(step)
        case "score": return score && figure(score.addiction, this.words.say("scoreText"))
        case "years": return score && [lights(score), this.#legend(),
            ...figure(score.yearsLost, this.words.say("yearsText", { years: score.yearsToGo }))]
        case "comparison": return score?.averageHours === undefined ? element("p", {}, this.words.say("noComparison"))
            : figure(score.averageHours, this.words.say(score.hoursAboveAverage > 0 ? "aboveAverage" : "belowAverage", { hours: Math.abs(score.hoursAboveAverage) }))
        default: {
            const key = `about-${step.step}`
            return key in this.words.entries ? element("p", {}, this.words.say(key, { most: step.most })) : null
        }
        }
    }

    #legend() {
        return element("p", { class: "legend" }, [["lightsYours", null], ["lightsPhone", "out"]].map(([name, kind]) =>
            element("span", {}, element("i", { class: kind, "aria-hidden": "true" }), this.words.say(name))))
    }

    #control(step) {
        const answer = fields => this.#answer(step, fields)
        const next = (text, action) => element("button", { type: "button", class: "do", onclick: action }, this.words.say(text))
        // It goes on by itself.
        if (step.seconds !== undefined) return null
        if (step.action) return this.settings[step.step](this.#state, step, () => this.#done(step.step))
        if (step.choices) return choice(step.choices.map(value => [value, this.words.say(value)]), null, value => answer({ choice: value }), step.title[this.words.language])
        if (step.highest !== undefined) {
            let number = Math.min(step.highest, 4)
            return element("div", { class: "setting" }, stepper({ value: number, from: step.lowest, to: step.highest, by: 0.5, label: step.title[this.words.language],
                say: hours => this.words.say("hoursADay", { hours }), less: this.words.say("less"), more: this.words.say("more"),
                changed: value => { number = value } }), next("next", () => answer({ number })))
        }
        return element("div", { class: "setting" }, next(step.number === this.#data.steps.length ? "finish" : "next", () => answer({})))
    }
}

/** The last step before `index` that somebody answers; less than 0 for none. */
export const backFrom = (steps, index) => steps.slice(0, index).findLastIndex(({ seconds }) => seconds === undefined)

/** The steps in which something is asked or chosen. */
export const questions = steps => steps.filter(({ kind }) => kind === "survey" || kind === "set-up")

const rings = `<svg class="rings" viewBox="0 0 100 100" aria-hidden="true">${[44, 32, 20].map(radius => `<circle cx="50" cy="50" r="${radius}"/><circle class="fills" cx="50" cy="50" r="${radius}" pathLength="1"/>`).join("")}</svg>`

/** How many lights stand in a row, so that the last row is as full as can be; of equals the nearest to 13. */
export const lightsInRow = count =>
    [13, 12, 14, 11, 15, 10, 16, 17].reduce((best, row) => spare(count, row) < spare(count, best) ? row : best)
const spare = (count, row) => (row - count % row) % row

/** The years to come as rows of lights, of which those that are lost go out. */
function lights({ yearsToGo, yearsLost }) {
    const left = yearsToGo - Math.round(yearsLost)
    const row = element("div", { class: "lights", "aria-hidden": "true" }, Array.from({ length: yearsToGo }, (_, year) => {
        const light = element("i", { class: year >= left ? "out" : null })
        light.style.setProperty("--turn", yearsToGo - year)
        return light
    }))
    row.style.setProperty("--in-row", lightsInRow(yearsToGo))
    return row
}
