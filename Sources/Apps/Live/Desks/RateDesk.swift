import CLinux
import Conductor
import Experience
import Signals
import Wire

/// Limits visitors, players and clients that set the volume to what people can do, and keeps them from ending what others are doing. Only
/// the stage has this class, so its state belongs to the event loop.
final class RateDesk {
    private var rates: HumanRates
    private var acts = LatestActs()

    /// `journalSpace` is the space that journals may take up, in bytes.
    init(journalSpace: Int64) { rates = HumanRates(journalSpace: journalSpace) }

    /// The number of events and requests that were refused since the start.
    var refused: UInt64 { rates.refused }

    /// Forgets a client that has disconnected.
    func forget(_ client: Int) { rates.forget(client) }

    /// Returns why a client may not do `kind` now: it acts faster than people can, or the household that would enter is being removed. Nil
    /// when it may; then the event is counted. Events by which a visitor lets go of something are never refused.
    func refusal(of kind: EventKind, from client: Int, on stage: isolated Stage) -> ErrorReply? {
        let entry = stage.conductor.entry(by: Event(client: .connection(client), kind))
        if let entry, let refusal = stage.desks.households.refusal(toEnter: entry.household) { return refusal }
        // Every client may stop everybody's sound, but only operators may do so again and again.
        guard isRated(client, stage) || kind == .stop && stage.clients.presence.role(of: client) != .operator else { return nil }
        if release(by: kind, client, stage) == .retunes { return refusal(of: .moving, by: client, stage) }
        var isForHousehold = false
        if case .action(let action) = kind, let declared = stage.conductor.piece.declaration.action(action.name) {
            isForHousehold = declared.isForHousehold || declared.entersHousehold
        }
        guard let action = kind.actionKind(isForHousehold: isForHousehold) else { return nil }
        return refusal(of: action, by: client, stage)
    }

    private func refusal(of action: HumanRates.ActionKind, by client: Int, _ stage: isolated Stage) -> ErrorReply? {
        rates.refusal(of: action, by: client, stage.clients.presence.identity(of: client), at: monotonicNanoseconds())
    }

    /// Whether a visitor or player lets go of something that it does not hold. That changes nothing, and needs no line in the journal.
    func isIdle(_ kind: EventKind, from client: Int, on stage: isolated Stage) -> Bool {
        kind != .stop && isRated(client, stage) && release(by: kind, client, stage) == .nothing
    }

    private func release(by kind: EventKind, _ client: Int, _ stage: isolated Stage) -> Hands.Release? {
        (stage.conductor.run?.run.hands ?? Hands()).release(by: Event(client: .connection(client), kind))
    }

    /// Returns why a client may not enter as a household about which nothing is stored; nil when it may, and then the name is counted. Must
    /// be called last, when nothing else keeps the client from entering, because a refused client must not use up a name.
    func refusal(ofNameBy client: Int, on stage: isolated Stage) -> ErrorReply? {
        guard isRated(client, stage) else { return nil }
        return refusal(of: .naming, by: client, stage)
    }

    /// Returns why a client may not do now something that is no event, or will become one only later: redeem a receipt, end a session, set
    /// a volume. Nil when it may.
    func refusal(ofDeedBy client: Int, on stage: isolated Stage) -> ErrorReply? {
        guard isRated(client, stage) else { return nil }
        return refusal(of: .deciding, by: client, stage)
    }

    /// Records that a client's event began a run, which has a journal of its own.
    func noteRun(begunBy client: Client, at now: Int64, on stage: isolated Stage) {
        guard case .connection(let number) = client, isRated(number, stage) else { return }
        rates.begunSession(by: number, at: now)
        // The client may have disconnected while its secret was compared. Then it would never be forgotten, and would keep its share.
        if !stage.clients.presence.isConnected(number) { rates.forget(number) }
    }

    private func isRated(_ client: Int, _ stage: isolated Stage) -> Bool {
        stage.clients.presence.role(of: client).isRated
    }

    /// Records that a client has done something, other than setting the volume; `entering` is the household that entered by it, if any.
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

    /// Returns why `client` may not end the session now; nil when it may. Only operators may end what others are doing.
    func refusal(toEndSessionBy client: Int, on stage: isolated Stage) -> ErrorReply? {
        let isLocal = stage.clients.presence.isLocal(client)
        guard stage.clients.presence.role(of: client) != .operator,
              let wait = acts.wait(of: client, isLocal: isLocal, at: monotonicNanoseconds()) else { return nil }
        return ErrorReply(.refused(.notYet), "others are at it; stop lets go of everything at once", retryAfter: Double(wait) / 1e9)
    }
}

/// Records which clients acted last, so that nobody ends what others are doing. A plain value: the caller passes the time (CLOCK_MONOTONIC,
/// nanoseconds). Thread: the event loop.
struct LatestActs {
    /// The time for which a client counts as active after an act, in nanoseconds.
    static let lasting: Int64 = 10_000_000_000

    /// The origin of an act. All of this machine's own touchscreens are one source, because the same people use them.
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

    /// The last act of each source, newest last. Three are enough, because `wait` passes over two sources at most: the client itself, and
    /// the touchscreens.
    private var acts: [(source: Source, at: Int64)] = []

    mutating func note(_ client: Client, at now: Int64) {
        guard let source = Source(client) else { return }
        acts.removeAll { $0.source == source }
        acts.append((source, now))
        if acts.count > 3 { acts.removeFirst() }
    }

    /// Returns in how many nanoseconds `client` may end what others are doing; nil when it may do so now. The user of a client on this
    /// machine is assumed to use this machine's touchscreens, too.
    func wait(of client: Int, isLocal: Bool, at now: Int64) -> Int64? {
        let others = acts.filter { $0.source != .connection(client) && !(isLocal && $0.source == .screens) }
        guard let last = others.last?.at, now < last + Self.lasting else { return nil }
        return last + Self.lasting - now
    }
}
