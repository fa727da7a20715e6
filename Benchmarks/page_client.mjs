// What a page asks of the engine, without a browser, which would draw on the same processors: the kit's own client with the topics of
// ColorScroller's page and the report of drawn frames; `meters` at 20 Hz on top where that is asked for.
// usage: node --experimental-websocket page_client.mjs PORT [meters]
import { Engine } from "../www/kit/engine.js"

const engine = new Engine(`ws://127.0.0.1:${process.argv[2]}/socket`, {
    name: "colorscroller", gestures: true,
    topics: ["session", "scroll", "unlock", "toast", "intervention", "leaderboard", "held", "rank", "reset", "state", "counters", ...process.argv.slice(3)],
})
let frames = 0
setInterval(() => engine.tell("page.drew", { frames: frames += 60 }), 1000)
engine.connect()
