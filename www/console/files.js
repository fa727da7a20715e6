// Files that an engine gives to whoever has the token, to be saved.

/** The file at `address`. Throws an error that says why it is refused. */
export async function fileAt(address, { token }, ask = globalThis.fetch) {
    const answer = await ask(address, { headers: token ? { Authorization: `Bearer ${token}` } : {} })
    if (!answer.ok) throw new Error((await answer.text()).trim())
    return answer.blob()
}
