// What is wrong with devices and outputs, by what the engine tells, and what to do about it. Each is `key` and `values` of the words; `why` is in
// the engine's own.

/** Whether a volume in dB is turned down, and not only rounded. */
export const isTurnedDown = volume => volume < -0.5

/** Of `output` in `status`. */
export function adviceOnOutput(output) {
    const found = []
    const add = (key, values = {}) => found.push({ key, values })
    if (output.state === "null") add("advice-null")
    if (output.state === "waiting") add(output.kind === "alsa" ? "advice-waitingForCard" : "advice-waiting", { why: output.issue ?? "" })
    if (output.isMutedByOthers) add("advice-mutedByOthers")
    else if (isTurnedDown(output.volumeByOthers)) add("advice-volumeByOthers", { level: output.volumeByOthers })
    if (output.state === "connected" && !output.isRealtime) add("advice-noPriority")
    if (output.underruns > 0) add("advice-underruns", { count: output.underruns })
    return found
}

/** Of the touchscreens in `device.list`. */
export function adviceOnScreens({ touchscreens, unused, refused, missing }) {
    const found = []
    const add = (key, values = {}) => found.push({ key, values })
    if (refused > 0) add("advice-refused", { count: refused })
    for (const rule of missing) add("advice-missing", { rule })
    if (touchscreens.length === 0 && refused === 0) add(unused.length > 0 ? "advice-onlyUnused" : "advice-noScreen")
    for (const { name, drops } of touchscreens.filter(({ drops }) => drops > 0)) add("advice-drops", { name, count: drops })
    return found
}

/** Of one of its motors. */
export function adviceOnMotor({ issue, missed }) {
    if (issue) return [{ key: "advice-motor", values: { why: issue } }]
    return missed > 0 ? [{ key: "advice-missed", values: { count: missed } }] : []
}

/** What a test did to each motor, by `device.list` before and after it: `played`, `missed` or `still`; and those that are gone. */
export function triedMotors(before, after) {
    return before.motors.map(motor => {
        const now = after.motors.find(({ node }) => node === motor.node)
        if (!now) return { name: motor.name, key: "motor-gone" }
        if (now.issue) return { name: now.name, key: "motor-issue", why: now.issue }
        if (now.missed > motor.missed) return { name: now.name, key: "motor-missed" }
        return { name: now.name, key: now.plays > motor.plays ? "motor-played" : "motor-still" }
    })
}
