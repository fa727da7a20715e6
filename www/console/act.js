// What is done at the press of a button, and what came of it: said beside the button, and nowhere else.

import { element } from "../kit/elements.js"

const saysFor = 6000 // milliseconds

/** A line that says what came of an act. A refusal stays until the next one. */
export class Outcome {
    #timer = null

    constructor() { this.root = element("p", { class: "outcome", role: "status" }) }

    say(text, kind = "good") {
        clearTimeout(this.#timer)
        this.root.dataset.kind = kind
        this.root.textContent = text
        if (kind === "good") this.#timer = setTimeout(() => { this.root.textContent = "" }, saysFor)
    }
}

/** Asks the engine for a change. Returns its answer; null where it was refused, which `outcome` says with the engine's reason. */
export async function attempt({ engine, words }, outcome, method, params, said = words.say("isDone")) {
    try {
        const answer = await engine.ask(method, params)
        if (answer.notKept) outcome.say(words.say("notKept", { why: answer.notKept }), "bad")
        else outcome.say(said)
        return answer
    } catch ({ message }) {
        outcome.say(message, "bad")
        return null
    }
}

/** A button that asks once more, in its place, before it does what cannot be taken back. */
export function asksTwice(words, text, sure, act) {
    const holder = element("div", { class: "twice" })
    const first = element("button", { type: "button", class: "do quiet", onclick: () => ask(true) }, text)
    const second = element("button", { type: "button", class: "do danger", onclick: async () => {
        await act()
        ask(false)
    } }, sure)
    const keep = element("button", { type: "button", class: "do quiet", onclick: () => ask(false) }, words.say("keep"))
    function ask(isAsking) {
        const hadFocus = holder.contains(document.activeElement)
        holder.replaceChildren(...isAsking ? [second, keep] : [first])
        if (hadFocus) (isAsking ? keep : first).focus()
    }
    ask(false)
    return holder
}
