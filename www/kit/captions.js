// What is heard, in words, for whoever does not hear it. On with `?captions` in the page's address.

import { element } from "./elements.js"
import { Words } from "./words.js"

const shownFor = 2500, most = 3 // milliseconds, chimes

/** What is heard just now, told by the engine's announcements of `state` and `cue`. */
export class Heard {
    #words
    #state = { isMuted: false, tone: { isOpen: false } }
    #textures = new Set()
    #chimes = []

    constructor(words) { this.#words = words }

    /** Takes the state of the tone and of the house. */
    take(state) { this.#state = state }

    /** Takes a cue at `now` in milliseconds. */
    play({ cue, name, on }, now) {
        if (cue === "chime") this.#chimes.push({ name, until: now + shownFor })
        if (cue === "texture") this.#textures[on ? "add" : "delete"](name)
        if (cue === "stop") this.restart()
    }

    /** Another visit or another engine begins: nothing sounds that began before. */
    restart() {
        this.#textures.clear()
        this.#chimes = []
    }

    /** The lines to show at `now`: what lasts, then the last chimes. */
    lines(now) {
        this.#chimes = this.#chimes.filter(chime => chime.until > now)
        const { isMuted, tone } = this.#state
        if (isMuted) return [this.#words.say("muted")]
        return [
            ...(tone.isOpen ? [this.#words.say("tone", { frequency: Math.round(tone.frequency) })] : []),
            ...[...this.#textures, ...this.#chimes.slice(-most).map(chime => chime.name)].map(name => this.#called(name)),
        ].map(text => this.#words.say("heard", { text }))
    }

    /** When the first chime's line goes, in milliseconds; null while none is shown. */
    get changesAt() { return this.#chimes[0]?.until ?? null }

    /** A theme of the house has names of its own. */
    #called(name) { return this.#words.entries[`sound ${name}`] ?? name.replaceAll("-", " ") }
}

/** The lines at the foot of the page, in a strip that the page leaves free (`--captions`, captions.css). The page's engine subscribes
 * `Captions.topics`. */
export class Captions {
    static isWanted = new URLSearchParams(globalThis.location?.search).has("captions")
    static topics = Captions.isWanted ? ["cue", "state"] : []

    static async show(engine) {
        if (!Captions.isWanted) return
        document.documentElement.dataset.captions = ""
        const words = await Words.load(new URL("lang/", import.meta.url), ["en", "de"])
        new Captions(engine, new Heard(words), words.say("captions"))
    }

    #heard
    #list = element("ul", { id: "captions", popover: "manual", "aria-live": "off" })
    #timer = null

    constructor(engine, heard, label) {
        this.#heard = heard
        document.body.append(element("section", { "aria-label": label }, this.#list))
        // A caption comes with its sound.
        const withSound = act => setTimeout(() => {
            act()
            this.#draw()
        }, engine.greeting.latencyMilliseconds)
        engine.on("cue", cue => withSound(() => heard.play(cue, performance.now())))
        engine.on("state", state => withSound(() => heard.take(state)))
        engine.on("up", ({ snapshot }) => withSound(() => {
            heard.restart()
            heard.take(snapshot.state)
        }))
        engine.on("session", ({ phase }) => { if (phase === "ended") withSound(() => heard.restart()) })
    }

    #draw() {
        clearTimeout(this.#timer)
        const now = performance.now()
        const lines = this.#heard.lines(now)
        const isMore = lines.length > this.#list.children.length
        while (this.#list.children.length > lines.length) this.#list.lastChild.remove()
        lines.forEach((line, index) => {
            const item = this.#list.children[index] ?? this.#list.appendChild(element("li"))
            if (item.textContent !== line) item.textContent = line
        })
        // What is shown last lies over a dialog that came after it.
        if (isMore || lines.length === 0) this.#list.hidePopover()
        if (isMore) this.#list.showPopover()
        const { changesAt } = this.#heard
        if (changesAt !== null) this.#timer = setTimeout(() => this.#draw(), changesAt - now)
    }
}
