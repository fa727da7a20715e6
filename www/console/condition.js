// How the house is, in one line, out of what the engine tells. No rule of its own: it only says which of several things matters most.

const silence = -120 // dB

/**
 * `kind` is `bad`, `waiting`, `good` or `calm`; `key` and `values` are the words. `status` is null where the engine does not tell it to
 * this client, and `state` before it is known.
 */
export function condition(status, state) {
    const house = status?.house, output = status?.output
    const issues = status?.issues ?? []
    if (issues.length > 0) return { kind: "bad", key: "is-wrong", values: { count: issues.length } }
    if (house?.isMuted ?? state?.isMuted) return { kind: "waiting", key: "is-muted", values: {} }
    if (output?.isMutedByOthers) return { kind: "bad", key: "is-mutedByOthers", values: {} }
    if (house && !house.isOpen) return { kind: "waiting", key: "is-closed", values: {} }
    if (house && house.volume <= silence) return { kind: "waiting", key: "is-silent", values: { preset: house.preset } }
    if (state?.tone.isOpen) return { kind: "good", key: "is-playing", values: {} }
    if (state?.hasSession) return { kind: "good", key: "is-visited", values: {} }
    return { kind: "calm", key: "is-ready", values: {} }
}

/** What there is to know beside that, each as `key` and `values` of the words; the moments in seconds since 1970. */
export function remarks({ house, output }) {
    const found = []
    const add = (key, values = {}) => found.push({ key, values })
    if (house.mute) add(house.mute.since === undefined ? "note-muted" : "note-mutedSince", { by: house.mute.by, moment: house.mute.since })
    if (house.volumeByHand) {
        const { level, by, since } = house.volumeByHand
        add(since === undefined ? "note-volume" : "note-volumeSince", { level: -level, by, moment: since })
    }
    if (!house.isOpen) add(house.opensAt === undefined ? "note-closed" : "note-closedUntil", { moment: house.opensAt })
    if (house.isByHand) add("note-presetByHand", { preset: house.preset })
    else if (house.entry) {
        const { entry, preset, nextChange } = house
        add(nextChange === undefined ? "note-hours" : "note-hoursUntil", { entry, preset, moment: nextChange })
    }
    const { byHand, level, setting } = house.ceiling
    if (byHand) add("note-ceiling", { by: byHand.by, level, setting })
    if (house.hearing?.volume < 0) add("note-hearing", { level: house.hearing.volume })
    if (output.volumeByOthers < -0.5 && !output.isMutedByOthers) add("note-volumeByOthers", { level: output.volumeByOthers })
    if (output.state === "null") add("note-null")
    if (house.waitingForStart.length > 0) add("note-waitingForStart", { keys: house.waitingForStart.join(", ") })
    return found
}
