// The light of the pet's day, from its clock.

const hours = [[0, 0, 0], [5, 0.04, 0.1], [6.5, 0.45, 1], [9, 1, 0.15], [16, 1, 0.1], [18.5, 0.62, 1], [20.5, 0.18, 0.55], [22, 0.02, 0.05], [24, 0, 0]]

/**
 * Of a time of day, `HH:MM`: `brightness` and `warmth` of the light, 0 to 1; `way`, how far the sun has come from 6 to 18 o'clock, and the
 * moon from 18 to 6, 0 to 1; `isDay`, which of the two is up; `part` of the day that is over, 0 to 1.
 */
export function lightAt(time) {
    const [hour, minute] = time.split(":").map(Number)
    const now = hour + minute / 60
    const next = Math.max(1, hours.findIndex(([from]) => from > now))
    const [[from, ...before], [to, ...after]] = [hours[next - 1], hours[next]]
    const share = (now - from) / (to - from)
    const [brightness, warmth] = before.map((value, index) => value + (after[index] - value) * share)
    const isDay = now >= 6 && now < 18
    return { brightness, warmth, isDay, way: (isDay ? now - 6 : (now + 6) % 24) / 12, part: now / 24 }
}

/** Hours and minutes from `time` to midnight. */
export function untilMidnight(time) {
    const [hour, minute] = time.split(":").map(Number)
    const left = 24 * 60 - hour * 60 - minute
    return { hours: Math.floor(left / 60), minutes: left % 60 }
}
