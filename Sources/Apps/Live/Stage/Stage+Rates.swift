import CLinux
import Signals
import Wire

// Visitors and players do things as fast as people can.
extension Stage {
    /// Why a client may not do `kind` just now: it is faster than people can, or the household that would enter is being removed. Nil when
    /// it may, and then it counts. What lets go of what the client holds is never refused.
    func refusalForNow(of kind: EventKind, from client: Int) -> ErrorReply? {
        let entry = conductor.entry(by: Event(client: .connection(client), kind))
        if let entry, let refusal = refusalWhileClosing(entry.household) { return refusal }
        guard isRated(client) else { return nil }
        var isForHousehold = false
        if case .action(let action) = kind {
            isForHousehold = conductor.piece.declaration.action(action.name)?.isForHousehold == true
        }
        guard let doing = kind.doing(isForHousehold) else { return nil }
        let refusal = rates.refusal(of: [doing], by: client, presence.identity(of: client), at: monotonicNanoseconds())
        // Who may not end what others are at ends what is its own.
        if refusal != nil, kind == .stop { release(.connection(client)) }
        return refusal
    }

    /// Why a client may not bring a household of which nothing is kept just now; nil when it may, and then it counts.
    func refusalOfName(from client: Int) -> ErrorReply? {
        guard isRated(client) else { return nil }
        return rates.refusal(of: [.naming], by: client, presence.identity(of: client), at: monotonicNanoseconds())
    }

    /// Why a household may not enter while it is being removed; nil while it is not.
    func refusalWhileClosing(_ household: String) -> ErrorReply? {
        guard closingHouseholds.contains(household) else { return nil }
        return ErrorReply(.refused(.busy), "\(household) is being removed, or merged with another household")
    }

    /// Why a client may not do just now what is no event, or not yet: a receipt, a session's end.
    func refusalOfDeedForNow(from client: Int) -> ErrorReply? {
        guard isRated(client) else { return nil }
        return rates.refusal(of: [.deciding], by: client, presence.identity(of: client), at: monotonicNanoseconds())
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
