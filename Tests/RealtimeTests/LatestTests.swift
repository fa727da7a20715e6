import Realtime
import Testing

@Suite struct LatestTests {
    @Test func `a reader sees the initial value, then the last published`() {
        let ends = Latest.make(1)
        var writer = ends.writer
        var reader = ends.reader
        var seen = [reader.read()]
        writer.publish(2)
        writer.publish(3)
        seen.append(reader.read())
        seen.append(reader.read())
        writer.publish(4)
        seen.append(reader.read())
        #expect(seen == [1, 3, 3, 4])
    }

    struct Pair: BitwiseCopyable, Sendable {
        var a: Int
        var b: Int
    }

    @Test func `a reader never sees half a value nor an older one`() async {
        let ends = Latest.make(Pair(a: 0, b: 0))
        var reader = ends.reader
        let writer = Owned(ends.writer)
        let count = 100_000
        let task = Task.detached {
            for n in 1...count { writer.with { $0.publish(Pair(a: n, b: -n)) } }
        }
        var last = 0
        while last < count {
            let pair = reader.read()
            if pair.a != -pair.b || pair.a < last {
                Issue.record("saw \(pair) after \(last)")
                break
            }
            last = pair.a
            await Task.yield()
        }
        await task.value
    }
}
