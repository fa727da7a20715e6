#!/usr/bin/env node
// The thinnest front end there is for ColorScroller: it draws nothing, swipes, and prints what the engine tells it.
//
//     thrumd --experience colorscroller &
//     examples/colorscroller.mjs [SOCKET] [SWIPES]
//
// It outlives restarts of thrumd. Node's standard library only. The steps are explained in docs/front-end.md.
import { once } from "node:events"
import net from "node:net"
import readline from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"

const usage = `usage: colorscroller.mjs [SOCKET] [SWIPES]

Swipes through ColorScroller and prints what is unlocked.

  SOCKET   thrumd's control socket; $THRUM_SOCKET by default, or else
           $XDG_RUNTIME_DIR/thrum/control.sock
  SWIPES   how many times to swipe; 40 by default`

const standard = process.env.THRUM_SOCKET || `${process.env.XDG_RUNTIME_DIR ?? "/run"}/thrum/control.sock`
const [path = standard, swipes = "40", ...more] = process.argv.slice(2)
if (path === "--help" || path === "-h") leave(usage, 0)
if (path.startsWith("-") || !/^\d+$/.test(swipes) || more.length) leave(usage, 64)

// The connection has ended, or is about to.
class Gone extends Error {}
const waiting = new Map()
let socket, lastId = 0, isPaused = Promise.resolve()

function leave(words, status) {
    (status ? console.error : console.log)(words)
    process.exit(status)
}

const send = message => socket.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n")
// Without an answer: the fast way.
const tell = (method, params) => send({ method, params })
// With an answer, which has the same id.
const ask = (method, params = {}) => new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new Gone())
    waiting.set(++lastId, { resolve, reject })
    send({ id: lastId, method, params })
})

function hear(line) {
    const { id, result, error, method, params } = JSON.parse(line)
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error) asked?.reject(error.data?.reason === "shutting-down" ? new Gone() : new Error(error.message))
    else if (asked) asked.resolve(result)
    else if (method === "unlock") {
        console.log(`unlocked ${params.skin.name} (${params.skin.rarity}) on card ${params.index}`)
        // The feed stands still; a real front end draws the new skin now.
        isPaused = sleep(params.pausedFor * 1000)
    } else if (method === "toast") console.log(`toast: ${params.rarity} ${params.name}`)
    // Where the connection has ended meanwhile, everything is asked for again anyway.
    else if (method === "missed") catchUp(params.count).catch(() => {})
}

// We did not read for a while. Who draws draws everything anew now.
async function catchUp(count) {
    const { index } = await ask("feed.state")
    console.log(`missed ${count} announcements: card ${index} is shown`)
}

// Also what comes first: who we are, and what we want to be told.
async function connect() {
    socket = net.connect(path)
    await once(socket, "connect")
    // What goes wrong with a connection ends it.
    socket.on("error", () => {})
    socket.on("close", () => {
        for (const { reject } of waiting.values()) reject(new Gone())
        waiting.clear()
    })
    readline.createInterface({ input: socket }).on("line", hear).on("error", () => {})
    const { experience } = await ask("hello", { client: "examples/colorscroller.mjs", gestures: true })
    if (experience !== "colorscroller") leave("start thrumd with --experience colorscroller", 1)
    await ask("subscribe", { topics: ["unlock", "toast"] })
}

async function reconnect() {
    console.log("thrumd is gone: waiting for it")
    for (;;) {
        socket.destroy()
        await sleep(250)
        try {
            await connect()
            return console.log("connected again")
        } catch {}
    }
}

async function swipe() {
    tell("touch", { phase: "began", x: 0.5, y: 0.8 })
    await sleep(50)
    tell("touch", { phase: "ended" })
    // An answer comes after what the swipe has led to: it is known whether the feed stands still.
    await ask("swipe", { direction: "up", velocity: 2 })
    await isPaused
    await sleep(50)
}

try {
    await connect()
} catch (problem) {
    leave(`${path}: ${problem.message}; is thrumd running?`, 1)
}
for (let count = 0; count < Number(swipes); count++) {
    try {
        await swipe()
    } catch (problem) {
        if (!(problem instanceof Gone)) leave(`thrumd: ${problem.message}`, 1)
        await reconnect()
    }
}
const { blocksViewed, unlockCount, toneFrequency } = await ask("feed.state")
console.log(`${blocksViewed} cards viewed, ${unlockCount} skins unlocked, tone at ${Math.round(toneFrequency)} Hz`)
socket.end()
