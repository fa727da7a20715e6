// What somebody has pressed, and pays for. Its key is made once: when the connection breaks before the answer, the same press is asked again
// with the same key, and counts once.

const patience = 20_000 // milliseconds without an engine until a press is given up

const newKey = () => [...globalThis.crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, "0")).join("")

/** Asks `engine` for `action`, and asks again when it is back, if the same household is there then. Rejects with the engine's refusal, or
 *  when it stays away or somebody else is there. */
export async function press(engine, action, fields = {}, { household, key = newKey(), wait = patience } = {}) {
    for (let isAgain = false; ; isAgain = true) {
        try {
            // After a restart it is the exhibition's pet, whosever was there before.
            if (isAgain && (await engine.ask("unhooked.state")).household !== household) throw new Error("somebody else is there")
            return await engine.ask(action, { ...fields, key })
        } catch (refusal) {
            if (engine.isUp) throw refusal
            await comesBack(engine, wait, refusal)
        }
    }
}

async function comesBack(engine, wait, refusal) {
    const until = performance.now() + wait
    while (!engine.isUp) {
        if (performance.now() > until) throw refusal
        await new Promise(resolve => setTimeout(resolve, 100))
    }
}
