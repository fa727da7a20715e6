// The parts that Now and Do are made of.

import { element } from "../kit/elements.js"

/** A card with its heading. `name` is its class, and may be empty. */
export const card = (name, heading, ...parts) => element("section", { class: `card ${name}`.trim(), "aria-label": heading },
    element("h2", {}, heading), ...parts)

/** What a row is about: its name, and words below it, which may be left out. */
export const about = (name, ...below) => element("span", {}, element("b", {}, name), ...below)

/** A term and its value, with a small word after it. */
export const entry = (term, value, small = null) => element("div", {}, element("dt", {}, term),
    element("dd", {}, value, small === null ? null : element("small", {}, small)))

/** A button that opens the flight recorder on what was before `wish`, as `Recorder.open` takes it. */
export const recallButton = (words, recall, wish) => element("button", { type: "button", class: "do small quiet", "data-do": "recall",
    "aria-label": words.say("recallOf", { what: wish.title }), onclick: () => recall(wish) }, words.say("recall"))
