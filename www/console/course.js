// A picture of what a session was like: how loud the tone was, how much was done, and where something was marked or went wrong.

import { course } from "./journal.js"

const columns = 150, height = 88, floor = -60 // of the picture; dBFS
const space = "http://www.w3.org/2000/svg"

function shape(tag, attributes, ...children) {
    const made = document.createElementNS(space, tag)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
    made.append(...children)
    return made
}

/** The stretch `from` to `to`, in seconds. `label` says in words what is seen. */
export function picture({ lines, rate, from, to, marks = [], faults = [] }, label) {
    const parts = course(lines, rate, from, to, columns)
    const busiest = Math.max(1, ...parts.map(({ events }) => events))
    const tone = parts.map(({ level }, column) => {
        if (level === null) return ""
        const tall = Math.max(2, (1 - Math.max(floor, level) / floor) * (height - 30))
        return `M${column} ${height - 22}V${(height - 22 - tall).toFixed(1)}h1V${height - 22}Z`
    }).join("")
    const deeds = parts.map(({ events }, column) => events === 0 ? "" : `M${column} ${height}v${(-3 - 14 * events / busiest).toFixed(1)}h0.7V${height}Z`).join("")
    const lineAt = (at, kind) => {
        const x = ((at - from) / (to - from) * columns).toFixed(2)
        return shape("path", { class: kind, d: `M${x} 0V${height}`, "vector-effect": "non-scaling-stroke" })
    }
    return shape("svg", { class: "course", viewBox: `0 0 ${columns} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
        shape("path", { class: "ground", d: `M0 ${height - 21.5}H${columns}`, "vector-effect": "non-scaling-stroke" }),
        shape("path", { class: "tone", d: tone }), shape("path", { class: "deeds", d: deeds }),
        ...marks.map(({ at }) => lineAt(at, "mark")), ...faults.map(({ at }) => lineAt(at, "wrong")))
}
