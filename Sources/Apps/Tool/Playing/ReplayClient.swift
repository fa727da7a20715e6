import CLinux
import ControlSocket
import FoundationEssentials
import Synchronization
import Wire

/// Replays the events of one client of the journal, on a connection of its own, so that the fingers and the tone that it holds are its own.
final class ReplayClient: Sendable {
    private enum Order: Sendable {
        case send([UInt8])
        /// Ends the connection at this time; CLOCK_MONOTONIC in nanoseconds.
        case leave(Int64)
    }

    private struct State {
        /// The journal lines whose requests have not been answered yet.
        var waiting: Set<Int> = []
        /// The message of thrumd's last error that answers no request, which may say why it closed the connection; nil before the first.
        var farewell: String?
        /// The reason why the connection was lost; nil while it lasts, or where this program ended it.
        var ending: String?
    }

    /// A wrapper that lets one task send on a connection while another receives. That is safe, because the two directions share no state.
    private struct Duplex: @unchecked Sendable {
        let exchange: ControlClient.Exchange
    }

    private struct Answer: Decodable {
        struct Refusal: Decodable { var message: String }
        var id: Int?
        var result: Receipt?
        var error: Refusal?
    }

    private let tally: ReplayTally
    private let orders: AsyncStream<Order>
    private let inbox: AsyncStream<Order>.Continuation
    private let state = Mutex(State())

    init(_ tally: ReplayTally) {
        let (orders, inbox) = AsyncStream.makeStream(of: Order.self)
        self.tally = tally
        self.orders = orders
        self.inbox = inbox
    }

    /// The number of requests that have not been answered yet.
    var waiting: Int { state.withLock { $0.waiting.count } }

    var isLost: Bool { state.withLock { $0.ending != nil } }

    func isWaiting(for line: Int) -> Bool { state.withLock { $0.waiting.contains(line) } }

    /// Queues a request for sending. `line` is the request's line of the journal, and its id.
    func send(_ request: [UInt8], line: Int) {
        let ending = state.withLock { state in
            if state.ending == nil { state.waiting.insert(line) }
            return state.ending
        }
        if let ending { return tally.refuse(line, ending, wasSent: false) }
        tally.countSent()
        inbox.yield(.send(request))
    }

    /// Ends the connection when all requests are answered, but not before `moment`, which is CLOCK_MONOTONIC in nanoseconds.
    func leave(at moment: Int64) {
        inbox.yield(.leave(moment))
        inbox.finish()
    }

    /// Ends the connection when all requests are answered.
    func close() { inbox.finish() }

    /// Sends and listens until the connection has ended.
    func run(on connection: ControlClient) async {
        do {
            try await connection.run { exchange in try await self.converse(Duplex(exchange: exchange)) }
        } catch {
            if !Task.isCancelled { lose("the connection broke: \(error)") }
        }
    }

    private func converse(_ duplex: Duplex) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let ending = await self.listen(duplex)
                if !Task.isCancelled { self.lose(ending) }
            }
            for await order in self.orders {
                switch order {
                case .send(let request): try await duplex.exchange.send(request)
                case .leave(let moment):
                    try await self.settle()
                    try await Task.sleep(for: .nanoseconds(max(0, moment - monotonicNanoseconds())))
                }
            }
            try await self.settle()
            group.cancelAll()
        }
    }

    /// Receives answers until no more come, and returns the reason for that.
    private func listen(_ duplex: Duplex) async -> String {
        do {
            while let line = try await duplex.exchange.receive() { hear(line) }
            return "thrumd closed the connection"
        } catch {
            return "the connection broke: \(error)"
        }
    }

    private func hear(_ line: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)) else { return }
        guard let id = answer.id else {
            return state.withLock { $0.farewell = answer.error?.message }
        }
        if let error = answer.error {
            tally.refuse(id, error.message, wasSent: true)
        } else {
            tally.accept(lateMilliseconds: answer.result?.lateMilliseconds)
        }
        // The request is removed after it has been counted, so that a waiting task finds the count complete.
        state.withLock { _ = $0.waiting.remove(id) }
    }

    /// Records that the connection was lost, and counts the unanswered requests as refused.
    private func lose(_ reason: String) {
        let (lines, ending) = state.withLock { state in
            let ending = state.ending ?? state.farewell ?? reason
            let lines = state.waiting.sorted()
            state.ending = ending
            state.waiting = []
            return (lines, ending)
        }
        for line in lines { tally.refuse(line, ending, wasSent: true) }
    }

    private func settle() async throws {
        while waiting > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Counts thrumd's answers. The first few refusals are printed.
final class ReplayTally: Sendable {
    struct Totals: Sendable {
        var sent = 0
        /// The number of sent events that thrumd has answered, whether it accepted or refused them.
        var answered = 0
        var refused = 0
        var late = 0
        /// The delay of the event that was delayed most, in milliseconds.
        var worst = 0.0

        var waiting: Int { sent - answered }
    }

    private static let complaints = 5

    private let journal: String
    private let counts = Mutex(Totals())

    init(journal: String) { self.journal = journal }

    var totals: Totals { counts.withLock { $0 } }

    func countSent() { counts.withLock { $0.sent += 1 } }

    /// Counts an event that took effect. `lateMilliseconds` is how much later than planned it took effect; nil where it was in time.
    func accept(lateMilliseconds: Double?) {
        counts.withLock { counts in
            counts.answered += 1
            guard let lateMilliseconds else { return }
            counts.late += 1
            counts.worst = max(counts.worst, lateMilliseconds)
        }
    }

    /// Counts an event that had no effect, and prints the first few. `line` is the event's line in the journal. `wasSent` is false where it
    /// could not be sent.
    func refuse(_ line: Int, _ reason: String, wasSent: Bool) {
        let refused = counts.withLock { counts in
            if wasSent { counts.answered += 1 }
            counts.refused += 1
            return counts.refused
        }
        if refused <= Self.complaints { warnAboveBar("\(journal):\(line): \(reason)") }
        if refused == Self.complaints + 1 { warnAboveBar("\(journal): more events are refused, which are only counted") }
    }
}
