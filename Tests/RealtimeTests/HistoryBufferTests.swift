import Realtime
import Testing

@Suite struct TrailTests {
    @Test func `what was written is read by its number, until it is overwritten`() {
        let ends = HistoryBuffer.make(capacity: 4)
        var writer = ends.writer
        let reader = ends.reader
        #expect((0..<8).allSatisfy { reader.read(at: $0) == nil }, "nothing has been written")
        for number in 0..<6 as Range<Int64> { writer.write(UInt32(number) + 100, at: number) }
        #expect((0..<8).map { reader.read(at: $0) } == [nil, nil, 102, 103, 104, 105, nil, nil])
        writer.write(7, at: 4)
        #expect(reader.read(at: 4) == 7, "what is written again counts")
        writer.write(.max, at: 5)
        #expect(reader.read(at: 5) == .max)
    }

    @Test func `a value is seen whole, and never another's, while it is written`() async {
        let ends = HistoryBuffer.make(capacity: 64)
        let writer = Owned(ends.writer)
        let reader = ends.reader
        let count: Int64 = 65_000
        let task = Task.detached {
            for number in 0..<count { writer.with { $0.write(UInt32(number) * 65_537, at: number) } }
        }
        while reader.read(at: count - 1) == nil {
            for number in stride(from: 0, to: count, by: 997) {
                guard let value = reader.read(at: number) else { continue }
                if value != UInt32(number) * 65_537 { Issue.record("\(value) at \(number)") }
            }
            await Task.yield()
        }
        await task.value
    }
}
