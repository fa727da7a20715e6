import Conductor
import StateStore
import Units
import Wire

/// The answers to events. An answer is sent when two things have happened, in either order: the render thread has reported at which frame
/// the event took effect, and the event's consequences are in the database. Thread: the event loop.
struct Receipts {
    /// A waiting answer: the client that waits for it, and the facts known so far.
    private struct Asked {
        var id: RequestID
        var reply: ([UInt8]) -> Void
        var tellsResult: Bool
        var placement: Conductor.Placement?
        var commit = CommitState.none
    }

    private enum CommitState {
        case none, underWay
        case over(Result<Commit, NotKept>)
    }

    private var waiting: [Int: Asked] = [:]
    private var last = 0
    /// The number of events that took effect after the moment for which they were meant.
    private(set) var late: UInt64 = 0

    /// Adds a request whose answer waits. Returns a ticket, the number by which the other calls name that answer. `tellsResult` is false
    /// where this client must not get the piece's result.
    mutating func ask(_ id: RequestID, tellsResult: Bool = true, _ reply: @escaping @Sendable ([UInt8]) -> Void) -> Int {
        last += 1
        waiting[last] = Asked(id: id, reply: reply, tellsResult: tellsResult)
        return last
    }

    /// Forgets the waiting answer with this ticket, because its request has been answered in another way.
    mutating func withdraw(_ ticket: Int) { waiting[ticket] = nil }

    /// Has the answer with this ticket wait also until the event's consequences are stored in the database.
    mutating func awaitCommit(of ticket: Int) { waiting[ticket]?.commit = .underWay }

    /// Records whether the consequences of the ticket's event have been stored, and sends the answer if it is known at which frame the
    /// event took effect.
    mutating func committed(_ ticket: Int, _ rate: SampleRate, _ result: Result<Commit, NotKept>) {
        waiting[ticket]?.commit = .over(result)
        answer(ticket, rate)
    }

    /// Records at which frame an event took effect, and sends the event's answer if nothing else is awaited.
    mutating func confirm(_ placement: Conductor.Placement, _ rate: SampleRate) {
        if placement.lateness > .zero { late += 1 }
        guard let ticket = placement.ticket else { return }
        waiting[ticket]?.placement = placement
        answer(ticket, rate)
    }

    /// Sends the waiting answer with this ticket, if everything that the answer contains is known.
    private mutating func answer(_ ticket: Int, _ rate: SampleRate) {
        guard let asked = waiting[ticket], let placement = asked.placement else { return }
        let lateness = rate.seconds(in: placement.lateness).rawValue * 1000
        var receipt = Receipt(frame: placement.position.rawValue, lateMilliseconds: lateness > 0 ? lateness : nil,
                              result: asked.tellsResult ? placement.result : nil)
        switch asked.commit {
        case .none: break
        case .underWay: return
        case .over(.success(let commit)): receipt.alreadyKept = commit.known.isEmpty ? nil : commit.known
        case .over(.failure(let problem)): receipt.notKept = problem.reason
        }
        waiting[ticket] = nil
        asked.reply(Reply.line(result: receipt, id: asked.id))
    }
}
