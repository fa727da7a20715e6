import CLinux
import ControlSocket
import FoundationEssentials
import Synchronization
import Wire

/// The kiosk's conversation with the daemon: once a second it asks for the daemon's status, and reports the kiosk's state.
final class KioskLink: Sendable {
    /// The time without an answer after which the daemon counts as gone, in nanoseconds.
    private static let timeout: Int64 = 3_000_000_000

    private struct State {
        var status: StatusReport?
        /// The time at which `status` came; CLOCK_MONOTONIC in nanoseconds.
        var toldAt: Int64 = 0
        /// The time at which the daemon last answered; `Int64.min` while there is no connection.
        var heardAt = Int64.min
        var report: Report?
        /// Whether the daemon has asked the kiosk to restart since `takeRestart` was last called.
        var isToRestart = false
    }

    private struct Call<Parameters: Encodable>: Encodable {
        var jsonrpc = "2.0"
        var id = 1
        var method: String
        var params: Parameters
    }

    private struct Report: Encodable {
        var report: KioskReport?
        var words: [String: String] = [:]
    }
    private struct Nothing: Encodable {}

    private let path: String
    private let state = Mutex(State())

    init(_ path: String) { self.path = path }

    /// The last status that the daemon has sent, and when it came: `toldAt`, CLOCK_MONOTONIC in nanoseconds. Nil before the first status.
    /// `heardAt` is when the daemon last answered; `Int64.min` while there is no connection.
    var last: (status: StatusReport, heardAt: Int64, toldAt: Int64)? {
        state.withLock { state in state.status.map { ($0, state.heardAt, state.toldAt) } }
    }

    /// Whether the daemon has answered within the last 3 s. `now` is CLOCK_MONOTONIC in nanoseconds.
    func isThere(at now: Int64) -> Bool { state.withLock { $0.heardAt != .min && now - $0.heardAt < Self.timeout } }

    /// Returns true if the daemon has asked the kiosk to restart since the last call.
    func takeRestart() -> Bool {
        state.withLock { state in
            defer { state.isToRestart = false }
            return state.isToRestart
        }
    }

    /// Stores `report`, which is sent to the daemon from now on. `words` has, by screen, the random word by which the daemon recognizes the
    /// screen's page.
    func tell(_ report: KioskReport, words: [String: String]) { state.withLock { $0.report = Report(report: report, words: words) } }

    /// Talks with the daemon until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await ControlClient.connect(to: path).run { [self] exchange in
                while !Task.isCancelled {
                    let status: StatusReport = try await result(of: Call(method: "status", params: Nothing()), exchange)
                    let now = monotonicNanoseconds()
                    state.withLock { ($0.status, $0.heardAt, $0.toldAt) = (status, now, now) }
                    if let report = state.withLock(\.report) { try await send(report, exchange) }
                    try await Task.sleep(for: .seconds(1))
                }
            }
            guard !Task.isCancelled else { return }
            // A broken connection means that the daemon is gone.
            state.withLock { $0.heardAt = .min }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Tells the daemon that the kiosk ends on purpose, so that its absence is no issue. Takes at most a second.
    func leave() async {
        guard isThere(at: monotonicNanoseconds()) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                try? await ControlClient.connect(to: path).run { [self] in try await send(Report(), $0) }
            }
            group.addTask { try? await Task.sleep(for: .seconds(1)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func send(_ parameters: Report, _ exchange: ControlClient.Exchange) async throws {
        let orders: KioskOrders = try await result(of: Call(method: "kiosk.report", params: parameters), exchange)
        if orders.isToRestart { state.withLock { $0.isToRestart = true } }
    }

    private func result<Result: Decodable>(of call: some Encodable, _ exchange: ControlClient.Exchange) async throws -> Result {
        try await exchange.send(Array(try JSONEncoder().encode(call)))
        guard let line = try await exchange.receive() else { throw CancellationError() }
        return try JSONDecoder().decode(Answer<Result>.self, from: Data(line)).result
    }
}
