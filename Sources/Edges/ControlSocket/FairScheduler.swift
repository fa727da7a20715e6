import CLinux
import Glibc
import NIOCore
import NIOPosix

/// A client whose work is scheduled. Thread: the event loop of its `FairScheduler`.
protocol ScheduledClient: AnyObject {
    /// The scheduler's state for this client. Only `FairScheduler` uses it.
    var schedulerState: SchedulerState { get set }
    var hasWork: Bool { get }
    /// Whether the client's next piece of work releases a finger, a tone or all sound. Such work comes before the work of others.
    var releasesNext: Bool { get }
    /// Does one piece of work. May be called only while `hasWork`. Returns the cost, at least 1, in the units of `FairScheduler.share`.
    func work() -> Int
    /// Tells the client that its turn is over.
    func rest()
}

/// The scheduler's state for one client.
struct SchedulerState {
    fileprivate var isQueued = false
    /// The units of work left in this round. Expensive work makes it negative; the client then skips rounds until its shares have made up
    /// for that.
    fileprivate var credit = 0
    fileprivate var busySpell = 0

    /// Charges the client for a cost that became known only after its turn, and that `work` has not returned.
    mutating func charge(_ cost: Int) { credit -= max(0, cost) }
}

/// Deficit round robin over all connections of one event loop, so that a flood of one client holds nobody else up. A turn is short; between
/// two turns the event loop reads new input and does its other work. If only one client has work, its turns are four times as long.
///
/// Thread: its event loop.
final class FairScheduler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The units of work in one turn: four short requests. A request costs as many units as its line has bytes, and at least `leastCost`.
    static let share = 1024
    static let leastCost = 256

    private let loop: any EventLoop
    /// The loop that does the work which a turn hands over; nil where that is `loop`.
    private let home: (any EventLoop)?
    /// Clients whose next piece of work releases something (`releasesNext`). They come first.
    private var urgent = CircularBuffer<any ScheduledClient>()
    /// Clients that had no work before this. They come before `waiting`, so that a client with few requests is answered at once.
    private var fresh = CircularBuffer<any ScheduledClient>()
    private var waiting = CircularBuffer<any ScheduledClient>()
    private var context: ChannelHandlerContext?
    private var isBusy = false
    /// The number of times that all work was finished. A client's negative credit from before the last time is cancelled.
    private var busySpell = 0

    private init(on loop: any EventLoop, servedOn home: (any EventLoop)?) {
        self.loop = loop
        self.home = home
    }

    /// Makes a scheduler that runs on `loop` until the loop shuts down. If another loop, `home`, does the work, each turn waits until
    /// `home` has done what the turn before handed over, so that little work waits there. Throws NIO's error when no file descriptor is
    /// left.
    static func open(on loop: any EventLoop, servedOn home: (any EventLoop)? = nil) async throws -> NIOLoopBound<FairScheduler> {
        let scheduler = try await loop.submit { NIOLoopBound(FairScheduler(on: loop, servedOn: home), eventLoop: loop) }.get()
        // An event loop runs all its tasks before it looks for input again, so turns cannot be tasks. A turn is triggered by input instead:
        // by an eventfd whose counter each turn lowers by one, and which starts higher than will ever be needed.
        let counter = eventfd(0, Int32(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
        guard counter >= 0, eventfd_write(counter, 1 << 62) == 0 else { throw IOError(errnoCode: errno, reason: "eventfd") }
        _ = try await NIOPipeBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(scheduler.value) }
            }
            .takingOwnershipOfDescriptor(input: counter).get()
        return scheduler
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Queues a client for its turn. Does nothing if it has no work or is queued already.
    func enqueue(_ taker: some ScheduledClient) {
        guard !taker.schedulerState.isQueued, taker.hasWork else { return }
        if taker.schedulerState.busySpell != busySpell { taker.schedulerState = SchedulerState(busySpell: busySpell) }
        queue(taker, isFresh: taker.schedulerState.credit >= 0)
        guard !isBusy else { return }
        isBusy = true
        // The turn comes when all input that has arrived is read.
        let scheduler = NIOLoopBound(self, eventLoop: loop)
        loop.execute { scheduler.value.turn() }
    }

    func channelReadComplete(context: ChannelHandlerContext) { turn() }

    private func turn() {
        let hasWorked = !(urgent.isEmpty && fresh.isEmpty && waiting.isEmpty)
        var left = Self.share
        while left > 0, let taker = urgent.popFirst() {
            if taker.hasWork { left -= taker.work() }
            requeue(taker)
        }
        left = 4 * Self.share
        while left > 0, let taker = fresh.popFirst() { left -= serve(taker) }
        left = 4 * Self.share
        repeat {
            guard let taker = nextInCredit() else { break }
            left -= serve(taker)
        } while left > 0 && waiting.count == 1 && urgent.isEmpty && fresh.isEmpty
        if let home, hasWorked {
            let scheduler = NIOLoopBound(self, eventLoop: loop)
            home.execute { [loop] in loop.execute { scheduler.value.turn() } }
        } else if urgent.isEmpty, fresh.isEmpty, waiting.isEmpty {
            isBusy = false
            busySpell += 1
        } else {
            context?.read()
        }
    }

    /// Returns the next waiting client that has credit in this round. If no client has credit and no new one waits, it counts further
    /// rounds at once, each of which adds to the credit of all, until one client has some.
    private func nextInCredit() -> (any ScheduledClient)? {
        var left = waiting.count
        while left > 0 || fresh.isEmpty, let taker = waiting.popFirst() {
            if taker.schedulerState.credit + Self.share > 0 { return taker }
            taker.schedulerState.credit += Self.share
            waiting.append(taker)
            left -= 1
        }
        return nil
    }

    /// Gives one client its turn. Returns what its work has cost.
    @discardableResult
    private func serve(_ taker: any ScheduledClient) -> Int {
        taker.schedulerState.credit += Self.share
        let credit = taker.schedulerState.credit
        while taker.schedulerState.credit > 0, taker.hasWork, !taker.releasesNext { taker.schedulerState.credit -= taker.work() }
        let cost = credit - taker.schedulerState.credit
        requeue(taker)
        return max(1, cost)
    }

    private func requeue(_ taker: any ScheduledClient) {
        taker.rest()
        taker.schedulerState.isQueued = false
        // Credit that was not used is lost.
        taker.schedulerState.credit = min(0, taker.schedulerState.credit)
        if taker.hasWork { queue(taker, isFresh: false) }
    }

    private func queue(_ taker: any ScheduledClient, isFresh: Bool) {
        taker.schedulerState.isQueued = true
        if taker.releasesNext { urgent.append(taker) } else if isFresh { fresh.append(taker) } else { waiting.append(taker) }
    }
}
