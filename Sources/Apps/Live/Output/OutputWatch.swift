import AudioOutput
import Logging
import Synth

/// Which changes of the sound output are logged. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct OutputWatch {
    enum Change: Equatable {
        /// `lacksPriority`: the render thread has no real-time priority, which is told once.
        case connected(lacksPriority: Bool)
        case waiting
        case null
    }

    /// An output that has just started is not waiting yet.
    private static let patience: Int64 = 1_500_000_000

    private let started: Int64
    private var state: OutputState?
    private var fault: Int32 = 0
    private var hasToldPriority = false

    init(started: Int64) { self.started = started }

    /// Nil when there is nothing new.
    mutating func change(_ report: OutputReport, at now: Int64) -> Change? {
        guard report.state != state || (report.state == .waiting && report.fault != fault) else { return nil }
        if report.state == .waiting, report.fault == 0, now - started < Self.patience { return nil }
        state = report.state
        fault = report.fault
        switch report.state {
        case .connected:
            let lacksPriority = !report.isRealtime && !hasToldPriority
            hasToldPriority = hasToldPriority || lacksPriority
            return .connected(lacksPriority: lacksPriority)
        case .waiting: return .waiting
        case .null: return .null
        }
    }
}

extension Logger {
    func tell(_ change: OutputWatch.Change, _ report: OutputReport, _ output: LiveSettings.Output) {
        switch change {
        case .connected(let lacksPriority):
            info("\(output.beginning)", metadata: [
                "server": "\(report.server)", "sink": "\(report.sink)", "revising": "\(report.revises)",
                "realtime": "\(report.isRealtime)"])
            if lacksPriority { notice("no real-time priority: a busy machine may be heard (RLIMIT_RTPRIO allows it)") }
        case .waiting: warning("waiting for \(output.source)", metadata: ["reason": "\(report.reasonToWait(output))"])
        case .null: info("rendering into nothing, as asked")
        }
    }
}
