import Fields
import Fleet
import Testing

@Suite struct BatchRoomTests {
    private func row(_ line: Int, day: Int = 0, padding: Int = 0) -> JournalRow {
        JournalRow(line: line, frame: 0, instant: day * 86_400_000_000, event: "x", fields: ["text": .text(String(repeating: "x", count: padding))])
    }

    private func taken(_ rows: [JournalRow], _ room: BatchRoom = BatchRoom()) -> Int {
        var room = room
        return rows.prefix { room.take($0) }.count
    }

    @Test func `a batch is full at its rows, its days or its bytes`() {
        #expect(taken((1...600).map { row($0) }) == BatchRoom.mostRows)
        #expect(taken((1...600).map { row($0, day: $0) }) == 32)
        #expect(taken((1...600).map { row($0, padding: 10_000) }) == 6, "64 KiB, counted before a row is added")
    }

    @Test func `a row that is larger than a batch makes one of its own`() {
        var room = BatchRoom()
        let (first, second) = (room.take(row(1, padding: 100_000)), room.take(row(2)))
        #expect(first && !second && room.isFull)
        let (small, large, next) = (taken([row(1), row(2, padding: 100_000)]), taken([row(2, padding: 100_000)]), taken([row(1), row(2)], BatchRoom(bytes: 1)))
        #expect(small == 1 && large == 1 && next == 1)
    }

    @Test func `what a station may send a hub takes, and nothing beyond`() throws {
        func batch(_ rows: [JournalRow]) -> [UInt8] {
            RowBatch(connection: 1, number: 1, parts: [RowBatch.Part(journal: "a", after: 0, through: 1_000, rows: rows)]).payload
        }
        #expect(try RowBatch(batch((1...500).map { row($0, day: $0 % 32) })).parts[0].rows.count == 500)
        #expect(try RowBatch(batch([row(1, padding: 2_000_000)])).parts[0].rows.count == 1)
        for rows in [(1...501).map { row($0) }, (1...33).map { row($0, day: $0) }, [row(1, padding: BatchRoom.largestPayload)]] {
            #expect(throws: Fault.self, "\(rows.count)") { try RowBatch(batch(rows)) }
        }
        let parts = (0..<65).map { RowBatch.Part(journal: "\($0)", after: 0, through: 1, rows: []) }
        #expect(throws: Fault.self) { try RowBatch(RowBatch(connection: 1, number: 1, parts: parts).payload) }
    }
}
