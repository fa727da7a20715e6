// The leaderboard is live while nobody is there: rivals are shown a little short of the engine's scores, catch up with them, and pass one
// another. A score never falls. Whoever begins a visit sees the engine's scores, because every rank goes by them.

import { isCalm } from "../kit/motion.js"

const [soonest, latest] = [2200, 4200] // milliseconds from one score that changes to the next
// How far a score may be shown below the engine's: so many cards, or so much of the score, if that is more, but at most half.
const [fewest, reach] = [3, 0.12]

/** Returns by how many cards each rival of `rows` is shown short at first, by name. A rival ahead of the last visitor stays ahead, because the
 *  board also tells that visitor's rank. */
export function shortfalls(rows) {
    const visitor = rows.find(row => row.isVisitor)
    return new Map(rows.filter(row => !row.isVisitor).map(({ name, score }) => {
        const least = visitor && score >= visitor.score ? visitor.score : 0
        return [name, Math.max(0, Math.min(score - least, Math.floor(score / 2), Math.max(fewest, Math.round(score * reach))))]
    }))
}

/** Returns `short` after one rival, if any is short of its score, has scrolled on by up to three cards. `random` returns 0 to 1. */
export function stir(short, random) {
    const names = [...short.keys()].filter(name => short.get(name) > 0)
    if (names.length === 0) return short
    const name = names[Math.floor(random() * names.length)]
    return new Map(short).set(name, Math.max(0, short.get(name) - 1 - Math.floor(random() * 3)))
}

/** Returns `rows` less what the rivals are short of, the best first. */
export const stirred = (rows, short) => rows.map(row => ({ ...row, score: row.score - (short.get(row.name) ?? 0) }))
    .sort((a, b) => b.score - a.score)

/** Has `board` be live while `isSeen` says that it is on the screen. Where motion is not welcome nothing changes by itself. */
export function enliven(board, isSeen) {
    setTimeout(() => {
        if (isSeen() && !isCalm()) board.stir()
        enliven(board, isSeen)
    }, soonest + (latest - soonest) * Math.random())
}
