// What somebody has pressed, and pays for. Its key is made once: when the connection breaks before the answer, the same press is asked again
// with the same key, and counts once.

const patience = 20_000 // milliseconds without an engine until a press is given up

const newKey = () => [...globalThis.crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, "0")).join("")

/** Asks `engine` for `action` of this household, and asks again when it is back. Rejects with the engine's refusal, which comes also when
 *  another household is there then, or when the engine stays away. */
export async function press(engine, action, fields = {}, { household, key = newKey(), wait = patience } = {}) {
    for (;;) {
        try {
            return await engine.ask(action, { ...fields, key, household })
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
