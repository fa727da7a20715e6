import Synchronization

/// Counts thrumd's answers. The first few refusals are printed.
final class ReplayTally: Sendable {
    struct Totals: Sendable {
        var sent = 0
        /// Of those sent; some are refusals.
        var answered = 0
        var refused = 0
        var late = 0
        /// Of the late ones, in milliseconds.
        var worst = 0.0

        var waiting: Int { sent - answered }
    }

    private static let complaints = 5

    private let journal: String
    private let counts = Mutex(Totals())

    init(journal: String) { self.journal = journal }

    var totals: Totals { counts.withLock { $0 } }

    func countSent() { counts.withLock { $0.sent += 1 } }

    /// It took effect, perhaps late.
    func accept(lateMilliseconds: Double?) {
        counts.withLock { counts in
            counts.answered += 1
            guard let lateMilliseconds else { return }
            counts.late += 1
            counts.worst = max(counts.worst, lateMilliseconds)
        }
    }

    /// Nothing came of the event in `line` of the journal.
    func refuse(_ line: Int, _ reason: String, wasSent: Bool) {
        let refused = counts.withLock { counts in
            if wasSent { counts.answered += 1 }
            counts.refused += 1
            return counts.refused
        }
        if refused <= Self.complaints { warnAboveBar("\(journal):\(line): \(reason)") }
        if refused == Self.complaints + 1 { warnAboveBar("\(journal): more events are refused, which are only counted") }
    }
}
