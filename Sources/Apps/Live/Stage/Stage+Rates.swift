import CLinux
import Signals
import Wire

// Visitors and players do things as fast as people can.
extension Stage {
    /// Why a client may not do `kind` just now: it is faster than people can, or the household that would enter is being removed. Nil when
    /// it may, and then it counts. What lets go of a visitor's own is never refused.
    func refusalForNow(of kind: EventKind, from client: Int) -> ErrorReply? {
        let entry = conductor.entry(by: Event(client: .connection(client), kind))
        if let entry, let refusal = desks.households.refusal(toEnter: entry.household) { return refusal }
        // Everybody may stop everybody's sound, and only operators again and again.
        guard isRated(client) || kind == .stop && clients.presence.role(of: client) != .operator else { return nil }
        if let pitch = doingOfNothingHeld(kind, client) { return refusalOfRate(of: pitch, by: client) }
        var isForHousehold = false
        if case .action(let action) = kind, let declared = conductor.piece.declaration.action(action.name) {
            isForHousehold = declared.isForHousehold || declared.entersHousehold
        }
        guard let doing = kind.doing(isForHousehold) else { return nil }
        return refusalOfRate(of: doing, by: client)
    }

    private func refusalOfRate(of doing: HumanRates.Doing, by client: Int) -> ErrorReply? {
        clients.rates.refusal(of: doing, by: client, clients.presence.identity(of: client), at: monotonicNanoseconds())
    }

    /// A tone that is let go of and was not held may still have another pitch or level by it.
    private func doingOfNothingHeld(_ kind: EventKind, _ client: Int) -> HumanRates.Doing? {
        guard case .tone(let request) = kind, request.frequency != nil || request.level != nil, releasesNothing(kind, client) else {
            return nil
        }
        return .moving
    }

    /// Whether a visitor or player lets go of what it does not hold. Nothing changes by it, and journals need no line for it.
    func isIdle(_ kind: EventKind, from client: Int) -> Bool {
        if case .tone(let request) = kind, request.frequency != nil || request.level != nil { return false }
        return kind != .stop && isRated(client) && releasesNothing(kind, client)
    }

    private func releasesNothing(_ kind: EventKind, _ client: Int) -> Bool {
        guard kind.releases else { return false }
        return conductor.run?.run.hands.hasToLetGo(of: Event(client: .connection(client), kind)) != true
    }

    /// Why a client may not bring a name of which nothing is kept; nil when it may, and then it counts. It is asked when nothing else is in
    /// the way of its entering: whoever is refused has brought no name.
    func refusal(ofNameBy client: Int) -> ErrorReply? {
        guard isRated(client) else { return nil }
        return refusalOfRate(of: .naming, by: client)
    }

    /// Why a client may not do just now what is no event, or not yet: a receipt, a session's end.
    func refusalOfDeedForNow(from client: Int) -> ErrorReply? {
        guard isRated(client) else { return nil }
        return refusalOfRate(of: .deciding, by: client)
    }

    /// A run has begun, with a journal of its own.
    func noteRun(begunBy client: Client, at now: Int64) {
        guard case .connection(let number) = client, isRated(number) else { return }
        clients.rates.begunSession(by: number, at: now)
        // Its secret may have been compared while it went: nobody forgets it later, and others' parts would stay smaller.
        if !clients.presence.isConnected(number) { clients.rates.forget(number) }
    }

    private func isRated(_ client: Int) -> Bool { [.visitor, .player].contains(clients.presence.role(of: client)) }

    /// A client has done something; `entering` is the household that entered by it.
    func noteAct(_ client: Client, _ kind: EventKind, entering: String?, at now: Int64) {
        if let entering, entering == conductor.household { outputs.guests.joined(client.number) }
        switch kind {
        case .left, .stop: return
        default: break
        }
        clients.acts.note(client, at: now)
        outputs.guests.acted(client, at: now) { guests in guests.contains { clients.presence.isLocal($0) } }
    }

    /// Why `client` may not end the session now; nil when it may. A visitor does not end what others are at.
    func refusal(toEndSessionBy client: Int) -> ErrorReply? {
        let isLocal = clients.presence.isLocal(client)
        guard clients.presence.role(of: client) != .operator,
              let wait = clients.acts.wait(of: client, isLocal: isLocal, at: monotonicNanoseconds()) else { return nil }
        return ErrorReply(.refused(.notYet), "others are at it; stop lets go of everything at once", retryAfter: Double(wait) / 1e9)
    }
}
