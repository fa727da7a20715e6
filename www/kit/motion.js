// Whether motion is welcome, and how things come and go.

const query = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)")

export const isCalm = () => query?.matches ?? false

const entering = 220, leaving = 160, fading = 120 // milliseconds

/** Shows `element`, from `offset` (a CSS transform) to its place. Where motion is not welcome it only fades in. */
export function enter(element, offset) {
    element.hidden = false
    cancel(element)
    const from = isCalm() ? { opacity: 0 } : { opacity: 0, transform: offset }
    const to = isCalm() ? { opacity: 1 } : { opacity: 1, transform: "none" }
    element.animate([from, to], { duration: isCalm() ? fading : entering, easing: "cubic-bezier(0.2, 0.9, 0.3, 1)" })
}

/** The way back. */
export async function leave(element, offset) {
    if (element.hidden) return
    cancel(element)
    const to = isCalm() ? { opacity: 0 } : { opacity: 0, transform: offset }
    const animation = element.animate([{ opacity: 1 }, to], { duration: isCalm() ? fading : leaving, easing: "ease-in", fill: "forwards" })
    try {
        await animation.finished
        element.hidden = true
        animation.cancel()
    } catch {
        // Shown again in the meantime.
    }
}

function cancel(element) { for (const animation of element.getAnimations()) animation.cancel() }
