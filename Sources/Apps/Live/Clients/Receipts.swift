import Conductor
import Units
import Wire

/// Answers that wait until the render thread has said at which frame an event took effect. Thread: the event loop.
struct Receipts {
    private var waiting: [Int: (id: RequestID, reply: ([UInt8]) -> Void)] = [:]
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

    /// Answers whoever asked for what was placed.
    mutating func confirm(_ placement: Conductor.Placement, _ rate: SampleRate) {
        let lateness = rate.seconds(in: placement.lateness).rawValue * 1000
        if lateness > 0 { late += 1 }
        guard let ticket = placement.ticket, let asked = waiting.removeValue(forKey: ticket) else { return }
        let receipt = Receipt(frame: placement.position.rawValue, lateMilliseconds: lateness > 0 ? lateness : nil, result: placement.result)
        asked.reply(Reply.line(result: receipt, id: asked.id))
    }
}
