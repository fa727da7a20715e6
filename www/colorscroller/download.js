// Telemetry as a file that the browser saves.

/**
 * All of an export, asked for part by part, so that it holds up nothing that is played. `progress` is told how much of it is there, 0 to 1.
 */
export async function exported(engine, wanted, progress) {
    const texts = [], notes = []
    let rows = 0, cursor
    do {
        const part = await engine.ask("telemetry.export", cursor ? { ...wanted, cursor } : wanted)
        texts.push(part.text)
        notes.push(...part.notes)
        rows += part.rows
        cursor = part.cursor
        progress(part.progress)
    } while (cursor)
    return { text: texts.join(""), rows, notes }
}

/** The page stays where it is. */
export function offer(text, type, name) {
    const address = URL.createObjectURL(new Blob([text], { type }))
    const link = document.createElement("a")
    Object.assign(link, { href: address, download: name })
    link.click()
    // The browser has read it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
