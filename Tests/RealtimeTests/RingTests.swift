import Realtime
import Testing

@Suite struct RingTests {
    @Test func `elements come out in the order they went in`() {
        let ends = Ring.make(of: Int.self, capacity: 4)
        var producer = ends.producer
        var consumer = ends.consumer
        for round in 0..<10 {
            for k in 0..<3 {
                let pushed = producer.push(round * 3 + k)
                #expect(pushed)
            }
            for k in 0..<3 {
                let next = consumer.peek()
                #expect(next == round * 3 + k)
                consumer.drop()
            }
        }
        let rest = consumer.peek()
        #expect(rest == nil)
    }

    @Test func `what is staged arrives together, when it is published`() {
        let ends = Ring.make(of: Int.self, capacity: 4)
        var producer = ends.producer
        var consumer = ends.consumer
        let staged = [1, 2, 3, 4, 5].map { producer.stage($0) }
        #expect(staged == [true, true, true, true, false])
        let before = consumer.peek()
        #expect(before == nil)
        let room = producer.room
        #expect(room == 0)
        producer.publish()
        var seen: [Int] = []
        while let next = consumer.peek() {
            seen.append(next)
            consumer.drop()
        }
        #expect(seen == [1, 2, 3, 4])
    }

    @Test func `a full ring refuses and loses nothing`() {
        let ends = Ring.make(of: Int.self, capacity: 3)
        var producer = ends.producer
        var consumer = ends.consumer
        let accepted = (0..<6).map { producer.push($0) }
        // Capacity is rounded up to a power of two.
        #expect(accepted == [true, true, true, true, false, false])
        let room = producer.room
        #expect(room == 0)
        for k in 0..<4 {
            let next = consumer.peek()
            #expect(next == k)
            consumer.drop()
        }
        let rest = consumer.peek()
        #expect(rest == nil)
    }

    @Test func `two threads pass a hundred thousand elements in order`() async {
        let ends = Ring.make(of: Int.self, capacity: 64)
        var consumer = ends.consumer
        let producer = Owned(ends.producer)
        let count = 100_000
        let writer = Task.detached {
            var next = 0
            while next < count {
                let attempt = next
                if producer.with({ $0.push(attempt) }) { next += 1 } else { await Task.yield() }
            }
        }
        var expected = 0
        while expected < count {
            guard let element = consumer.peek() else {
                await Task.yield()
                continue
            }
            if element != expected { break }
            consumer.drop()
            expected += 1
        }
        #expect(expected == count)
        await writer.value
    }
}
