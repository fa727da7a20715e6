// What is behind a shield: each mock app has a feed of its own look, which goes on for as long as somebody scrolls. Drawn, without words.

import { element } from "../kit/elements.js"

const most = 240, page = 12 // posts in all, and how many come at once
const nearEnd = 1.5 // heights of the feed

/** Colours that follow one another far apart, in degrees of hue. */
const hue = number => Math.round(number * 137.5) % 360
/** 0 to `range` - 1, by chance to look at, and the same for the same post. */
const some = (number, range) => Math.floor(Math.abs(Math.sin(number * 12.9898 + 4.1) * 43758.5453)) % range

const parts = (...names) => names.map(name => element("i", { class: name }))

const posts = {
    Chat: number => ({ class: some(number, 3) === 0 ? "bubble mine" : "bubble", inside: Array.from({ length: 1 + some(number, 3) }, () => element("b")) }),
    Photos: number => ({ class: `photo kind-${some(number, 4)}`, inside: parts("sun", "hill", "hill near") }),
    Clips: number => ({ class: `clip kind-${some(number, 3)}`, inside: [...parts("shape", "shape small", "play", "heart", "heart talk"), element("b"), element("b")] }),
    News: number => ({ class: number % 4 === 0 ? "story lead" : "story", inside: [element("i", { class: "shot" }), ...Array.from({ length: 3 }, () => element("b"))] }),
    Games: number => ({ class: `level kind-${some(number, 3)}`, inside: parts("star", "star", "star") }),
    Shop: number => ({ class: `thing kind-${some(number, 3)}`, inside: [...parts("goods", "price"), element("b")] }),
}
const plain = () => ({ class: "line", inside: [element("i"), element("b"), element("b")] })

function post(name, number) {
    const { class: kind, inside } = (posts[name] ?? plain)(number)
    const made = element("div", { class: kind, "aria-hidden": "true" }, inside)
    made.style.setProperty("--hue", hue(number))
    return made
}

/** The feed of the app `name`. Whoever comes near its end finds more there. */
export function feed(name) {
    const list = element("div", { class: "feed scrolls", "data-feed": name in posts ? name : "other", role: "region", tabindex: 0, "aria-label": name })
    const grow = () => {
        const from = list.childElementCount
        if (from < most) list.append(...Array.from({ length: page }, (_, number) => post(name, from + number)))
    }
    grow()
    list.addEventListener("scroll", () => {
        if (list.scrollTop + (1 + nearEnd) * list.clientHeight > list.scrollHeight) grow()
    })
    return list
}
