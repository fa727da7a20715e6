import Conductor
import StateStore
import Units
import Wire

/// Answers that wait until the render thread has said at which frame an event took effect, and until what it leads to is kept, in whichever
/// order that comes. Thread: the event loop.
struct Receipts {
    /// Whoever waits, and what is known by now of what they asked for.
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
    /// The number of events that took effect later than they were due.
    private(set) var late: UInt64 = 0

    /// Returns a ticket by which the answer is found. `tellsResult` is false where what the piece answers is not for this client.
    mutating func ask(_ id: RequestID, tellsResult: Bool = true, _ reply: @escaping @Sendable ([UInt8]) -> Void) -> Int {
        last += 1
        waiting[last] = Asked(id: id, reply: reply, tellsResult: tellsResult)
        return last
    }

    /// Forgets a ticket whose request has been answered otherwise.
    mutating func withdraw(_ ticket: Int) { waiting[ticket] = nil }

    /// Has the answer wait until what the event leads to is kept, too.
    mutating func awaitCommit(of ticket: Int) { waiting[ticket]?.commit = .underWay }

    /// Notes whether what the event of `ticket` leads to is kept, and answers when the event is placed.
    mutating func committed(_ ticket: Int, _ rate: SampleRate, _ result: Result<Commit, NotKept>) {
        waiting[ticket]?.commit = .over(result)
        answer(ticket, rate)
    }

    /// Answers the client whose event was placed.
    mutating func confirm(_ placement: Conductor.Placement, _ rate: SampleRate) {
        if placement.lateness > .zero { late += 1 }
        guard let ticket = placement.ticket else { return }
        waiting[ticket]?.placement = placement
        answer(ticket, rate)
    }

    /// Answers a ticket when all is known that its answer tells.
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
