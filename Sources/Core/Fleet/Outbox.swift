/// Tracks what a station has sent: up to which line the hub has committed each journal, and which batch waits for an answer. Only one batch
/// waits at a time. If no answer comes, it is sent again, but over the same connection only after the broker has acknowledged the earlier
/// copy, so that a slow link does not carry it twice. The position of a journal, its last committed line, moves on only when the hub
/// reports a commit. So no row is lost on the way. A hub may get a row twice, and recognizes it by its key. Times are counted from a fixed
/// moment.
public struct Outbox: Sendable {
    /// How long to wait for an answer before a batch is sent again: the first wait, and the longest. The wait doubles each time.
    public struct RetryDelays: Sendable {
        public let first: Duration
        public let longest: Duration

        public init(first: Duration = .seconds(2), longest: Duration = .seconds(30)) {
            (self.first, self.longest) = (first, longest)
        }
    }

    private struct Waiting {
        var batch: RowBatch
        var due: Duration
        var silence: Duration
        /// Whether the batch was sent over the present connection and the broker has not acknowledged it yet.
        var isUnderWay = true
    }

    private let retryDelays: RetryDelays
    private var number = 0
    private var waiting: Waiting?
    /// The last line up to which the hub has committed all lines, for each journal.
    private var lines: [String: Int]

    public init(_ retryDelays: RetryDelays, lines: [String: Int] = [:]) {
        self.retryDelays = retryDelays
        self.lines = lines
    }

    /// Whether a batch waits for its answer.
    public var isWaiting: Bool { waiting != nil }

    /// The number of rows in the batch that waits for its answer; 0 where no batch waits.
    public var rowsWaiting: Int { waiting.map { $0.batch.parts.reduce(0) { $0 + $1.rows.count } } ?? 0 }

    /// Returns the last line up to which the hub has committed all lines of `journal`; 0 where it has committed none.
    public func line(of journal: String) -> Int { lines[journal, default: 0] }

    /// Returns the next batch, which is to be sent now. No other batch may be waiting.
    public mutating func send(_ parts: [RowBatch.Part], over connection: Int, at now: Duration) -> RowBatch {
        precondition(waiting == nil, "one batch at a time")
        number += 1
        let batch = RowBatch(connection: connection, number: number, parts: parts)
        waiting = Waiting(batch: batch, due: now + retryDelays.first, silence: retryDelays.first)
        return batch
    }

    /// Records that the broker has acknowledged the latest copy of the waiting batch. The wait for the hub's answer begins now.
    public mutating func acknowledge(at now: Duration) {
        guard var sent = waiting, sent.isUnderWay else { return }
        sent.isUnderWay = false
        sent.due = now + sent.silence
        waiting = sent
    }

    /// Returns the waiting batch if it must be sent again, because no answer has come for too long; nil otherwise.
    public mutating func resend(at now: Duration) -> RowBatch? {
        guard var again = waiting, !again.isUnderWay, now >= again.due else { return nil }
        again.isUnderWay = true
        again.silence = min(again.silence * 2, retryDelays.longest)
        again.due = now + again.silence
        waiting = again
        return again.batch
    }

    /// Records that there is a new connection to the broker, and that the copy of the waiting batch on the former one is lost. The batch is
    /// due at once.
    public mutating func reconnect() {
        waiting?.isUnderWay = false
        hurry()
    }

    /// Gives up the waiting batch, because it cannot be sent in this form. Its rows are read and sent anew.
    public mutating func withdraw() { waiting = nil }

    /// Records that a hub has begun to take rows. The waiting batch is due at once. But if the broker has not acknowledged its latest copy
    /// yet, the batch waits for that, and then for the first wait of `RetryDelays`.
    public mutating func hurry() {
        waiting?.due = .zero
        waiting?.silence = retryDelays.first
    }

    /// Takes a hub's report. Returns whether a position has changed.
    ///
    /// A position never goes back, with one exception: the hub answers the waiting batch, and has committed fewer lines than the batch
    /// assumes. Then the hub uses an older database, and the journal is sent again from there. Any other report may simply be late, so it
    /// never moves a position back.
    public mutating func take(_ committed: Committed) -> Bool {
        let former = lines
        let answered = waiting?.batch
        let isAnswer = answered.map { ($0.connection, $0.number) == (committed.connection, committed.number) } ?? false
        for (journal, line) in committed.lines {
            let part = isAnswer ? answered?.parts.first { $0.journal == journal } : nil
            if let part, line < part.after { lines[journal] = line } else { lines[journal] = max(lines[journal, default: 0], line) }
        }
        if let answered, isAnswer || answered.parts.allSatisfy({ lines[$0.journal, default: 0] >= $0.through }) { waiting = nil }
        return lines != former
    }

    /// Forgets the positions of all journals except `journals`, because those files are gone.
    public mutating func keep(only journals: Set<String>) { lines = lines.filter { journals.contains($0.key) } }
}

/// The position up to which a hub has committed one journal of a station.
public struct CommittedJournal: Equatable, Sendable {
    /// The last line up to which all lines are committed; 0 where none is.
    public private(set) var line: Int

    public init(line: Int = 0) { self.line = line }

    /// Takes a part of a batch. Returns those of its rows that are new; the caller must commit them together with the new position. Returns
    /// none for a part that leaves out lines after `line`: the hub's answer then tells the station where to go on.
    public mutating func take(_ part: RowBatch.Part) -> ArraySlice<JournalRow> {
        guard part.after <= line, part.through > line else { return [] }
        let rows = part.rows.drop { $0.line <= line }
        line = part.through
        return rows
    }
}
