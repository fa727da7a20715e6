// A session's journal, as far as a page needs it: the lines of a stretch of time, without reading the rest, and what a whole session comes to.

const piece = 1 << 18, most = 8 * piece // bytes: asked for at once, and of a stretch

/** The lines of a text that are whole and tell what happened: no header, and no checkpoint. */
export function linesOf(text) {
    return text.split("\n").flatMap(line => {
        try {
            const read = JSON.parse(line)
            // Thrum 0.1.0 wrote another word.
            if (read.lapse !== undefined) read.discontinuity ??= read.lapse
            return Number.isInteger(read.frame) && !read.checkpoint ? [read] : []
        } catch {
            return []
        }
    })
}

/** Frames a second, by a journal's beginning; null where it has none. */
export function rateOf(beginning) {
    const found = beginning.slice(0, (beginning.indexOf("\n") + 1 || beginning.length + 1) - 1).match(/"sampleRate"\s*:\s*(\d+)/)
    return found ? Number(found[1]) : null
}

/** Lines about what was heard may come before or after the events around them; all others stand in the order of their frames. */
const isInOrder = line => line.discontinuity === undefined

/** The lines of the frames `first` to `last`. `read(from, to)` resolves with the text of these bytes of a journal that has `size`. Where they
 * are more than 2 MiB, the first ones are left out: what went wrong stands at the end. */
export async function stretch(read, size, first, last) {
    const frameAt = async (place, end = size) => linesOf(await read(place, Math.min(end, place + piece))).find(isInOrder)?.frame
    // The first line of `frame` or later is in the piece that begins at the place found.
    const search = async (low, high, frame) => {
        while (high - low > piece) {
            const middle = Math.floor((low + high) / 2)
            if (await frameAt(middle, high) < frame) low = middle
            else high = middle
        }
        return low
    }
    const begin = await search(0, size, first)
    const isLong = begin + most < size && await frameAt(begin + most) <= last
    const low = isLong ? await search(begin + most, size, last + 1) + piece - most : begin
    const lines = []
    let rest = ""
    for (let place = low; place < size && place - low < most; place += piece) {
        const text = rest + await read(place, Math.min(size, place + piece))
        const end = text.lastIndexOf("\n") + 1
        rest = text.slice(end)
        const found = linesOf(text.slice(0, end))
        for (const line of found) lines.push(line)
        if (found.some(line => isInOrder(line) && line.frame > last)) break
    }
    return [...lines, ...linesOf(rest)].filter(({ frame }) => frame >= first && frame <= last)
}

/** Reads the bytes `from` to `to` of the journal at `address`, with the page's token. Rejects with the engine's reason. */
export async function bytesAt(address, { token }, from, to, ask = globalThis.fetch) {
    const headers = { Range: `bytes=${from}-${to - 1}`, ...token ? { Authorization: `Bearer ${token}` } : {} }
    const answer = await ask(address, { headers, cache: "no-store" })
    if (answer.status === 416) return ""
    if (!answer.ok) throw new Error((await answer.text()).trim())
    return answer.text()
}

/** What a whole journal tells: `marks` and `faults` by the second, `chimes` by their names, and how many visits and deeds of people there were. */
export function summary(text) {
    const rate = rateOf(text)
    const found = { rate, lines: linesOf(text), visits: 0, deeds: 0, chimes: new Map(), marks: [], faults: [] }
    for (const line of found.lines) {
        const at = line.frame / rate
        if (line.event === "visit" && line.phase === "began") found.visits += 1
        if (line.event === "journal.mark") found.marks.push({ at, text: line.text })
        if (line.event && line.client && line.event !== "left") found.deeds += 1
        for (const { cue, name } of line.cues ?? []) if (cue === "chime") found.chimes.set(name, (found.chimes.get(name) ?? 0) + 1)
        // A gap is told when it begins, and once more with its length.
        if (line.discontinuity && !(line.discontinuity === "gap" && found.faults.some(fault => fault.kind === "gap" && fault.at === at))) {
            found.faults.push({ at, kind: line.discontinuity })
        }
    }
    // A run that lasts a visit has no line of its own for it.
    found.visits ||= 1
    return found
}

/** The course of a stretch, in columns of equal length: the tone's highest level while it sounded, in dBFS, and null while it was off; and how
 * much was done and played. What was before the stretch is unknown. */
export function course(lines, rate, from, to, count) {
    const columns = Array.from({ length: count }, () => ({ level: null, events: 0 }))
    let isOpen = false, level = null, place = 0
    const fill = next => {
        for (; place < next; place++) if (isOpen) columns[place].level = Math.max(columns[place].level ?? -120, level ?? -120)
    }
    for (const line of lines) {
        if (!line.event) continue
        const column = Math.min(count - 1, Math.max(0, Math.floor((line.frame / rate - from) / (to - from) * count)))
        fill(column)
        if (line.client) columns[column].events += 1
        for (const cue of line.cues ?? []) {
            if (cue.cue === "tone.level") level = cue.level
            if (cue.cue === "tone.gate") isOpen = cue.open
            if (cue.cue === "stop") isOpen = false
            if (isOpen) columns[column].level = Math.max(columns[column].level ?? -120, level ?? -120)
        }
    }
    fill(count)
    return columns
}
