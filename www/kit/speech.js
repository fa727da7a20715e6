// What is spoken: by the engine, which turns its other sound down meanwhile and counts speech for the hearing guard; by the browser where
// the engine does not (docs/accessibility.md).

const longest = 300 // characters, as the engine takes them
const most = 4 // texts that wait; older news is none any more
const patience = 30_000 // milliseconds until an engine without a voice is asked again

/** One text at a time. */
export class Speech {
    #engine
    #browser
    #timers
    /** What is said when the present text is over. */
    #waiting = []
    /** The number of the newest text. */
    #turn = 0
    #isSpeaking = false
    #timer = null
    /** Whether the engine has said a moment ago that it has no voice. */
    #isEngineMute = false

    /** `browser` speaks where the engine does not; `timers` and it are the browser's, unless a test brings its own. */
    constructor(engine, { browser = globalThis.speechSynthesis, timers = globalThis } = {}) {
        this.#engine = engine
        this.#browser = browser
        this.#timers = timers
    }

    /** What is said now is more urgent than what was begun before, unless it waits for its turn. */
    say(text, { waits = false } = {}) {
        if (waits && this.#isSpeaking) this.#waiting = [...this.#waiting, text].slice(-most)
        else {
            if (!waits) this.#waiting = []
            this.#begin(text, waits)
        }
    }

    #begin(text, waits) {
        const turn = ++this.#turn
        this.#timers.clearTimeout(this.#timer)
        this.#isSpeaking = false
        if (this.#isEngineMute) {
            this.#sayByBrowser(text, waits)
            for (const next of this.#waiting.splice(0)) this.#sayByBrowser(next, true)
            return
        }
        this.#isSpeaking = true
        // What the browser began while the engine did not speak is less urgent, too.
        if (!waits && this.#browser?.speaking) this.#browser.cancel()
        this.#sayByEngine(text, turn, waits)
    }

    async #sayByEngine(text, turn, waits) {
        let seconds = 0
        try {
            const words = [...text].slice(0, longest).join("")
            seconds = (await this.#engine.ask("speech.say", { text: words, language: document.documentElement.lang || "en" })).seconds
        } catch ({ reason }) {
            if (reason === "unavailable") this.#passOver()
            // A newer text has taken its place meanwhile.
            if (turn === this.#turn) this.#sayByBrowser(text, waits)
        }
        if (turn !== this.#turn) return
        this.#timer = this.#timers.setTimeout(() => {
            this.#isSpeaking = false
            const next = this.#waiting.shift()
            if (next !== undefined) this.#begin(next, true)
        }, seconds * 1000)
    }

    /** Has the browser speak for a while: a voice may be installed, or a language may be none of the engine's. */
    #passOver() {
        if (this.#isEngineMute) return
        this.#isEngineMute = true
        this.#timers.setTimeout(() => { this.#isEngineMute = false }, patience)
    }

    #sayByBrowser(text, waits) {
        if (!this.#browser) return
        if (!waits) this.#browser.cancel()
        const utterance = new SpeechSynthesisUtterance(text)
        utterance.lang = document.documentElement.lang
        this.#browser.speak(utterance)
    }
}
