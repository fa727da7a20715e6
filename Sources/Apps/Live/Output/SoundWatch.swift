import AudioOutput
import Logging
import Realtime
import Synth
import Units

/// Watches the sound after it was sent: the render thread's notices, other programs' volumes and mutes, the level at the sink's monitor,
/// and the dose of sound that visitors get. Only the stage has this class, so its state belongs to the event loop.
final class SoundWatch {
    private var notices: RingConsumer<Notice>
    let meter: Meter
    var output: OutputWatch
    var attenuation = AttenuationWatch()
    private(set) var monitor = MonitorComparison()
    private(set) var wakeUps = WakeUps()
    var hearing = HearingAccount()

    init(_ notices: consuming RingConsumer<Notice>, _ frames: RenderedFrames, started: Int64) {
        self.notices = notices
        meter = Meter(frames)
        output = OutputWatch(started: started)
    }

    /// Returns and removes the render thread's oldest notice; nil where there is none.
    func nextNotice() -> Notice? {
        guard let notice = notices.peek() else { return nil }
        notices.drop()
        return notice
    }

    /// Compares the played sound with the sound at the monitor, and counts wake-ups. It is called ten times a second.
    func follow(_ report: OutputReport, at now: Int64) {
        wakeUps.count(report.wakeUps, now)
        monitor.compare(report, at: now) { meter.reading(of: $0) }
    }
}

/// Decides which changes of the sound output are logged. A plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds).
struct OutputWatch {
    enum Change: Equatable {
        /// The output plays now. `lacksPriority` says that the render thread has no real-time priority; this is reported once.
        case connected(lacksPriority: Bool)
        case waiting
        case null
    }

    /// The time after the start for which an output that waits is not reported, in nanoseconds.
    private static let graceTime: Int64 = 1_500_000_000

    private let started: Int64
    private var state: OutputState?
    private var fault: Int32 = 0
    private var hasToldPriority = false

    init(started: Int64) { self.started = started }

    /// Returns the change since the last call; nil where nothing has changed.
    mutating func change(_ report: OutputReport, at now: Int64) -> Change? {
        guard report.state != state || (report.state == .waiting && report.fault != fault) else { return nil }
        if report.state == .waiting, report.fault == 0, now - started < Self.graceTime { return nil }
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
        case .waiting: warning("waiting for \(output.kind.awaited)", metadata: ["reason": "\(report.reasonToWait(output))"])
        case .null: info("rendering into nothing, as asked")
        }
    }
}

/// Watches whether other programs keep the sound from being heard, by muting the sink or the stream, or by turning them down to nothing. A
/// plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds).
struct AttenuationWatch {
    enum Change: Equatable {
        /// Commands from this frame on are not heard, because other programs keep the sound from being heard.
        case silent(from: Frame)
        /// Commands from this frame on are heard.
        case heard(from: Frame)
    }

    private var isInaudible = false

    /// Returns the change since the last call; nil where nothing has changed. A reported silence begins no later than the real one, and
    /// ends no earlier. `delay` is the longest time that passes before a mute by another program is noticed, in nanoseconds. `latency` is
    /// the engine's. While no output is connected, the volumes are unknown, and nothing changes.
    mutating func change(_ report: OutputReport, at now: Int64, noticedWithin delay: Int64, latency: FrameCount) -> Change? {
        guard report.state == .connected, report.attenuation.isInaudible != isInaudible else { return nil }
        isInaudible = report.attenuation.isInaudible
        // What the sink has taken already may still be played muted.
        let frame = isInaudible ? report.heard(at: now - delay) : report.heard(at: now) + report.sinkBlock
        let command = Frame(frame.rawValue - latency.rawValue)
        return isInaudible ? .silent(from: command) : .heard(from: command)
    }
}

/// Detects that the sink is silent although sound is played. A plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds).
struct MonitorWatch {
    /// The smallest peak that is expected to show at the monitor: −40 dBFS.
    private static let leastPeak: Float = 0.01
    /// The time after which the sink counts as silent if sound is played and the monitor is silent, in nanoseconds. It is longer than any
    /// delay of a sink.
    private static let graceTime: Int64 = 2_500_000_000

    /// The moment since which sound has been played without a break; nil while none is played.
    private var meantSince: Int64?
    /// Whether sound is played and the monitor is silent.
    private(set) var isSilent = false

    /// Evaluates the monitor; called ten times a second. `peak` is the largest sample that the sink should have got since the last call,
    /// after all volumes; 1 is full scale. It is nil where it is unknown, or nothing was played.
    mutating func look(at now: Int64, peak: Float?, monitor: Monitor?) {
        guard let peak, peak >= Self.leastPeak else {
            meantSince = nil
            isSilent = false
            return
        }
        let since = meantSince ?? now
        meantSince = since
        let silence = monitor?.silence(at: now) ?? 0
        isSilent = min(now - since, silence) >= Self.graceTime
    }
}

/// Compares the sound that was played since the last comparison with the sound at the sink's monitor. A plain value: the caller passes the
/// time (CLOCK_MONOTONIC, nanoseconds).
struct MonitorComparison {
    private var watch = MonitorWatch()
    private var comparedUntil = Frame.zero

    /// Compares the played sound with the monitor; called ten times a second. `reading` returns how loud some frames were; nil where that
    /// is unknown.
    mutating func compare(_ report: OutputReport, at now: Int64, reading: (Range<Frame>) -> MeterReading?) {
        let heard = report.heard(at: now)
        defer { comparedUntil = heard }
        let isPlaying = report.state == .connected && comparedUntil < heard
        let peak = isPlaying ? reading(comparedUntil..<heard)?.peak : nil
        watch.look(at: now, peak: peak.map { $0 * report.attenuation.gain }, monitor: report.monitor)
    }

    /// Returns the issue in words; nil where there is none.
    func issue(_ report: OutputReport) -> String? {
        watch.isSilent ? "the sink \(report.sink) is silent although sound is played on it" : nil
    }
}

/// Measures how often the render thread wakes up.
struct WakeUps {
    private(set) var perSecond = 0.0
    private var last: (count: UInt64, moment: Int64)?

    mutating func count(_ count: UInt64, _ now: Int64) {
        guard let last else { return last = (count, now) }
        guard now - last.moment >= 900_000_000 else { return }
        perSecond = Double(count - last.count) * 1e9 / Double(now - last.moment)
        self.last = (count, now)
    }
}
