import CLinux
import Conductor
import Experience
import Signals
import Wire

/// Keeps visitors, players and who sets the volume to what people can do, and from ending what others are at. Only the stage has this
/// class: its state is the event loop's.
final class RateDesk {
    private var rates: HumanRates
    private var acts = LatestActs()

    /// `journalSpace` is what journals may take up, in bytes.
    init(journalSpace: Int64) { rates = HumanRates(journalSpace: journalSpace) }

    /// Counts what was refused since the start.
    var refused: UInt64 { rates.refused }

    /// Forgets a client that is gone.
    func forget(_ client: Int) { rates.forget(client) }

    /// Returns why a client may not do `kind` just now: it is faster than people can, or the household that would enter is being removed.
    /// Nil when it may, and then it counts. What lets go of a visitor's own is never refused.
    func refusal(of kind: EventKind, from client: Int, on stage: isolated Stage) -> ErrorReply? {
        let entry = stage.conductor.entry(by: Event(client: .connection(client), kind))
        if let entry, let refusal = stage.desks.households.refusal(toEnter: entry.household) { return refusal }
        // Everybody may stop everybody's sound, and only operators again and again.
        guard isRated(client, stage) || kind == .stop && stage.clients.presence.role(of: client) != .operator else { return nil }
        if release(by: kind, client, stage) == .retunes { return refusal(of: .moving, by: client, stage) }
        var isForHousehold = false
        if case .action(let action) = kind, let declared = stage.conductor.piece.declaration.action(action.name) {
            isForHousehold = declared.isForHousehold || declared.entersHousehold
        }
        guard let doing = kind.doing(isForHousehold) else { return nil }
        return refusal(of: doing, by: client, stage)
    }

    private func refusal(of doing: HumanRates.Doing, by client: Int, _ stage: isolated Stage) -> ErrorReply? {
        rates.refusal(of: doing, by: client, stage.clients.presence.identity(of: client), at: monotonicNanoseconds())
    }

    /// Returns whether a visitor or player lets go of what it does not hold. Nothing changes by it, and journals need no line for it.
    func isIdle(_ kind: EventKind, from client: Int, on stage: isolated Stage) -> Bool {
        kind != .stop && isRated(client, stage) && release(by: kind, client, stage) == .nothing
    }

    private func release(by kind: EventKind, _ client: Int, _ stage: isolated Stage) -> Hands.Release? {
        (stage.conductor.run?.run.hands ?? Hands()).release(by: Event(client: .connection(client), kind))
    }

    /// Returns why a client may not bring a name of which nothing is kept; nil when it may, and then it counts. To be asked when nothing
    /// else is in the way of its entering: whoever is refused has brought no name.
    func refusal(ofNameBy client: Int, on stage: isolated Stage) -> ErrorReply? {
        guard isRated(client, stage) else { return nil }
        return refusal(of: .naming, by: client, stage)
    }

    /// Returns why a client may not do just now what is no event, or not yet: a receipt, a session's end, a volume.
    func refusal(ofDeedBy client: Int, on stage: isolated Stage) -> ErrorReply? {
        guard isRated(client, stage) else { return nil }
        return refusal(of: .deciding, by: client, stage)
    }

    /// Notes that a run has begun, with a journal of its own.
    func noteRun(begunBy client: Client, at now: Int64, on stage: isolated Stage) {
        guard case .connection(let number) = client, isRated(number, stage) else { return }
        rates.begunSession(by: number, at: now)
        // Its secret may have been compared while it went: nobody forgets it later, and others' parts would stay smaller.
        if !stage.clients.presence.isConnected(number) { rates.forget(number) }
    }

    private func isRated(_ client: Int, _ stage: isolated Stage) -> Bool {
        stage.clients.presence.role(of: client).isRated
    }

    /// Notes that a client has done something, other than to set how loud the house is; `entering` is the household that entered by it.
    func noteAct(_ client: Client, _ kind: EventKind, entering: String?, at now: Int64, on stage: isolated Stage) {
        if let entering, entering == stage.conductor.household { stage.outputs.guests.joined(client.number) }
        switch kind {
        case .left, .stop: return
        case _ where kind.isLoudness: return
        default: break
        }
        acts.note(client, at: now)
        let presence = stage.clients.presence
        stage.outputs.guests.acted(client, at: now) { guests in guests.contains { presence.isLocal($0) } }
    }

    /// Returns why `client` may not end the session now; nil when it may. Only operators end what others are at.
    func refusal(toEndSessionBy client: Int, on stage: isolated Stage) -> ErrorReply? {
        let isLocal = stage.clients.presence.isLocal(client)
        guard stage.clients.presence.role(of: client) != .operator,
              let wait = acts.wait(of: client, isLocal: isLocal, at: monotonicNanoseconds()) else { return nil }
        return ErrorReply(.refused(.notYet), "others are at it; stop lets go of everything at once", retryAfter: Double(wait) / 1e9)
    }
}

/// Notes who did something last, so that nobody ends what others are at. A plain value: the caller gives the time (CLOCK_MONOTONIC,
/// nanoseconds). Thread: the event loop.
struct LatestActs {
    /// How long somebody counts as being at it after an act, in nanoseconds.
    static let lasting: Int64 = 10_000_000_000

    /// Who acts. This machine's own touchscreens are one: the same people are at all of them.
    private enum Source: Equatable {
        case screens
        case connection(Int)

        init?(_ client: Client) {
            switch client {
            case .screen: self = .screens
            case .connection(let number): self = .connection(number)
            case .engine: return nil
            }
        }
    }

    /// The last act of each source, the newest last. Three are enough: one of them is neither a given client's own nor a touchscreen's, if
    /// there is such an act at all.
    private var acts: [(source: Source, at: Int64)] = []

    mutating func note(_ client: Client, at now: Int64) {
        guard let source = Source(client) else { return }
        acts.removeAll { $0.source == source }
        acts.append((source, now))
        if acts.count > 3 { acts.removeFirst() }
    }

    /// Returns in how many nanoseconds `client` may end what others are at; nil when it may now. Whoever uses a local client is taken to be
    /// at this machine's touchscreens.
    func wait(of client: Int, isLocal: Bool, at now: Int64) -> Int64? {
        let others = acts.filter { $0.source != .connection(client) && !(isLocal && $0.source == .screens) }
        guard let last = others.last?.at, now < last + Self.lasting else { return nil }
        return last + Self.lasting - now
    }
}
