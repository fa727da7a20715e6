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

/** Loads the page anew with another hash, or none. */
export function beginAnew(hash = "") {
    history.replaceState(null, "", location.pathname + location.search + hash)
    location.reload()
}
