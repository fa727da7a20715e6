import Testing

@testable import Files

@Suite struct FairQueueTests {
    @Test func `a client with many jobs delays another by one`() throws {
        var queue = FairQueue<String>(room: 10, share: 5, most: 1)
        for job in ["a1", "a2", "a3"] { try queue.put(job, of: 1) }
        try queue.put("b1", of: 2)
        var done: [String] = []
        while let (client, job) = queue.take() {
            done.append(job)
            queue.end(of: client)
        }
        #expect(done == ["a1", "b1", "a2", "a3"])
    }

    @Test func `a client has no more jobs under way than its share`() throws {
        var queue = FairQueue<String>(room: 10, share: 5, most: 1)
        for job in ["a1", "a2"] { try queue.put(job, of: 1) }
        #expect(queue.take()?.job == "a1")
        #expect(queue.take() == nil)
        try queue.put("b1", of: 2)
        #expect(queue.take()?.job == "b1")
        queue.end(of: 1)
        #expect(queue.take()?.job == "a2")
    }

    @Test func `what has no room is refused in words, and room comes back`() throws {
        var queue = FairQueue<Int>(room: 3, share: 2, most: 9)
        for job in 0..<2 { try queue.put(job, of: 1) }
        #expect(throws: Workers.Busy(description: "busy: 2 questions of this client wait already")) { try queue.put(2, of: 1) }
        try queue.put(3, of: 2)
        #expect(throws: Workers.Busy(description: "busy: 3 questions of all clients wait already")) { try queue.put(4, of: 3) }
        queue.removeLast(of: 2)
        try queue.put(5, of: 3)
        #expect(queue.take()?.job == 0)
        try queue.put(6, of: 1)
        #expect([queue.take(), queue.take(), queue.take()].map { $0?.job } == [5, 1, 6])
        #expect(queue.take() == nil)
    }
}
