// How this device comes in: by the code of an invitation, by the token in the address, or by the token that it was given for a code.

const place = "thrum.console.token"

/** A store that forgets where the browser keeps nothing. */
function stored(use) {
    try {
        return use(localStorage) ?? null
    } catch {
        return null
    }
}

const kept = () => stored(store => store.getItem(place))

export const forget = () => stored(store => store.removeItem(place))

/** Whether the device keeps a token. */
export const keeps = () => kept() !== null

/** `code` is null where the address has none. What the address says counts before what is kept. */
export function wayIn(hash, held = kept()) {
    const said = new URLSearchParams(hash.slice(1))
    const code = said.get("code"), token = said.get("token")
    return { code, token: code ?? token ?? held }
}

/** Claims the device's own token for the code by which `engine` came in, and begins anew with it, without the code in the address. */
export async function claim(engine) {
    const { token } = await engine.ask("token.claim")
    const isKept = stored(store => {
        store.setItem(place, token)
        return store.getItem(place) === token
    })
    beginAnew(isKept ? "" : `#token=${token}`)
}

/** Whether the engine at the WebSocket's `address` knows no such code or token. A WebSocket that is refused says no reason, and the same
 * address does when it is fetched. False where nothing answers: that may be the network. */
export async function isRefused(address, token, ask = globalThis.fetch) {
    try {
        const { status } = await ask(address.replace(/^ws/, "http"), {
            headers: { Authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(5000),
        })
        return status === 401 || status === 429
    } catch {
        return false
    }
}

/** Loads the page anew with another hash, or none. */
export function beginAnew(hash = "") {
    history.replaceState(null, "", location.pathname + location.search + hash)
    location.reload()
}
