// What a document changes, what is wrong with it, and what it would lead to, as the engine tells it.

import { element } from "../kit/elements.js"
import { icon } from "./icons.js"
import { line } from "./tree.js"

/** The changes, one a row. */
export function changes(words, diff) {
    if (diff.changes.length === 0) return element("p", { class: "quiet" }, words.say("changesNothing"))
    return element("ul", { class: "changes" }, diff.changes.map(({ path, old, new: next }) => {
        const kind = old === undefined ? "added" : next === undefined ? "removed" : "changed"
        return element("li", { "data-change": kind }, element("code", { class: "path" }, path), element("span", { class: "values" },
            old === undefined ? null : element("del", {}, line(old)), kind === "changed" ? element("i", { "aria-hidden": "true" }, "→") : null,
            next === undefined ? null : element("ins", {}, line(next))))
    }))
}

/** Whether anything speaks against it. */
export function judgement(words, diff) {
    if (diff.objections.length === 0) return element("p", { class: "verdict good" }, icon("done"), words.say("nothingWrong"))
    return element("div", { class: "verdict bad" }, element("p", {}, icon("wrong"), words.say("isWrong", { count: diff.objections.length })),
        element("ul", {}, diff.objections.map(text => element("li", {}, text))))
}

/** Figures before and after, with a bar for each: full is the larger of both. */
export function outlook(words, { about, rows }) {
    const name = text => words.entries[`measure: ${text}`] ?? text
    return element("div", { class: "outlook" }, element("p", { class: "quiet" }, words.say("simulated", { about: name(about) })),
        element("table", {}, element("thead", {}, element("tr", {}, ["measure", "before", "afterwards"].map(key => element("th", { scope: "col" }, words.say(key))))),
            element("tbody", {}, rows.map(row => {
                const most = Math.max(Math.abs(row.before ?? 0), Math.abs(row.after ?? 0), 1e-9)
                const cell = (value, kind) => {
                    const track = element("i", { class: kind, "aria-hidden": "true" })
                    track.style.setProperty("--part", Math.abs(value ?? 0) / most)
                    return element("td", {}, element("b", {}, value === undefined ? "–" : words.number.format(value)), row.unit ? ` ${row.unit}` : null, track)
                }
                return element("tr", { "data-same": String(row.before === row.after) }, element("th", { scope: "row" }, name(row.name)), cell(row.before, "before"), cell(row.after, "after"))
            }))))
}

/** A button that has the engine simulate what `wanted` leads to, and then shows it in its own place. `main.js` moves the bar. */
export function simulation(words, engine, wanted) {
    const root = element("div", { class: "simulation" })
    const run = async () => {
        const bar = element("progress", { max: 1, value: 0, "aria-label": words.say("simulating") })
        root.replaceChildren(element("p", { class: "quiet", role: "status" }, words.say("simulating")), bar)
        try {
            const diff = await engine.ask("config.diff", { ...wanted, outlook: true })
            root.replaceChildren(diff.outlook ? outlook(words, diff.outlook) : judgement(words, diff))
        } catch ({ message }) {
            root.replaceChildren(element("p", { class: "verdict bad" }, icon("wrong"), message))
        }
    }
    root.append(element("button", { type: "button", class: "do quiet", "data-do": "simulate", onclick: run }, words.say("simulate")))
    return root
}
