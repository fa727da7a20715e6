// The mock apps' icons, by their names. An app of another name has its first letter.

import { drawing, element } from "../kit/elements.js"

const drawn = {
    Chat: ["oklch(0.72 0.17 150)", "M8 10h32v22H24l-9 8v-8H8Z"],
    Photos: ["oklch(0.7 0.15 300)", "M6 38l12-18 9 12 6-7 9 13ZM33 10a5 5 0 1 1 0 10a5 5 0 0 1 0-10Z"],
    Clips: ["oklch(0.66 0.2 15)", "M15 9l26 15-26 15Z"],
    News: ["oklch(0.68 0.13 235)", "M8 9h32v7H8ZM8 21h14v18H8ZM27 21h13v4H27ZM27 28h13v4H27ZM27 35h13v4H27Z"],
    Games: ["oklch(0.74 0.16 70)", "M15 14h18a12 12 0 0 1 0 22l-5-5h-8l-5 5a12 12 0 0 1 0-22Z"],
    Shop: ["oklch(0.7 0.13 190)", "M10 16h28l-3 24H13ZM17 16a7 8 0 0 1 14 0h-4a3 4 0 0 0-6 0Z"],
}

/** Those that the onboarding offers. */
export const offered = Object.keys(drawn)

export function icon(name) {
    const [color, path] = drawn[name] ?? ["oklch(0.55 0.05 280)", null]
    const tile = element("span", { class: "icon", "aria-hidden": "true" }, path ? drawing(`<svg viewBox="0 0 48 48"><path d="${path}"/></svg>`)
        : [...name][0])
    tile.style.backgroundColor = color
    return tile
}
