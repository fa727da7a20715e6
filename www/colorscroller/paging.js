// How the feed follows a finger and where it lands: numbers only. Positions are in cards, and grow downwards through the feed; velocities
// are in cards per second.

export const flick = 0.3 // heights per second, and
export const half = 0.5 // heights: either pages
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

/** Which card to land on: `card`, the one after or the one before; never more than one card a flick. A flick back takes back what the way
 * has won. */
export function landing(card, way, velocity, last) {
    let step = 0
    if (Math.abs(velocity) >= flick) step = Math.sign(velocity)
    else if (Math.abs(way) >= half) step = Math.sign(way)
    if (step * way < 0 && Math.abs(way) > 0.02) step = 0
    return Math.min(last, Math.max(0, card + step))
}
