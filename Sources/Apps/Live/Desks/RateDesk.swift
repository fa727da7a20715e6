import CLinux
import Signals
import Wire

/// Keeps visitors and players to what people can do, and from ending what others are at. A class that only the stage has: its state is the
/// event loop's.
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
        if let pitch = doingOfNothingHeld(kind, client, stage) { return refusal(of: pitch, by: client, stage) }
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

    /// A tone that is let go of and was not held may still have another pitch or level by it.
    private func doingOfNothingHeld(_ kind: EventKind, _ client: Int, _ stage: isolated Stage) -> HumanRates.Doing? {
        guard case .tone(let request) = kind, request.frequency != nil || request.level != nil, releasesNothing(kind, client, stage) else {
            return nil
        }
        return .moving
    }

    /// Returns whether a visitor or player lets go of what it does not hold. Nothing changes by it, and journals need no line for it.
    func isIdle(_ kind: EventKind, from client: Int, on stage: isolated Stage) -> Bool {
        if case .tone(let request) = kind, request.frequency != nil || request.level != nil { return false }
        return kind != .stop && isRated(client, stage) && releasesNothing(kind, client, stage)
    }

    private func releasesNothing(_ kind: EventKind, _ client: Int, _ stage: isolated Stage) -> Bool {
        guard kind.releases else { return false }
        return stage.conductor.run?.run.hands.hasToLetGo(of: Event(client: .connection(client), kind)) != true
    }

    /// Returns why a client may not bring a name of which nothing is kept; nil when it may, and then it counts. Ask it when nothing else
    /// is in the way of its entering: whoever is refused has brought no name.
    func refusal(ofNameBy client: Int, on stage: isolated Stage) -> ErrorReply? {
        guard isRated(client, stage) else { return nil }
        return refusal(of: .naming, by: client, stage)
    }

    /// Returns why a client may not do just now what is no event, or not yet: a receipt, a session's end.
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
        [.visitor, .player].contains(stage.clients.presence.role(of: client))
    }

    /// Notes that a client has done something; `entering` is the household that entered by it.
    func noteAct(_ client: Client, _ kind: EventKind, entering: String?, at now: Int64, on stage: isolated Stage) {
        if let entering, entering == stage.conductor.household { stage.outputs.guests.joined(client.number) }
        switch kind {
        case .left, .stop: return
        default: break
        }
        acts.note(client, at: now)
        let presence = stage.clients.presence
        stage.outputs.guests.acted(client, at: now) { guests in guests.contains { presence.isLocal($0) } }
    }

    /// Returns why `client` may not end the session now; nil when it may. A visitor does not end what others are at.
    func refusal(toEndSessionBy client: Int, on stage: isolated Stage) -> ErrorReply? {
        let isLocal = stage.clients.presence.isLocal(client)
        guard stage.clients.presence.role(of: client) != .operator,
              let wait = acts.wait(of: client, isLocal: isLocal, at: monotonicNanoseconds()) else { return nil }
        return ErrorReply(.refused(.notYet), "others are at it; stop lets go of everything at once", retryAfter: Double(wait) / 1e9)
    }
}
