import CLinux
import ControlSocket
import FoundationEssentials
import Synchronization
import Wire

/// The kiosk's conversation with the daemon: once a second it asks how the daemon is, and tells how the kiosk is.
final class KioskLink: Sendable {
    /// The time without an answer after which the daemon counts as away, in nanoseconds.
    private static let patience: Int64 = 3_000_000_000

    private struct State {
        var status: StatusReport?
        /// When the status came, CLOCK_MONOTONIC in nanoseconds.
        var toldAt: Int64 = 0
        /// When the daemon was heard last, while it is there; else the least number.
        var heardAt = Int64.min
        var report: Report?
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
    private struct Nothing: Codable {}

    private let path: String
    private let state = Mutex(State())

    init(_ path: String) { self.path = path }

    /// The daemon's last status, and when it came (CLOCK_MONOTONIC, nanoseconds); nil where none has come yet. `heardAt` is the least
    /// number where the daemon is away.
    var last: (status: StatusReport, heardAt: Int64, toldAt: Int64)? {
        state.withLock { state in state.status.map { ($0, state.heardAt, state.toldAt) } }
    }

    /// Whether the daemon answers.
    func isThere(at now: Int64) -> Bool { state.withLock { $0.heardAt != .min && now - $0.heardAt < Self.patience } }

    /// Has the daemon be told `report` from now on. `words` are by what each screen's page is known.
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
            // A connection that broke tells of a daemon that is gone.
            state.withLock { $0.heardAt = .min }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Tells the daemon that the kiosk ends, and is not to be missed. Takes at most a second.
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
        let _: Nothing = try await result(of: Call(method: "kiosk.report", params: parameters), exchange)
    }

    private func result<Result: Decodable>(of call: some Encodable, _ exchange: ControlClient.Exchange) async throws -> Result {
        try await exchange.send(Array(try JSONEncoder().encode(call)))
        guard let line = try await exchange.receive() else { throw CancellationError() }
        return try JSONDecoder().decode(Answer<Result>.self, from: Data(line)).result
    }
}
