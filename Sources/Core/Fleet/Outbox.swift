/// A station's knowledge of what was sent: how far the hub has committed each journal, and the batch that waits for an answer. One batch
/// waits at a time. It is sent again after silence, over one connection only once the broker has the former copy: a slow link does not
/// carry it twice. A position moves on only by the hub's word after its commit. A hub may get rows twice, and tells them by their keys;
/// none is lost on the way. Times are since any fixed moment.
public struct Outbox: Sendable {
    /// The times of silence after which a batch is sent again: the first, and the longest. They double in between.
    public struct Patience: Sendable {
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
        /// Whether a copy is on its way to the broker over the present connection.
        var isUnderWay = true
    }

    private let patience: Patience
    private var number = 0
    private var waiting: Waiting?
    /// The last line of each journal up to which the hub has committed all.
    private var lines: [String: Int]

    public init(_ patience: Patience, lines: [String: Int] = [:]) {
        self.patience = patience
        self.lines = lines
    }

    /// Whether a batch waits for its answer.
    public var isWaiting: Bool { waiting != nil }

    /// The number of rows of the batch that waits; 0 for none.
    public var rowsWaiting: Int { waiting.map { $0.batch.parts.reduce(0) { $0 + $1.rows.count } } ?? 0 }

    /// The last line of `journal` up to which the hub has committed all; 0 for none.
    public func line(of journal: String) -> Int { lines[journal, default: 0] }

    /// Makes the batch to send now. No other waits.
    public mutating func send(_ parts: [RowBatch.Part], over connection: Int, at now: Duration) -> RowBatch {
        precondition(waiting == nil, "one batch at a time")
        number += 1
        let batch = RowBatch(connection: connection, number: number, parts: parts)
        waiting = Waiting(batch: batch, due: now + patience.first, silence: patience.first)
        return batch
    }

    /// Takes the broker's word that it has the copy that was under way: the hub's silence counts from now on.
    public mutating func acknowledge(at now: Duration) {
        guard var sent = waiting, sent.isUnderWay else { return }
        sent.isUnderWay = false
        sent.due = now + sent.silence
        waiting = sent
    }

    /// Returns the batch that waits if there has been silence for too long; it is to be sent again. Nil for none.
    public mutating func resend(at now: Duration) -> RowBatch? {
        guard var again = waiting, !again.isUnderWay, now >= again.due else { return nil }
        again.isUnderWay = true
        again.silence = min(again.silence * 2, patience.longest)
        again.due = now + again.silence
        waiting = again
        return again.batch
    }

    /// Has the batch that waits be sent again at once: there is a new connection, and what was under way over the former is lost.
    public mutating func reconnect() {
        waiting?.isUnderWay = false
        hurry()
    }

    /// Gives up the batch that waits: it cannot be sent as it is. Its rows are read and sent anew.
    public mutating func withdraw() { waiting = nil }

    /// Has the batch that waits be sent again as soon as the broker has the former copy: a hub has come.
    public mutating func hurry() {
        waiting?.due = .zero
        waiting?.silence = patience.first
    }

    /// Takes a hub's word. Returns whether a position has changed.
    ///
    /// A position goes forward only, but for one case: the hub answers the batch that waits, and has less than what came before it. Then
    /// the hub's database is an older one, and the journal is sent again from there. Other answers may be late, and are no reason for that.
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

    /// Forgets journals that are no more there.
    public mutating func keep(only journals: Set<String>) { lines = lines.filter { journals.contains($0.key) } }
}

/// How far a hub has come in one journal of a station.
public struct CommittedJournal: Equatable, Sendable {
    /// The last line up to which all lines are committed; 0 for none.
    public private(set) var line: Int

    public init(line: Int = 0) { self.line = line }

    /// Takes a part. Returns its rows as far as they are new, for the same commit as the new position. A part that does not follow on what
    /// is there gives none: the lines in between are missing, and the station learns by the answer where to go on.
    public mutating func take(_ part: RowBatch.Part) -> ArraySlice<JournalRow> {
        guard part.after <= line, part.through > line else { return [] }
        let rows = part.rows.drop { $0.line <= line }
        line = part.through
        return rows
    }
}
