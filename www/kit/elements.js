// Small parts of pages, made in a line.

/** An element with attributes, listeners (`onclick`) and children, which may be words. What is null is left out. */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value)
        else made.setAttribute(name, value === true ? "" : value)
    }
    made.append(...children.flat().filter(child => child !== null && child !== undefined))
    return made
}

/** A drawing. Its text is the page's own, never a visitor's. */
export function drawing(markup) {
    const holder = document.createElement("template")
    holder.innerHTML = markup
    return holder.content.firstElementChild
}

/** A row of which one is chosen. `options` are `[value, words]`. */
export function choice(options, chosen, choose, label) {
    return element("div", { class: "choice", role: "group", "aria-label": label }, options.map(([value, text]) =>
        element("button", { type: "button", "aria-pressed": String(value === chosen), onclick: () => choose(value) }, text)))
}

/** A figure between two ends, with a button at each side. `say` gives its words; `isNamed` shows what it is called. */
export function stepper({ value, from, to, by, say, label, less, more, changed, isNamed = false }) {
    const figure = element("output", { "aria-label": label }, say(value))
    const step = way => {
        value = Math.min(to, Math.max(from, value + way * by))
        figure.textContent = say(value)
        changed(value)
    }
    return element("div", { class: "stepper" }, isNamed ? element("span", { "aria-hidden": "true" }, label) : null,
        element("button", { type: "button", "aria-label": `${label}: ${less}`, onclick: () => step(-1) }, "−"), figure,
        element("button", { type: "button", "aria-label": `${label}: ${more}`, onclick: () => step(1) }, "+"))
}

/** A bar that is full to `part` of 1. */
export function bar(part, color) {
    const inner = element("i")
    inner.style.transform = `scaleX(${part})`
    return element("div", { class: "bar", "data-bar": color, "aria-hidden": "true" }, inner)
}
