import CLinux
import ControlSocket
import FoundationEssentials
import Synchronization
import Wire

/// The kiosk's conversation with the daemon: asks how it is and tells how the kiosk is, once a second, for as long as it takes.
final class KioskLink: Sendable {
    /// Without an answer for so long, the daemon counts as away, nanoseconds.
    private static let patience: Int64 = 3_000_000_000

    private struct State {
        var status: StatusReport?
        /// When the status came, CLOCK_MONOTONIC in nanoseconds.
        var toldAt: Int64 = 0
        /// The same while the daemon is there; else the least number.
        var heardAt = Int64.min
        var told: Told?
    }

    private struct Call<Parameters: Encodable>: Encodable {
        var jsonrpc = "2.0"
        var id = 1
        var method: String
        var params: Parameters
    }

    private struct Told: Encodable {
        var report: KioskReport?
        var words: [String: String] = [:]
    }
    private struct Nothing: Codable {}

    private let path: String
    private let state = Mutex(State())

    init(_ path: String) { self.path = path }

    /// What the daemon told last, and when (CLOCK_MONOTONIC, nanoseconds); nil where it has told nothing yet. `heardAt` is the least number
    /// where it is away.
    var last: (status: StatusReport, heardAt: Int64, toldAt: Int64)? {
        state.withLock { state in state.status.map { ($0, state.heardAt, state.toldAt) } }
    }

    /// Whether it answers.
    func isThere(at now: Int64) -> Bool { state.withLock { $0.heardAt != .min && now - $0.heardAt < Self.patience } }

    /// From now on this is told. `words` are what each screen's page is known by.
    func tell(_ report: KioskReport, words: [String: String]) { state.withLock { $0.told = Told(report: report, words: words) } }

    /// Until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await ControlClient.connect(to: path).run { [self] exchange in
                while !Task.isCancelled {
                    let status: StatusReport = try await result(of: Call(method: "status", params: Nothing()), exchange)
                    let now = monotonicNanoseconds()
                    state.withLock { ($0.status, $0.heardAt, $0.toldAt) = (status, now, now) }
                    if let told = state.withLock(\.told) { try await send(told, exchange) }
                    try await Task.sleep(for: .seconds(1))
                }
            }
            guard !Task.isCancelled else { return }
            // A connection that broke tells of a daemon that is gone.
            state.withLock { $0.heardAt = .min }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    /// The kiosk ends, and is not to be missed. Takes at most a second.
    func leave() async {
        guard isThere(at: monotonicNanoseconds()) else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                try? await ControlClient.connect(to: path).run { [self] in try await send(Told(), $0) }
            }
            group.addTask { try? await Task.sleep(for: .seconds(1)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func send(_ told: Told, _ exchange: ControlClient.Exchange) async throws {
        let _: Nothing = try await result(of: Call(method: "kiosk.report", params: told), exchange)
    }

    private func result<Result: Decodable>(of call: some Encodable, _ exchange: ControlClient.Exchange) async throws -> Result {
        try await exchange.send(Array(try JSONEncoder().encode(call)))
        guard let line = try await exchange.receive() else { throw CancellationError() }
        return try JSONDecoder().decode(Answer<Result>.self, from: Data(line)).result
    }
}
