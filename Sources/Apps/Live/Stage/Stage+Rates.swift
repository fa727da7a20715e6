import CLinux
import Signals
import Wire

// Visitors and players do things as fast as people can.
extension Stage {
    /// Why a client may not do `kind` just now: it is faster than people can, or the household that would enter is being removed. Nil when
    /// it may, and then it counts. What lets go of a visitor's own is never refused.
    func refusalForNow(of kind: EventKind, from client: Int) -> ErrorReply? {
        let entry = conductor.entry(by: Event(client: .connection(client), kind))
        if let entry, let refusal = refusalWhileClosing(entry.household) { return refusal }
        // Everybody may stop everybody's sound, and only operators again and again.
        guard isRated(client) || kind == .stop && presence.role(of: client) != .operator else { return nil }
        let identity = presence.identity(of: client)
        if let pitch = doingOfNothingHeld(kind, client) {
            return rates.refusal(of: pitch, by: client, identity, at: monotonicNanoseconds())
        }
        var isForHousehold = false
        if case .action(let action) = kind, let declared = conductor.piece.declaration.action(action.name) {
            isForHousehold = declared.isForHousehold || declared.entersHousehold
        }
        guard let doing = kind.doing(isForHousehold) else { return nil }
        return rates.refusal(of: doing, by: client, identity, at: monotonicNanoseconds())
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
        return rates.refusal(of: .naming, by: client, presence.identity(of: client), at: monotonicNanoseconds())
    }

    /// Why a household may not enter while it is being removed; nil while it is not.
    func refusalWhileClosing(_ household: String) -> ErrorReply? {
        guard closingHouseholds.contains(household) else { return nil }
        return ErrorReply(.refused(.busy), "\(household) is being removed, or merged with another household")
    }

    /// Why a client may not do just now what is no event, or not yet: a receipt, a session's end.
    func refusalOfDeedForNow(from client: Int) -> ErrorReply? {
        guard isRated(client) else { return nil }
        return rates.refusal(of: .deciding, by: client, presence.identity(of: client), at: monotonicNanoseconds())
    }

    /// A run has begun, with a journal of its own.
    func noteRun(begunBy client: Client, at now: Int64) {
        guard case .connection(let number) = client, isRated(number) else { return }
        rates.begunSession(by: number, at: now)
        // Its secret may have been compared while it went: nobody forgets it later, and others' parts would stay smaller.
        if !presence.isConnected(number) { rates.forget(number) }
    }

    private func isRated(_ client: Int) -> Bool { [.visitor, .player].contains(presence.role(of: client)) }
}
