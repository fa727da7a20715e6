import Fleet
import Testing

@Suite struct OutboxTests {
    private func part(_ after: Int, _ through: Int, of journal: String = "a") -> RowBatch.Part {
        RowBatch.Part(journal: journal, after: after, through: through, rows: (after..<through).map {
            JournalRow(line: $0 + 1, frame: $0, instant: $0, event: "feed.scroll")
        })
    }

    private let retryDelays = Outbox.RetryDelays(first: .seconds(2), longest: .seconds(10))

    @Test func `a position moves by the hub's word alone`() {
        var outbox = Outbox(retryDelays)
        let batch = outbox.send([part(0, 5)], over: 1, at: .zero)
        #expect(outbox.line(of: "a") == 0 && outbox.isWaiting)
        let hasMoved = outbox.take(Committed(connection: 1, number: batch.number, lines: ["a": 5]))
        #expect(hasMoved)
        #expect(outbox.line(of: "a") == 5 && !outbox.isWaiting)
    }

    @Test func `silence has a batch sent again, after twice the time each time, up to the longest`() {
        var outbox = Outbox(retryDelays)
        let batch = outbox.send([part(0, 5)], over: 1, at: .seconds(100))
        var sent: [Int] = []
        outbox.acknowledge(at: .seconds(100))
        for second in 100...140 where outbox.resend(at: .seconds(second)) == batch {
            sent.append(second)
            outbox.acknowledge(at: .seconds(second))
        }
        #expect(sent == [102, 106, 114, 124, 134])
        outbox.hurry()
        let first = outbox.resend(at: .seconds(141))
        outbox.acknowledge(at: .seconds(141))
        let (early, second) = (outbox.resend(at: .seconds(144)), outbox.resend(at: .seconds(145)))
        #expect(first == batch && early == nil && second == batch, "a hub has come, and the times begin anew")
    }

    @Test func `no second copy is sent over a connection before the broker has the first`() {
        var outbox = Outbox(retryDelays)
        let batch = outbox.send([part(0, 5)], over: 1, at: .zero)
        outbox.hurry()
        let queued = outbox.resend(at: .seconds(600))
        #expect(queued == nil && outbox.isWaiting, "the link is slow")
        outbox.acknowledge(at: .seconds(600))
        let (early, due) = (outbox.resend(at: .seconds(601)), outbox.resend(at: .seconds(602)))
        #expect(early == nil && due == batch, "the silence is that after the broker's word")
        outbox.reconnect()
        let again = outbox.resend(at: .seconds(603))
        #expect(again == batch, "what was under way over the former connection is lost")
    }

    @Test func `a batch that cannot be sent makes way for another`() {
        var outbox = Outbox(retryDelays, lines: ["a": 5])
        let former = outbox.send([part(5, 9)], over: 1, at: .zero)
        outbox.withdraw()
        #expect(!outbox.isWaiting && outbox.line(of: "a") == 5)
        let next = outbox.send([part(5, 7)], over: 1, at: .zero)
        #expect(next.number > former.number)
    }

    @Test func `a late answer moves a position forward, and never back`() {
        var outbox = Outbox(retryDelays, lines: ["a": 5])
        _ = outbox.send([part(5, 9)], over: 2, at: .zero)
        let hasMovedBack = outbox.take(Committed(connection: 1, number: 1, lines: ["a": 3]))
        #expect(!hasMovedBack)
        #expect(outbox.line(of: "a") == 5 && outbox.isWaiting)
        let hasMoved = outbox.take(Committed(connection: 1, number: 1, lines: ["a": 9]))
        #expect(hasMoved, "it is committed, whoever asked")
        #expect(outbox.line(of: "a") == 9 && !outbox.isWaiting)
    }

    @Test func `a hub whose database is an older one is sent the journal again from there`() {
        var outbox = Outbox(retryDelays, lines: ["a": 50])
        let batch = outbox.send([part(50, 60)], over: 1, at: .zero)
        let hasMoved = outbox.take(Committed(connection: 1, number: batch.number, lines: ["a": 20]))
        #expect(hasMoved)
        #expect(outbox.line(of: "a") == 20 && !outbox.isWaiting)
    }

