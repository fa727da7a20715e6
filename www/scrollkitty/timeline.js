// The days as one line, with the cat's face at each thing that happened.

import { face } from "./drawing.js"
import { drawing, element } from "../kit/elements.js"

const kept = 60

export class Timeline {
    #said = []

    constructor(root, words) { Object.assign(this, { root, words }) }

    /** The cat has said something, when it was like `state`. Times are told in minutes, and many things happen in one: what is said has its
     *  place after the losses that there were. */
    heard(message, state) {
        this.#said.push({ day: state.day, time: state.time, place: state.points.length - 0.5, condition: state.condition, text: message.text[this.words.language] })
        if (this.#said.length > kept) this.#said.shift()
    }

    show(state, history) {
        const days = [{ day: state.day, date: state.date, points: state.points, isToday: true }, ...[...history.days].reverse()]
        this.root.replaceChildren(...days.map(day => element("section", {},
            element("h2", {}, this.#name(day, state.day)),
            element("ol", {}, this.#entries(day).map(({ time, condition, text, isSaid }) => element("li", { "data-said": isSaid },
                element("span", { class: "bead" }, drawing(face(condition))),
                element("time", {}, time && this.words.clock(time)), element("p", {}, text)))))))
    }

    #entries(day) {
        const lost = day.points.map((point, place) => ({ ...point, place, text: this.words.say("downTo", { hp: point.hp }) }))
        const said = this.#said.filter(entry => entry.day === day.day).map(entry => ({ ...entry, isSaid: true }))
        const end = day.isToday ? [] : [{ time: "24:00", condition: day.condition, text: this.words.say("ended", { hp: day.hp, count: day.bypasses }) }]
        const entries = [...lost, ...said].sort((a, b) => a.place - b.place)
        if (day.isToday && entries.length === 0) return [{ time: "", condition: "healthy", text: this.words.say("nothingYet") }]
        return [...end, ...entries.reverse()]
    }

    #name(day, today) {
        const ago = today - day.day
        if (ago <= 0) return this.words.say("today")
        if (ago === 1) return this.words.say("yesterday")
        if (!day.date) return this.words.say("daysAgo", { count: ago })
        return new Date(`${day.date}T12:00:00Z`).toLocaleDateString(this.words.language, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" })
    }
}
