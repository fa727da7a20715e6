// What is done to the daemon: end the session, read the settings again, start it or the kiosk anew; and how the kiosk's screens are.

import { element } from "../kit/elements.js"
import { asksTwice, attempt, Outcome } from "./act.js"
import { about, card } from "./cards.js"
import { lasting } from "./figures.js"

const text = (tag, ...words) => element(tag, {}, ...words)

export class Tasks {
    constructor(parts) {
        const { words } = parts
        this.parts = parts
        /** The new start that is under way: where it is said what came of it, and since when. */
        this.restart = null
        this.session = element("small")
        const ended = new Outcome()
        const end = asksTwice(words, words.say("endSession"), words.say("endSessionSure"), async () => {
            await attempt(parts, ended, "session.end", {}, words.say("did-ended"))
            await parts.changed()
        })
        end.dataset.do = "end"
        this.end = end
        const reloaded = new Outcome()
        this.report = element("ul", { class: "report" })
        const reload = element("button", { type: "button", class: "do quiet", "data-do": "reload" }, words.say("reload"))
        reload.onclick = () => this.#reload(reloaded)
        const [begun, beganKiosk] = [new Outcome(), new Outcome()]
        const again = asksTwice(words, words.say("restart"), words.say("restartSure"), () => this.#restart(begun))
        again.dataset.do = "restart"
        const againKiosk = asksTwice(words, words.say("restart"), words.say("restartSure"), () =>
            attempt(parts, beganKiosk, "kiosk.restart", {}, words.say("restartsKiosk")))
        againKiosk.dataset.do = "restart-kiosk"
        this.againKiosk = againKiosk
        const row = (name, ...parts) => element("div", { class: "row", "data-row": name }, ...parts)
        this.kiosk = element("ul", { class: "report kiosk" })
        const settings = about(words.say("settings"), text("small", words.say("settingsText")))
        this.root = card("", words.say("do-tasks"),
            row("session", element("div", {}, about(words.say("session"), this.session), end), ended.root),
            row("reload", element("div", {}, settings, reload), reloaded.root, this.report),
            row("kiosk", element("div", {}, about(words.say("kiosk"), text("small", words.say("kioskText"))), againKiosk), beganKiosk.root, this.kiosk),
            row("restart", element("div", {}, about(words.say("engine"), text("small", words.say("engineText"))), again), begun.root))
    }

    async #restart(outcome) {
        const began = performance.now()
        if (await attempt(this.parts, outcome, "daemon.restart", {}, this.parts.words.say("restarting"))) this.restart = { outcome, began, isAway: false }
    }

    /** The engine is away. Where that was asked for, the page says so while it waits. */
    went() {
        if (!this.restart) return
        this.restart.isAway = true
        this.#await("restarting")
    }

    /** It is there, and how long that took is said. */
    came() {
        if (!this.restart?.isAway) return
        const { outcome, began } = this.restart
        this.restart = null
        this.#await("oneMoment")
        outcome.say(this.parts.words.say("restarted", { time: lasting(this.parts.words, (performance.now() - began) / 1000) }))
    }

    #await(what) { document.querySelector("#calm p").textContent = this.parts.words.say(what) }

    async #reload(outcome) {
        const { words } = this.parts
        this.report.replaceChildren()
        const answer = await attempt(this.parts, outcome, "setting.reload", {})
        if (!answer) return
        const { changes, waitingForStart, warnings } = answer
        outcome.say(words.say(changes.length + waitingForStart.length === 0 ? "reloadedSame" : "reloaded", { count: changes.length }))
        this.report.replaceChildren(
            ...changes.map(({ key, former, value }) => element("li", {}, text("code", key),
                former === value ? text("span", words.say("fileChanged")) : text("span", text("del", former), " → ", text("ins", value)))),
            ...waitingForStart.map(key => element("li", {}, text("code", key), text("span", words.say("nextStart")))),
            ...warnings.map(warning => element("li", { "data-kind": "warning" }, text("span", warning))))
        await this.parts.changed()
    }

    /** What `status` tells. */
    draw({ session, kiosk }) {
        const { words } = this.parts
        this.session.textContent = session
            ? words.say("sessionRuns", { time: lasting(words, session.seconds), events: session.events }) : words.say("noSession")
        for (const button of this.end.querySelectorAll("button")) button.disabled = !session
        for (const button of this.againKiosk.querySelectorAll("button")) button.disabled = !kiosk
        this.kiosk.replaceChildren(...kiosk ? this.#ofKiosk(kiosk) : [text("li", words.say("noKiosk"))])
    }

    #ofKiosk({ secondsSinceReport, report: { screens, areScreensOn, restarts } }) {
        const { words } = this.parts
        const silence = secondsSinceReport > 10 ? [words.say("kioskSilent", { time: lasting(words, secondsSinceReport) })] : []
        const drawn = screens.map(({ name, isDrawing, issue }) => {
            const what = issue ?? words.say(!areScreensOn ? "screenOff" : isDrawing ? "screenDraws" : "screenStill")
            return element("li", { "data-kind": issue ? "warning" : "good" }, text("code", name), text("span", what))
        })
        const count = Object.values(restarts).reduce((sum, count) => sum + count, 0)
        return [
            ...silence.map(what => element("li", { "data-kind": "warning" }, what)), ...drawn, text("li", words.say("restarts", { count })),
        ]
    }
}
