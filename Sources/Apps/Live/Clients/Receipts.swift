import Conductor
import Units
import Wire

/// Answers that wait until the render thread has said at which frame an event took effect. Thread: the event loop.
struct Receipts {
    private var waiting: [Int: (id: RequestID, reply: ([UInt8]) -> Void)] = [:]
    /// Those whose event must be kept before they are answered, with their placement once it is known.
    private var uncommitted: [Int: Conductor.Placement?] = [:]
    private var last = 0
    /// Events that took effect later than they were due.
    private(set) var late: UInt64 = 0

    /// Returns the ticket by which the answer is found.
    mutating func ask(_ id: RequestID, _ reply: @escaping @Sendable ([UInt8]) -> Void) -> Int {
        last += 1
        waiting[last] = (id, reply)
        return last
    }

    /// It has been answered otherwise.
    mutating func withdraw(_ ticket: Int) { waiting[ticket] = nil }

    /// The answer waits until what the event leads to is kept, too.
    mutating func awaitCommit(of ticket: Int) { uncommitted[ticket] = .some(nil) }

    /// What the event of `ticket` leads to is kept; `problem` says why not.
    mutating func committed(_ ticket: Int, _ rate: SampleRate, problem: String?) {
        guard let placement = uncommitted.removeValue(forKey: ticket), let placement else { return }
        answer(placement, rate, notKept: problem)
    }

    /// Answers whoever asked for what was placed.
    mutating func confirm(_ placement: Conductor.Placement, _ rate: SampleRate) {
        if placement.lateness > .zero { late += 1 }
        if let ticket = placement.ticket, uncommitted[ticket] != nil { return uncommitted[ticket] = placement }
        answer(placement, rate, notKept: nil)
    }

    private mutating func answer(_ placement: Conductor.Placement, _ rate: SampleRate, notKept: String?) {
        let lateness = rate.seconds(in: placement.lateness).rawValue * 1000
        guard let ticket = placement.ticket, let asked = waiting.removeValue(forKey: ticket) else { return }
        let receipt = Receipt(frame: placement.position.rawValue, lateMilliseconds: lateness > 0 ? lateness : nil, notKept: notKept,
                              result: placement.result)
        asked.reply(Reply.line(result: receipt, id: asked.id))
    }
}
