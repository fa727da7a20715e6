#!/usr/bin/env node
// Prints what the engine tells: sessions, events and cues as they come. Node's standard library only.
//
//     examples/watch.mjs [SOCKET] [topic ...]
import net from "node:net"
import readline from "node:readline"

const standard = process.env.THRUM_SOCKET || `${process.env.XDG_RUNTIME_DIR ?? "/run"}/thrum/control.sock`
const [path = standard, ...topics] = process.argv.slice(2)
const socket = net.connect(path)
const say = message => socket.write(JSON.stringify({jsonrpc: "2.0", ...message}) + "\n")

say({id: 1, method: "subscribe", params: {topics: topics.length ? topics : ["session", "event", "cue", "fault"]}})
for await (const line of readline.createInterface({input: socket})) {
    const message = JSON.parse(line)
    if (message.error) {
        console.error(message.error.message)
        process.exit(1)
    }
    if (message.id === 1) console.log("listening to", message.result.topics.join(", "))
    else console.log(message.method, JSON.stringify(message.params))
}