    @Test func `a station that has lost its positions learns them by the first answer`() {
        var outbox = Outbox(retryDelays)
        let batch = outbox.send([part(0, 5)], over: 1, at: .zero)
        let hasMoved = outbox.take(Committed(connection: 1, number: batch.number, lines: ["a": 700]))
        #expect(hasMoved)
        #expect(outbox.line(of: "a") == 700)
    }

    @Test func `an answer that leaves out a journal does not move it`() {
        var outbox = Outbox(retryDelays)
        let batch = outbox.send([part(0, 5), part(0, 3, of: "b")], over: 1, at: .zero)
        _ = outbox.take(Committed(connection: 1, number: batch.number, lines: ["b": 3]))
        #expect(outbox.line(of: "a") == 0 && outbox.line(of: "b") == 3 && !outbox.isWaiting, "a is read and sent anew")
    }

    @Test func `journals that are gone are forgotten`() {
        var outbox = Outbox(retryDelays, lines: ["a": 5, "b": 6])
        outbox.keep(only: ["b"])
        #expect(outbox.line(of: "a") == 0 && outbox.line(of: "b") == 6)
    }

    @Test func `a part that was there already gives no rows`() {
        var journal = CommittedJournal(line: 5)
        let (same, earlier) = (journal.take(part(0, 5)), journal.take(part(2, 4)))
        #expect(same.isEmpty && earlier.isEmpty && journal.line == 5)
    }

    @Test func `a part that overlaps gives its new rows alone`() {
        var journal = CommittedJournal(line: 5)
        let rows = journal.take(part(3, 8))
        #expect(rows.map(\.line) == [6, 7, 8] && journal.line == 8)
    }

    @Test func `a part that leaves lines out is not taken`() {
        var journal = CommittedJournal(line: 5)
        let rows = journal.take(part(6, 9))
        #expect(rows.isEmpty && journal.line == 5)
    }

    /// Messages and answers are lost, doubled and late, and both sides are started anew, at random; the seeds are fixed.
    @Test(arguments: 1...40) func `every line comes once over a way that loses, doubles and delays`(seed: UInt64) {
        var random = Numbers(state: seed)
        let length = 200
        // The hub's table, with how often each line was added, and its position; both are kept in one commit.
        var (table, committed) = ([Int: Int](), CommittedJournal())
        var (outbox, kept) = (Outbox(retryDelays), 0)
        var (toHub, toStation): ([RowBatch], [Committed]) = ([], [])
        var (connection, now) = (1, Duration.zero)
        var steps = 0
        while kept < length, steps < 100_000 {
            steps += 1
            now += .milliseconds(500)
            if !outbox.isWaiting, outbox.line(of: "a") < length {
                let after = outbox.line(of: "a")
                toHub.append(outbox.send([part(after, min(length, after + 1 + random.next(below: 9)))], over: connection, at: now))
            } else if let again = outbox.resend(at: now) {
                toHub.append(again)
            }
            // What is lost on the way to the hub is lost behind the broker, or with a connection.
            if random.next(below: 3) == 0 { outbox.acknowledge(at: now) }
            if random.next(below: 40) == 0 { outbox.reconnect() }
            if let index = toHub.indices.randomElement(using: &random) {
                let batch = random.next(below: 4) == 0 ? toHub[index] : toHub.remove(at: index)
                if random.next(below: 4) > 0 {
                    for part in batch.parts { for row in committed.take(part) { table[row.line, default: 0] += 1 } }
                    toStation.append(Committed(connection: batch.connection, number: batch.number, lines: ["a": committed.line]))
                }
            }
            if let index = toStation.indices.randomElement(using: &random) {
                let answer = random.next(below: 4) == 0 ? toStation[index] : toStation.remove(at: index)
                if random.next(below: 4) > 0 { _ = outbox.take(answer) }
            }
            // The file is written now and then, and the station killed now and then.
            if random.next(below: 5) == 0 { kept = outbox.line(of: "a") }
            if random.next(below: 50) == 0 {
                connection += 1
                outbox = Outbox(retryDelays, lines: ["a": kept])
            }
            #expect(outbox.line(of: "a") <= committed.line, "nothing is held for committed that is not")
        }
        #expect(table == Dictionary(uniqueKeysWithValues: (1...length).map { ($0, 1) }), "seed \(seed)")
    }
}

/// Knuth's linear congruential generator (MMIX), for the same numbers each time.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }

    mutating func next(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
