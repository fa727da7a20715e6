// How the feed follows a finger: numbers only. Positions are in cards, and grow downwards through the feed.

const give = 0.55, heldGive = 0.12 // of the way beyond an end, and in a pause

/** The way a finger has gone beyond where the feed may follow, made short: it gives less and less, and never a whole height. */
export const rubber = (way, softness = give) => Math.sign(way) * (1 - 1 / (Math.abs(way) * softness + 1))

/** Where the feed is when the finger has gone `way` cards since it was at `start`. `last` is the last card there is. */
export function follow(start, way, last, isHeld) {
    if (isHeld) return start + rubber(way, heldGive)
    const wanted = start + way
    if (wanted < 0) return Math.min(start, 0) + rubber(wanted - Math.min(start, 0))
    if (wanted > last) return last + rubber(wanted - last)
    return wanted
}
