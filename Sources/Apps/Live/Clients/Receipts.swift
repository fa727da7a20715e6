import Conductor
import Units
import Wire

/// Answers that wait until the render thread has said at which frame an event took effect. Thread: the event loop.
struct Receipts {
    private var waiting: [Int: (id: RequestID, reply: ([UInt8]) -> Void)] = [:]
    /// Of those whose event must be kept before they are answered.
    private var commits: [Int: Commit] = [:]
    private var last = 0
    /// Events that took effect later than they were due.
    private(set) var late: UInt64 = 0

    private enum Commit {
        /// The placement, once it is known.
        case awaited(Conductor.Placement?)
        /// Before it was placed. `problem` says why it is not kept.
        case done(problem: String?)
    }

    /// Returns the ticket by which the answer is found.
    mutating func ask(_ id: RequestID, _ reply: @escaping @Sendable ([UInt8]) -> Void) -> Int {
        last += 1
        waiting[last] = (id, reply)
        return last
    }

    /// It has been answered otherwise.
    mutating func withdraw(_ ticket: Int) { waiting[ticket] = nil }

    /// The answer waits until what the event leads to is kept, too.
    mutating func awaitCommit(of ticket: Int) { commits[ticket] = .awaited(nil) }

    /// What the event of `ticket` leads to is kept; `problem` says why not.
    mutating func committed(_ ticket: Int, _ rate: SampleRate, problem: String?) {
        guard case .awaited(let placement)? = commits[ticket] else { return }
        guard let placement else { return commits[ticket] = .done(problem: problem) }
        commits[ticket] = nil
        answer(placement, rate, notKept: problem)
    }

    /// Answers whoever asked for what was placed.
    mutating func confirm(_ placement: Conductor.Placement, _ rate: SampleRate) {
        if placement.lateness > .zero { late += 1 }
        var notKept: String?
        if let ticket = placement.ticket, let commit = commits[ticket] {
            guard case .done(let problem) = commit else { return commits[ticket] = .awaited(placement) }
            commits[ticket] = nil
            notKept = problem
        }
        answer(placement, rate, notKept: notKept)
    }

    private mutating func answer(_ placement: Conductor.Placement, _ rate: SampleRate, notKept: String?) {
        let lateness = rate.seconds(in: placement.lateness).rawValue * 1000
        guard let ticket = placement.ticket, let asked = waiting.removeValue(forKey: ticket) else { return }
        let receipt = Receipt(frame: placement.position.rawValue, lateMilliseconds: lateness > 0 ? lateness : nil, notKept: notKept,
                              result: placement.result)
        asked.reply(Reply.line(result: receipt, id: asked.id))
    }
}
