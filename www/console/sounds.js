// Where sounds of sessions are, and the pass by which a browser plays them: it sends no token with what an element of a page asks for.

const renewAfter = 30 * 60_000 // milliseconds

/** Where recordings are; null where the page is from elsewhere than the engine, for then a browser does not play them. */
export function folderOf(address, location) {
    const { host, protocol } = new URL(address)
    return host === location.host ? `${protocol === "wss:" ? "https" : "http"}://${host}/sessions/` : null
}

/** The pass, which the browser keeps as a cookie. */
export class Pass {
    #lent = -Infinity

    constructor(engine) { this.engine = engine }

    get folder() { return folderOf(this.engine.address, location) }

    /** Where a session's sound or journal is. */
    address(name, ending) { return `${this.folder}${encodeURIComponent(name)}.${ending}` }

    /** Another engine has lent nothing. */
    forget() { this.#lent = -Infinity }

    /** Asks for it anew where it is half over. */
    async renew() { if (performance.now() - this.#lent > renewAfter) await this.lend() }

    async lend() {
        if (!this.folder) return
        const headers = this.engine.token ? { Authorization: `Bearer ${this.engine.token}` } : {}
        const answer = await fetch(this.folder, { headers, cache: "no-store" }).catch(() => null)
        if (answer?.ok) this.#lent = performance.now()
    }
}

/** Loads a sound that fails once more after `lend`, and goes on where it was: what was lent may be over. Calls `failed` if it fails again. */
export function tryTwice(audio, lend, failed) {
    let isTried = false
    audio.addEventListener("error", async () => {
        if (isTried) return failed()
        isTried = true
        const { currentTime, paused } = audio
        await lend()
        audio.load()
        audio.currentTime = currentTime
        if (!paused) await audio.play().catch(() => {})
    })
}
