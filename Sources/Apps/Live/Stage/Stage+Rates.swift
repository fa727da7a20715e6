import CLinux
import Signals
import Wire

// Visitors and players do things as fast as people can.
extension Stage {
    /// Why a client may not do `kind` just now: it is faster than people can, or the household that would enter is being removed. Nil when
    /// it may, and then it counts. What lets go is never refused.
    func refusalForNow(of kind: EventKind, from client: Int) -> ErrorReply? {
        let entry = conductor.entry(by: Event(client: .connection(client), kind))
        if let entry, let refusal = refusalWhileClosing(entry.household) { return refusal }
        guard isRated(client) else { return nil }
        var isForHousehold = false
        if case .action(let action) = kind, let declared = conductor.piece.declaration.action(action.name) {
            isForHousehold = declared.isForHousehold || declared.entersHousehold
        }
        guard let doing = kind.doing(isForHousehold) else { return nil }
        return rates.refusal(of: entry?.isNew == true ? [doing, .naming] : [doing], by: client, at: monotonicNanoseconds())
    }

    /// Why a household may not enter while it is being removed; nil while it is not.
    func refusalWhileClosing(_ household: String) -> ErrorReply? {
        guard closingHouseholds.contains(household) else { return nil }
        return ErrorReply(.refused(.busy), "\(household) is being removed, or merged with another household")
    }

    /// Why a client may not do just now what is no event, or not yet: a receipt, a session's end.
    func refusalOfDeedForNow(from client: Int) -> ErrorReply? {
        guard isRated(client) else { return nil }
        return rates.refusal(of: [.deciding], by: client, at: monotonicNanoseconds())
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
