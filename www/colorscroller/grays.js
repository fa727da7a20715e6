// Which grey a grey card is drawn in. A swipe from one to the next must be seen, and the engine's greys are drawn by lot.

import { fromHex, toHex } from "./colors.js"

/** Neighbours differ by so much at least, of 255. */
export const apart = 16
const [darkest, lightest] = [16, 239]

/** `card` as it is drawn between the cards `before` and `after` it, where those are known. Every second grey stays as it is told; the others
 *  step away from those, by no more than it takes. */
export function asDrawn(card, before, after) {
    if (card?.face !== "gray" || card.index % 2 === 0) return card
    const beside = [before, after].filter(other => other?.face === "gray").map(level)
    const isApart = gray => beside.every(other => Math.abs(gray - other) >= apart)
    const told = level(card)
    if (isApart(told)) return card
    const nearest = beside.flatMap(other => [other - apart, other + apart]).filter(gray => gray >= darkest && gray <= lightest && isApart(gray))
        .sort((a, b) => Math.abs(a - told) - Math.abs(b - told))[0]
    return { ...card, color: toHex([nearest, nearest, nearest].map(part => part / 255)) }
}

const level = ({ color }) => Math.round(255 * fromHex(color)[0])
