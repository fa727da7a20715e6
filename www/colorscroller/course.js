// Where the engine has the feed, and what has been sent that it has not answered: a swipe moves the page at once, and the engine has the
// last word.

export class Course {
    /** The card that the engine shows, as it last said. */
    index = 0
    #unanswered = 0

    sent() { this.#unanswered += 1 }

    /** Says to which card the page must go, `shown` being the one that it shows; null to leave it there. */
    answered(shown) {
        this.#unanswered = Math.max(0, this.#unanswered - 1)
        return this.#correction(shown)
    }

    told(index, shown) {
        this.index = index
        return this.#correction(shown)
    }

    /** Nothing will be answered any more. */
    restart(index) {
        this.index = index
        this.#unanswered = 0
    }

    /** As long as something is under way, the page is ahead, and not wrong. */
    #correction(shown) { return this.#unanswered === 0 && shown !== this.index ? this.index : null }
}
