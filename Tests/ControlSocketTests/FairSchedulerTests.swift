import Dispatch
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import ControlSocket

/// Works off pieces, and writes down whose turn it was. Thread: the loop.
private final class Worker: ScheduledClient {
    final class Log {
        var names: [Character] = []
        /// Where somebody came with something to do.
        var mark = 0
    }

    var schedulerState = SchedulerState()
    var pieces: Int
    var releasesNext = false
    var isAlwaysReleasing = false
    /// Called before each piece.
    var before: (Int) -> Void = { _ in }
    private let name: Character
    private let cost: Int
    private let log: Log

    init(_ name: Character, pieces: Int, cost: Int = FairScheduler.leastCost, _ log: Log) {
        (self.name, self.pieces, self.cost, self.log) = (name, pieces, cost, log)
    }

    var hasWork: Bool { pieces > 0 }

    func work() -> Int {
        before(pieces)
        pieces -= 1
        releasesNext = isAlwaysReleasing
        log.names.append(name)
        return cost
    }

    func rest() {}
}

@Suite struct FairSchedulerTests {
    /// Runs what `body` enqueues to its end, on a loop of its own, and returns in which order.
    private func order(_ body: @escaping @Sendable (FairScheduler, Worker.Log, any EventLoop) -> Void) async throws -> (names: [Character], mark: Int) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let scheduler = try await FairScheduler.open(on: loop)
        let log = try await loop.submit { NIOLoopBound(Worker.Log(), eventLoop: loop) }.get()
        try await loop.submit { body(scheduler.value, log.value, loop) }.get()
        // All is worked off when nothing has been added for a while.
        var count = -1
        while true {
            try await Task.sleep(for: .milliseconds(50))
            let now = try await loop.submit { log.value.names.count }.get()
            if now == count, now > 0 { break }
            count = now
        }
        let result = try await loop.submit { (log.value.names, log.value.mark) }.get()
        try await group.shutdownGracefully()
        return result
    }

    @Test func `four with much to do take turns, and each keeps its own order`() async throws {
        let names = try await order { scheduler, log, _ in
            for name in "abcd" { scheduler.enqueue(Worker(name, pieces: 400, log)) }
        }.names
        #expect(names.count == 1_600)
        // At any moment nobody is more than three shares ahead: who comes anew may go twice in the first round.
        var done: [Character: Int] = ["a": 0, "b": 0, "c": 0, "d": 0]
        for name in names {
            done[name, default: 0] += 1
            let (least, most) = (done.values.min() ?? 0, done.values.max() ?? 0)
            #expect(most - least <= 3 * FairScheduler.share / FairScheduler.leastCost)
        }
    }

    @Test func `who asks for little comes before those who have much to do`() async throws {
        let (names, asked) = try await order { scheduler, log, _ in
            let flooders = "abcd".map { Worker($0, pieces: 400, log) }
            let fifth = Worker("e", pieces: 1, log)
            flooders[0].before = {
                guard $0 == 200 else { return }
                log.mark = log.names.count
                scheduler.enqueue(fifth)
            }
            for flooder in flooders { scheduler.enqueue(flooder) }
        }
        let fifth = try #require(names.firstIndex(of: "e"))
        // What is left of one share, and at most one other's.
        #expect(fifth - asked <= 2 * FairScheduler.share / FairScheduler.leastCost, "after \(fifth - asked) pieces of others")
    }

    /// `home` stands still until it is let on: what is handed over to it piles up there.
    @Test func `where the work is done on another loop, only one turn of it ever waits there`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let (loop, home) = (group.next(), group.next())
        let scheduler = try await FairScheduler.open(on: loop, servedOn: home)
        let log = try await loop.submit { NIOLoopBound(Worker.Log(), eventLoop: loop) }.get()
        let gate = DispatchSemaphore(value: 0)
        home.execute { gate.wait() }
        try await loop.submit { for name in "abcdefgh" { scheduler.value.enqueue(Worker(name, pieces: 40, log.value)) } }.get()
        while try await loop.submit({ log.value.names.isEmpty }).get() { try await Task.sleep(for: .milliseconds(5)) }
        // For a loop that would not wait.
        try await Task.sleep(for: .milliseconds(200))
        let early = try await loop.submit { log.value.names.count }.get()
        // One share of those who let go, four of those who come anew, one of those who wait.
        #expect((1...6 * FairScheduler.share / FairScheduler.leastCost).contains(early), "\(early)")
        gate.signal()
        var count = early
        while count < 320 {
            try await Task.sleep(for: .milliseconds(5))
            count = try await loop.submit { log.value.names.count }.get()
        }
        // Once all is done, somebody who comes anew is served again.
        try await loop.submit { scheduler.value.enqueue(Worker("z", pieces: 1, log.value)) }.get()
        while try await loop.submit({ log.value.names.last }).get() != "z" { try await Task.sleep(for: .milliseconds(5)) }
        try await group.shutdownGracefully()
    }

    @Test func `letting go comes first, also where many let go, and keeps nobody from their turns`() async throws {
        let (names, asked) = try await order { scheduler, log, _ in
            let flooders = (0..<200).map { _ in Worker("f", pieces: 20, log) }
            // They have nothing else to do.
            let stoppers = (0..<50).map { _ in Worker("x", pieces: 100, log) }
            for stopper in stoppers {
                stopper.releasesNext = true
                stopper.before = { [unowned stopper] _ in stopper.isAlwaysReleasing = true }
            }
            let letting = Worker("s", pieces: 1, log)
            letting.releasesNext = true
            flooders[100].before = {
                guard $0 == 10 else { return }
                log.mark = log.names.count
                scheduler.enqueue(letting)
            }
            for worker in flooders + stoppers { scheduler.enqueue(worker) }
        }
        let done = try #require(names.firstIndex(of: "s"))
        // Each of the 50 may let go once before it, and a share of others' work goes with each four of them, but never all the flood.
        #expect(done - asked <= 50 + 50 / 4 * 8 + 16, "after \(done - asked) pieces of others")
        #expect(names.count(where: { $0 == "f" }) == 4_000 && names.count(where: { $0 == "x" }) == 5_000)
        // They go on side by side.
        let halfOfFlood = try #require(names.indices.filter { names[$0] == "f" }.dropFirst(2_000).first)
        #expect((500...4_500).contains(names[..<halfOfFlood].count(where: { $0 == "x" })))
    }

    @Test func `something dear is made up for by waiting, and forgotten when nobody else is there`() async throws {
        let names = try await order { scheduler, log, _ in
            scheduler.enqueue(Worker("d", pieces: 3, cost: 16 * FairScheduler.share, log))
            scheduler.enqueue(Worker("a", pieces: 200, log))
        }.names
        // Between two of the dear pieces the other has about sixteen shares.
        let dear = names.indices.filter { names[$0] == "d" }
        let perShare = FairScheduler.share / FairScheduler.leastCost
        #expect(dear.count == 3 && (15 * perShare...17 * perShare).contains(dear[1] - dear[0]), "\(dear)")
    }

    @Test func `between turns the event loop reads what has come`() async throws {
        let names = try await order { scheduler, log, loop in
            let flooder = Worker("a", pieces: 1_000, log)
            let readable = Worker("i", pieces: 1, log)
            // A pipe that has something to read from the flooder's hundredth piece on.
            var ends: [CInt] = [0, 0]
            guard pipe(&ends) == 0 else { return }
            let (input, output) = (ends[0], ends[1])
            let reader = NIOLoopBound((scheduler, readable), eventLoop: loop)
            let first = NIOLoopBound((scheduler, flooder), eventLoop: loop)
            NIOPipeBootstrap(group: loop).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(PipeReader(reader)) }
            }.takingOwnershipOfDescriptor(input: input).whenSuccess { _ in
                let (scheduler, flooder) = first.value
                scheduler.enqueue(flooder)
            }
            flooder.before = { if $0 == 900 { write(output, "x", 1) } }
        }.names
        let read = try #require(names.firstIndex(of: "i"))
        // The turn at hand, and one more where the event loop hears of that first: of four shares each, since nobody else waits.
        let turn = 4 * FairScheduler.share / FairScheduler.leastCost
        #expect((100...100 + 2 * turn + 2).contains(read), "\(read)")
    }
}

/// Hands `worker` to its turns when something is read.
private final class PipeReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let reader: NIOLoopBound<(FairScheduler, Worker)>

    init(_ reader: NIOLoopBound<(FairScheduler, Worker)>) { self.reader = reader }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let (scheduler, worker) = reader.value
        scheduler.enqueue(worker)
    }
}
