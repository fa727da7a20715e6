#!/usr/bin/env node
// Prints what the engine tells: sessions, events and cues as they come. Node's standard library only.
//
//     examples/watch.mjs [SOCKET] [TOPIC ...]
import net from "node:net"
import readline from "node:readline"

const usage = `usage: watch.mjs [SOCKET] [TOPIC ...]

Prints what thrumd announces, a line each, until it ends.

  SOCKET   thrumd's control socket: a path with a / or .sock, before or after
           the topics; $THRUM_SOCKET by default, or else
           $XDG_RUNTIME_DIR/thrum/control.sock
  TOPIC    what to print, as in docs/protocol.md; session, event, cue and
           fault by default`

function leave(words, status) {
    (status ? console.error : console.log)(words)
    process.exit(status)
}

const words = process.argv.slice(2)
if (words.includes("--help") || words.includes("-h")) leave(usage, 0)
const isPath = word => word.includes("/") || word.endsWith(".sock")
const paths = words.filter(isPath), topics = words.filter(word => !isPath(word))
const wrong = words.find(word => word.startsWith("-")) ?? paths[1]
if (wrong !== undefined) leave(`watch.mjs: expected one socket and topics, found "${wrong}"\n\n${usage}`, 64)

const path = paths[0] ?? (process.env.THRUM_SOCKET || `${process.env.XDG_RUNTIME_DIR ?? "/run"}/thrum/control.sock`)
const socket = net.connect(path)
socket.on("error", problem => leave(`${path}: ${problem.message}; is thrumd running?`, 69))
socket.write(JSON.stringify({
    jsonrpc: "2.0", id: 1, method: "subscribe", params: { topics: topics.length ? topics : ["session", "event", "cue", "fault"] },
}) + "\n")
for await (const line of readline.createInterface({ input: socket })) {
    const { id, result, error, method, params } = JSON.parse(line)
    if (error) leave(`watch.mjs: ${error.message}`, 65)
    if (id === 1) console.log("listening to", result.topics.join(", "))
    else console.log(method, JSON.stringify(params))
}
