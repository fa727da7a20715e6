// Whoever works with the keyboard stays where they were when a view is drawn anew.

const conditions = ["changed", "drawn", "is", "kind", "key", "open", "state"] // data attributes that say how something is, and not which one it is

/** What an element is called, in words that outlast a drawing: its kind, its names, and those of what it stands in. */
function nameOf(element, root) {
    const names = []
    for (let part = element; part && part !== root; part = part.parentElement) names.push(part.id, ...Object.entries(part.dataset).filter(([name]) => !conditions.includes(name)).flat())
    const own = [element.tagName, element.type, element.getAttribute("aria-label")]
    return [...own, ...names].join(" ")
}

const alike = (root, element, name) => [...root.querySelectorAll(element.tagName)].filter(other => nameOf(other, root) === name)

/** Gives the focus to what has taken the place of the element that had it, and to `root` where there is none. */
export function keepFocus(root) {
    let held = null
    const mend = () => {
        if (!held || held.element.isConnected || document.activeElement !== document.body) return
        const { element, name, number } = held
        held = null
        const others = alike(root, element, name)
        const next = others[number] ?? others.at(-1) ?? root
        next.focus({ preventScroll: true })
    }
    root.addEventListener("focusin", ({ target }) => {
        if (target === root) return void (held = null)
        const name = nameOf(target, root)
        held = { element: target, name, number: alike(root, target, name).indexOf(target) }
    })
    // Whoever has left of their own will is not fetched back.
    root.addEventListener("focusout", () => setTimeout(() => {
        if (held?.element.isConnected && document.activeElement === document.body) held = null
    }))
    new MutationObserver(mend).observe(root, { childList: true, subtree: true })
    // A dialog gives the focus back to what may be gone by then.
    document.addEventListener("close", () => queueMicrotask(mend), true)
}
