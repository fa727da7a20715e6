import Testing

@testable import Files

@Suite struct FairQueueTests {
    @Test func `a client with many jobs delays another by one`() throws {
        var queue = FairQueue<String>(room: 10, share: 5, most: 1)
        for job in ["a1", "a2", "a3"] { _ = try queue.put(job, of: 1) }
        _ = try queue.put("b1", of: 2)
        var done: [String] = []
        while let (client, job) = queue.take() {
            done.append(job)
            queue.end(of: client)
        }
        #expect(done == ["a1", "b1", "a2", "a3"])
    }

    @Test func `a client has no more jobs under way than its share`() throws {
        var queue = FairQueue<String>(room: 10, share: 5, most: 1)
        for job in ["a1", "a2"] { _ = try queue.put(job, of: 1) }
        #expect(queue.take()?.job == "a1")
        #expect(queue.take() == nil)
        _ = try queue.put("b1", of: 2)
        #expect(queue.take()?.job == "b1")
        queue.end(of: 1)
        #expect(queue.take()?.job == "a2")
    }

    @Test func `where there is no room who has most waiting gives way to one who has less, and nobody to one who has as much`() throws {
        var queue = FairQueue<String>(room: 4, share: 4, most: 9)
        for job in ["a1", "a2", "a3"] { _ = try queue.put(job, of: 1) }
        _ = try queue.put("b1", of: 2)
        #expect(try queue.put("c1", of: 3) == "a3")
        #expect(throws: FairQueue<String>.full(4)) { _ = try queue.put("b2", of: 2) }
        #expect(throws: FairQueue<String>.full(4)) { _ = try queue.put("a3", of: 1) }
        #expect(try queue.put("d1", of: 4) == "a2")
        #expect(throws: FairQueue<String>.full(4)) { _ = try queue.put("e1", of: 5) }
        #expect(queue.removeAll(of: 2) == ["b1"])
        #expect(queue.removeAll(of: 2) == [])
        #expect([queue.take(), queue.take(), queue.take(), queue.take()].map { $0?.job } == ["a1", "c1", "d1", nil])
    }

    @Test func `what has no room is refused in words, and room comes back`() throws {
        var queue = FairQueue<Int>(room: 3, share: 2, most: 9)
        for job in 0..<2 { _ = try queue.put(job, of: 1) }
        #expect(throws: Workers.Busy(description: "busy: 2 questions of this client wait already")) { _ = try queue.put(2, of: 1) }
        _ = try queue.put(3, of: 2)
        #expect(throws: Workers.Busy(description: "busy: 3 questions of all clients wait already")) { _ = try queue.put(4, of: 2) }
        queue.removeLast(of: 2)
        _ = try queue.put(5, of: 3)
        #expect(queue.take()?.job == 0)
        _ = try queue.put(6, of: 1)
        #expect([queue.take(), queue.take(), queue.take()].map { $0?.job } == [5, 1, 6])
        #expect(queue.take() == nil)
    }
}
