// "Keep scrolling", and a chevron that bounces: faster the longer somebody stays. It must nag.

import { isCalm } from "../kit/motion.js"

const chevron = '<svg viewBox="0 0 48 28" aria-hidden="true"><path d="M4 24 24 4l20 20"/></svg>'

export function promptMaker(words) {
    return key => new Prompt(words.say(key))
}

class Prompt {
    constructor(text) {
        this.element = document.createElement("div")
        this.element.className = "prompt"
        this.element.innerHTML = chevron
        const label = document.createElement("span")
        label.textContent = text
        this.element.append(label)
    }

    /** `ground` is the card's colour below the words, which stays where the card's edges darken. */
    dress({ color, ground, hasGround }) {
        this.element.style.color = color
        this.element.style.setProperty("--ground", ground)
        this.element.classList.toggle("grounded", hasGround)
    }
}

/** How fast the prompt of the card that is shown bounces after so many seconds there: from 1 to 2.6 times. */
export const nagging = seconds => 1 + 1.6 * Math.min(1, Math.max(0, seconds - 2) / 12)

/** Has the prompt of `feed` nag. */
export function nag(feed) {
    let since = performance.now()
    feed.on("shown", () => since = performance.now())
    setInterval(() => {
        if (isCalm()) return
        const rate = nagging((performance.now() - since) / 1000)
        for (const animation of feed.view?.prompt.element.getAnimations({ subtree: true }) ?? []) animation.updatePlaybackRate(rate)
    }, 500)
}
