// The leaderboard is live while somebody looks at it: rivals scroll on, and pass one another. The engine's scores are those of the hour, and
// every rank and every word to whoever leaves goes by them; what is shown beyond them is small, and passes no visitor.

import { isCalm } from "../kit/motion.js"

const [soonest, latest] = [2200, 4200] // milliseconds from one score that changes to the next
const [fewest, reach] = [3, 0.12] // how far a score may be shown above the engine's: so many cards, or so much of the score, if that is more

/** `ahead`, by name, is how many cards rivals are shown above their scores in `rows`. Returns it after one of them has scrolled on by some
 *  cards, or has fallen back because an hour is over since their first: the board is of the last hour. `random` is 0 to 1. */
export function stir(rows, ahead, random) {
    const rivals = rows.filter(row => !row.isVisitor)
    const visitor = rows.find(row => row.isVisitor)
    const { name, score } = rivals[Math.floor(random() * rivals.length)]
    const room = Math.max(fewest, Math.round(score * reach))
    const most = visitor && score < visitor.score ? Math.min(room, visitor.score - score - 1) : room
    const before = ahead.get(name) ?? 0
    const after = before >= most ? 0 : Math.min(most, before + 1 + Math.floor(random() * 3))
    return new Map(ahead).set(name, after)
}

/** `rows` with what rivals are ahead of their scores, the best first. */
export const stirred = (rows, ahead) => rows.map(row => ({ ...row, score: row.score + (ahead.get(row.name) ?? 0) }))
    .sort((a, b) => b.score - a.score)

/** Has `board` be live while `isSeen` says that it is on the screen. Where motion is not welcome nothing changes by itself. */
export function enliven(board, isSeen) {
    setTimeout(() => {
        if (isSeen() && !isCalm()) board.stir()
        enliven(board, isSeen)
    }, soonest + (latest - soonest) * Math.random())
}
