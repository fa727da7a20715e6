// The death of a pet. Whoever is there sees it for six seconds: breath slows, the room darkens, the bed empties, a flower grows. Then there
// are its name and its days, and what can be done waits until somebody touches the flower.

import { isCalm } from "../kit/motion.js"

/** As long as pet.css and room.css take for it. */
const lasts = 6000, glides = 1600 // milliseconds

/** The phase of a farewell from how the pet was and is: `dying` where somebody was there while the same pet lived, `quiet` before the flower
 *  is touched, `open` after it, and null while it lives. */
export function phaseAfter(phase, before, now) {
    if (now.condition !== "dead") return null
    const isSame = before !== null && before.household === now.household && before.pet === now.pet
    if (isSame && before.condition !== "dead") return "dying"
    return (isSame ? phase : null) ?? "quiet"
}

export class Farewell {
    #before = null
    #phase = null
    #ends = null
    #isTold = false

    /** `stage` holds the room and the pet; `changed` is called when time or a hand has brought another phase. */
    constructor({ stage, epitaph, flower }, words, changed) {
        Object.assign(this, { stage, epitaph, flower, words, changed })
        flower.addEventListener("click", () => this.#goOn("open"))
    }

    /** A death, or a day of a pet that is dead, was told. The state that has it comes behind. */
    told() { this.#isTold = true }

    /** Whether nothing is to be said of days and wallets. */
    get isUnderWay() { return this.#isTold || this.#before?.condition === "dead" }

    /** Comes to `state`. True where the pet dies now. */
    follow(state) {
        const phase = phaseAfter(this.#phase, this.#before, state)
        const dies = phase === "dying" && this.#phase !== "dying"
        this.#before = state
        this.#isTold = false
        if (phase !== null) this.#write(state)
        this.#become(phase)
        return dies
    }

    /** What is drawn for the pet's condition: `dying` for the six seconds. */
    get condition() { return this.#phase === "dying" ? "dying" : this.#before.condition }

    /** The next visitor finds the flower untouched. */
    close() { if (this.#phase === "open") this.#goOn("quiet") }

    #goOn(phase) {
        this.#become(phase)
        this.changed()
    }

    #become(phase) {
        if (phase === this.#phase) return
        clearTimeout(this.#ends)
        this.#phase = phase
        glide([this.stage.querySelector(".room"), this.stage.querySelector("#pet")], () => {
            if (phase === null) delete document.body.dataset.farewell
            else document.body.dataset.farewell = phase
        })
        this.epitaph.hidden = this.flower.hidden = phase !== "quiet"
        if (phase === "dying") this.#ends = setTimeout(() => this.#goOn("quiet"), lasts)
    }

    #write({ name, age, stage, unfedDays }) {
        const { words } = this
        this.epitaph.querySelector("h2").textContent = name
        this.epitaph.querySelector(".lived").textContent = words.say("livedFor", { count: age, stage: words.say(`stage-${stage}`) })
        this.epitaph.querySelector(".why").textContent = words.say("diedAfter", { count: unfedDays })
        this.flower.setAttribute("aria-label", words.say("touchFlowerOf", { name }))
    }
}

/** Makes `change`, and has what stands elsewhere then come there from where it was. Its bottom and height are followed. */
function glide(elements, change) {
    const before = elements.map(element => element.getBoundingClientRect())
    change()
    if (isCalm()) return
    elements.forEach((element, index) => {
        const [from, to] = [before[index], element.getBoundingClientRect()]
        if (to.height === 0 || (from.bottom === to.bottom && from.height === to.height)) return
        const isTaller = element.matches(".room") ? 1 : from.height / to.height
        element.animate([{ transformOrigin: "50% 100%", transform: `translateY(${from.bottom - to.bottom}px) scale(${isTaller})` }, { transformOrigin: "50% 100%", transform: "none" }],
                        { duration: glides, easing: "cubic-bezier(0.4, 0, 0.2, 1)" })
    })
}
