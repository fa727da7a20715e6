// The engine's client: JSON-RPC 2.0 over a WebSocket (docs/protocol.md). It connects again by itself, and takes a new snapshot each time, so
// that a page outlives the daemon's restart without a reload.

import { Clock } from "./clock.js"
import { Signals } from "./signals.js"

/** Milliseconds to wait before the `attempt`th connection after a loss, counted from 0: soon at first, half a second at most. */
export function backOff(attempt, chance = Math.random()) {
    return Math.min(500, 100 * 1.5 ** attempt) * (0.8 + 0.2 * chance)
}

/** Where the engine is: where the page came from, or `?engine=HOST:PORT`. */
export function engineAddress(location) {
    const host = new URLSearchParams(location.search).get("engine") ?? location.host
    return `${location.protocol === "https:" ? "wss" : "ws"}://${host}/socket`
}

/** `#token=…`: behind the hash, because a browser sends that to nobody; null without one. */
export const engineToken = location => new URLSearchParams(location.hash.slice(1)).get("token")

/** What a request comes to that has no result. */
export class Refused extends Error {
    /** `reason` as the engine says it (docs/protocol.md#errors); null where it says none, or is not there. */
    constructor(message, reason = null) {
        super(message)
        this.reason = reason
    }
}

/**
 * Signals: `up` with `{greeting, snapshot}` after each connection and whenever notifications were missed; `down` when the connection is
 * lost; and every topic by its name, with its parameters.
 */
export class Engine extends Signals {
    /** `token` where the engine asks for one. `touches` is `engine` of a page that fills the screen, `page` of one with fingers of its own.
     * `Socket` and `timers` are the browser's, unless a test brings its own. */
    constructor(address, { name, topics, token = null, touches, Socket = globalThis.WebSocket, timers = globalThis }) {
        super()
        const fingers = touches === "engine" ? ["touches", "touch.owner"] : []
        Object.assign(this, { address, token, name, topics: [...new Set([...topics, ...fingers])], touches, Socket, timers })
        this.clock = new Clock()
        this.isUp = false
        this.hasLeft = false
        this.greeting = null
        this.lastID = 0
        this.attempt = 0
        this.waiting = new Map()
        /** What was told after a snapshot and before its `up`; null at other times. */
        this.early = null
    }

    connect() {
        if (this.hasLeft) return
        const socket = new this.Socket(this.address, this.token ? ["thrum", `thrum.token.${this.token}`] : [])
        this.socket = socket
        socket.onopen = () => this.introduce(socket)
        socket.onmessage = frame => this.heard(JSON.parse(frame.data))
        socket.onclose = () => this.lost(socket)
    }

    /** Ends the connection, and connects no more. */
    leave() {
        this.hasLeft = true
        if (this.socket) this.lost(this.socket)
    }

    /** Resolves with the result; rejects with `Refused` when there is none. */
    ask(method, params = {}) {
        if (this.socket?.readyState !== 1) return Promise.reject(new Refused("the engine is not there"))
        const id = ++this.lastID
        this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }))
    }

    /** Without an answer. Does nothing while the engine is not there. */
    tell(method, params = {}) {
        if (this.isUp) this.socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }))
    }

    async introduce(socket) {
        try {
            await this.takeSnapshot()
            this.attempt = 0
            this.keepAlive(socket)
        } catch {
            socket.close()
        }
    }

    /** Greets anew each time, after it has subscribed: no change can happen in between and be lost. */
    async takeSnapshot() {
        const answers = [
            this.ask("subscribe", { topics: this.topics }), this.ask("hello", { client: this.name, touches: this.touches }),
        ]
        const whole = Promise.all(answers)
        whole.catch(() => {})
        const { snapshot } = await answers[0]
        // What is told from here on is newer than the snapshot.
        this.early = []
        this.greeting = (await whole)[1]
        this.isUp = true
        this.emit("up", { greeting: this.greeting, snapshot })
        const early = this.early
        this.early = null
        for (const { method, params } of early) this.emit(method, params)
    }

    /** Notices an engine that hangs, and has it notice a page that does. Each answer tells what time it is there. */
    async keepAlive(socket) {
        while (socket === this.socket && socket.readyState === 1) {
            const asked = performance.now()
            const patience = this.timers.setTimeout(() => this.lost(socket), 5000)
            const answer = await this.ask("ping", { timeout: 15000 }).catch(() => null)
            this.timers.clearTimeout(patience)
            if (answer) this.clock.learn(answer.time, asked, performance.now())
            await new Promise(resolve => this.timers.setTimeout(resolve, 3000))
        }
    }

    heard(message) {
        if ("id" in message) {
            const asker = this.waiting.get(message.id)
            this.waiting.delete(message.id)
            if (message.error) asker?.reject(new Refused(message.error.message, message.error.data?.reason))
            else asker?.resolve(message.result)
        } else if (message.method === "missed") {
            this.takeSnapshot().catch(() => {})
        } else if (this.early) {
            this.early.push(message)
        } else {
            this.emit(message.method, message.params)
        }
    }

    lost(socket) {
        if (socket !== this.socket) return
        this.socket = null
        socket.close()
        for (const asker of this.waiting.values()) asker.reject(new Refused("the engine is gone"))
        this.waiting.clear()
        this.early = null
        const wasUp = this.isUp
        this.isUp = false
        if (wasUp) this.emit("down")
        this.timers.setTimeout(() => this.connect(), backOff(this.attempt++))
    }
}
