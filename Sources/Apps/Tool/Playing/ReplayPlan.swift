import CLinux
import Journal
import JournalFile
import Offline
import Signals
import SystemPackage
import Units

/// What a replay needs to know of a journal beforehand.
struct ReplayPlan: Sendable {
    let path: FilePath
    let header: JournalHeader
    /// The line of each client's last event, counted from 1: nothing comes from the client any more.
    private(set) var lastLines: [Client: Int] = [:]
    /// The frame at which everything is let go. The idle time of a session that ended because nobody was there is not waited out.
    private(set) var end = Frame.zero
    /// Whether the effects of the journal's events depend on the seed.
    private(set) var needsSeed: Bool
    /// The line at which the session was cut off; nil if it ended as it should.
    private(set) var cutLine: Int?
    /// The verdict of the sums of all lines.
    private(set) var integrity = JournalIntegrity.unknown

    /// Goes through the whole journal. Throws `JournalFault` and `Errno`.
    init(_ path: FilePath) throws {
        var scan = try JournalScan(path)
        let header = try scan.header()
        self.path = path
        self.header = header
        needsSeed = header.experience != "direct"
        var (isStopped, last) = (false, Frame.zero)
        while let entry = try scan.next() {
            switch entry {
            case .event(let event, let frame, _, let cues):
                end = frame
                if case .action = event.kind { needsSeed = true }
                isStopped = event.client == .engine && event.kind == .stop
                if event.client != .engine { lastLines[event.client] = scan.line }
                if event.client != .engine || (cues?.isEmpty == false && event.kind != .stop) { last = frame }
            case .end(.idle, let frame): end = min(frame, last + header.sampleRate.frames(in: SessionCut.rest))
            // The engine stops everything, and writes the end when it is silent.
            case .end(_, let frame): end = isStopped ? end : frame
            case .discontinuity(.lost, let frame): end = frame
            case .header, .discontinuity, .checkpoint: break
            }
        }
        if case .cut(let line) = scan.ending { cutLine = line }
        integrity = scan.integrity
    }
}

/// The user has interrupted the replay.
struct Interrupted: Error {}

/// The timing of a replay, and its progress bar.
final class ReplayPace {
    /// The time from the beginning to frame 0, in nanoseconds: what is sent first is sent so long ahead.
    private static let lead: Int64 = 300_000_000
    /// The time by which an answer may come later than it should, in nanoseconds.
    private static let patience: Int64 = 5_000_000_000

    private let start = monotonicNanoseconds() + ReplayPace.lead
    private let rate: SampleRate
    private let speed: Double
    private let end: Int64
    private let bar = ProgressBar("replaying")

    init(_ plan: ReplayPlan, speed: Double) {
        let rate = plan.header.sampleRate
        self.rate = rate
        self.speed = speed
        end = start + ReplayPace.span(plan.end, rate, speed)
    }

    /// The seconds since frame 0.
    var seconds: Double { max(0, Double(monotonicNanoseconds() - start) / 1e9) }

    /// Returns the moment of a frame, CLOCK_MONOTONIC in nanoseconds.
    func moment(of frame: Frame) -> Int64 { start + ReplayPace.span(frame, rate, speed) }

    private static func span(_ frame: Frame, _ rate: SampleRate, _ speed: Double) -> Int64 {
        Int64(rate.seconds(in: FrameCount(frame.rawValue)).rawValue / speed * 1e9)
    }

    /// Waits until `moment`. Throws `Interrupted`.
    func hold(until moment: Int64) async throws {
        while true {
            if Interruption.hasCome { throw Interrupted() }
            let now = monotonicNanoseconds()
            guard now < moment else { return }
            bar.show(min(1, max(0, Double(now - start) / Double(max(1, end - start)))))
            try await Task.sleep(for: .nanoseconds(min(moment - now, 50_000_000)))
        }
    }

    /// Waits until it `isDone`, which should be so by `moment`. Throws `Interrupted`, and an exit status if it is not.
    func wait(until moment: Int64, for isDone: () -> Bool) async throws {
        while !isDone() {
            if Interruption.hasCome { throw Interrupted() }
            guard monotonicNanoseconds() < moment + Self.patience else {
                throw failure("no answer within 5 s: thrumd hangs", Exit.unavailable)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
