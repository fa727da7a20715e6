import Fields
import FoundationEssentials
import Wire

/// The state of thrumd, from its notifications. Without a terminal and a socket.
struct LiveView {
    typealias Instant = ContinuousClock.Instant

    struct Happened {
        var at: Instant
        var text: String
    }

    /// More lines than any terminal has.
    private static let mostRecent = 100

    private(set) var status: StatusReport
    private(set) var state: StateReport
    private(set) var meter = Meter()
    /// Newest first.
    private(set) var recent: [Happened] = []
    /// The daemon's start, and the session's; nil between visitors.
    private(set) var begun: Instant
    private(set) var sessionBegun: Instant?
    /// When the last line came from the daemon.
    private(set) var heard: Instant

    /// `answer` is the one to `subscribe`.
    init(_ answer: [UInt8], at now: Instant) throws {
        let snapshot = try JSONDecoder().decode(Answer<Subscribed>.self, from: Data(answer)).result.snapshot
        status = snapshot.status
        state = snapshot.state
        begun = now
        heard = now
        take(snapshot.status, at: now)
    }

    /// A line from the daemon: a notification, or the answer to `status`.
    mutating func take(_ line: [UInt8], at now: Instant) throws {
        let data = Data(line)
        let decoder = JSONDecoder()
        let message = try decoder.decode(Line.self, from: data)
        heard = now
        if let report = message.result { take(report, at: now) }
        guard let method = message.method, let params = message.params else { return }
        switch Topic(method) {
        case .state: return state = try decoder.decode(Parameters<StateReport>.self, from: data).params
        case .meters: return meter.take(try decoder.decode(Parameters<MeterReport>.self, from: data).params, at: now)
        case .session:
            status.session = nil
            sessionBegun = params["phase"] == .text("began") ? now : nil
        case .fault:
            if case .list(let issues)? = params["issues"] { status.issues = issues.map(\.plain) }
        default: break
        }
        // A finger on its way would leave room for nothing else.
        guard params["phase"] != .text("moved") else { return }
        recent.insert(Happened(at: now, text: Told(method: method, params: params).summary), at: 0)
        if recent.count > Self.mostRecent { recent.removeLast() }
    }

    private mutating func take(_ report: StatusReport, at now: Instant) {
        status = report
        begun = now.advanced(by: .seconds(-report.uptimeSeconds))
        sessionBegun = report.session.map { now.advanced(by: .seconds(-$0.seconds)) }
    }

    private struct Line: Decodable {
        var method: String?
        var params: [String: JSONValue]?
        var result: StatusReport?
    }

    private struct Parameters<Value: Decodable>: Decodable { var params: Value }

    private struct Subscribed: Decodable {
        struct Snapshot: Decodable {
            var status: StatusReport
            var state: StateReport
        }

        var snapshot: Snapshot
    }
}
