// Energy and Gems: as amounts, as prices, and on buttons.

import { element } from "../kit/elements.js"
import { icon } from "./icons.js"

/** "⚡ 30", with the currency's name for who cannot see it. */
export function amount(words, currency, value, sign = false) {
    const figure = sign && value > 0 ? `+${words.number.format(value)}` : words.number.format(value).replace("-", "−")
    return element("span", { class: `amount ${currency}` }, icon(currency), element("span", {}, figure),
        element("span", { class: "unseen" }, ` ${words.say(currency)}`))
}

/** What something costs, in one currency or both. */
export function price(words, { energy = 0, gems = 0 }) {
    return element("span", { class: "price" }, energy > 0 ? amount(words, "energy", energy) : null, gems > 0 ? amount(words, "gems", gems) : null)
}

/** What a movement of the books has brought to a wallet; less than 0 for what it took. */
export function brought({ postings }, currency) {
    return postings.filter(({ account }) => account === `wallet.${currency}`).reduce((sum, { amount }) => sum + amount, 0)
}

/** Whether this page is told of the household's money: whoever did not come in its name is not. */
export const isOurs = state => state.gems !== undefined

/** Why it cannot be paid or done, of what the engine has told; null where it can be. */
export function whyNot(words, { energy = 0, gems = 0, waits = 0, left = null, reason }, state) {
    if (!isOurs(state)) return words.say("notYours")
    if (reason === undefined || reason === null) return null
    if (left === 0) return words.say("noneLeft")
    if (waits > 0) return words.say("waits", { time: duration(words, waits) })
    if (gems > state.gems) return words.say("lackGems", { count: gems - state.gems })
    if (energy > state.energy) return words.say("lackEnergy", { count: energy - state.energy })
    if (state.condition === "dead") return words.say("notDead", { name: state.name })
    return words.say("notNow")
}

/** Seconds in the greatest unit that tells them. */
export function duration(words, seconds) {
    if (seconds < 90) return words.say("seconds", { count: Math.ceil(seconds) })
    if (seconds < 5400) return words.say("minutes", { count: Math.ceil(seconds / 60) })
    if (seconds < 2 * 86_400) return words.say("hours", { count: Math.ceil(seconds / 3600) })
    return words.say("days", { count: Math.ceil(seconds / 86_400) })
}

/** Minutes as hours and minutes. */
export function span(words, minutes) {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
    if (hours === 0) return words.say("minutesShort", { count: rest })
    return rest === 0 ? words.say("hoursShort", { count: hours }) : words.say("hoursMinutes", { hours, minutes: String(rest).padStart(2, "0") })
}
