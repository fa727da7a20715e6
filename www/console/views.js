// Which views there are for this piece and this client. One that the running piece has nothing for is left out.

import { inspects, setsVolume } from "./roles.js"
import { queries } from "./support.js"

export const all = ["now", "doing", "sessions", "venue", "devices", "configuration", "flags", "ledger", "support", "log"]

/** Asks the engine what the piece has. Who is no operator has `now`, `doing` to set the volume, and what there is to look on. */
export async function viewsFor(engine) {
    const { role, experience, methods } = engine.greeting
    if (role !== "operator") return ["now", ...setsVolume(role) ? ["doing"] : [], ...inspects(role) ? ["sessions", "venue", "devices"] : []]
    const { kinds } = await engine.ask("config.history")
    const documents = await Promise.all(kinds.map(({ kind }) => engine.ask("config.get", { kind })))
    const { balances, households } = await engine.ask("ledger.balances")
    const has = {
        now: true, doing: true, sessions: true, venue: true, devices: true, configuration: kinds.length > 0,
        flags: documents.some(({ document }) => document.flags && typeof document.flags === "object"),
        ledger: balances.length > 0 || households.length > 0,
        support: queries.every(query => methods.includes(`${experience}.${query}`)),
        log: true,
    }
    return all.filter(view => has[view])
}

/** What a client of this role is told in a view. Levels and fingers are told only where they are drawn. */
export function topicsOf(view, role) {
    const everywhere = role === "operator" ? ["config.outlook"] : []
    if (view === "doing") return [...everywhere, "cue"]
    if (view === "sessions") return [...everywhere, "session"]
    if (view === "devices") return [...everywhere, "cue", "touches", "touch.owner", ...inspects(role) ? ["event", "device"] : []]
    if (view !== "now") return everywhere
    return [...everywhere, "state", "meters", "cue", "touches", "touch.owner", "session", ...inspects(role) ? ["event", "fault", "device"] : []]
}
