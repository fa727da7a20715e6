import AudioOutput
import Logging
import Realtime
import Synth
import Units

/// Follows the sound after it was sent: what the render thread notices, what others do to it, what the sink's monitor has of it, and what
/// ears had. Only the stage has this class: its state is the event loop's.
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

    /// Takes the render thread's oldest notice; nil when all are taken.
    func nextNotice() -> Notice? {
        guard let notice = notices.peek() else { return nil }
        notices.drop()
        return notice
    }

    /// Compares what was played with what the monitor had, and counts wake-ups. To be called ten times a second.
    func follow(_ report: OutputReport, at now: Int64) {
        wakeUps.count(report.wakeUps, now)
        monitor.compare(report, at: now) { meter.reading(of: $0) }
    }
}

/// Says which changes of the sound output are logged. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct OutputWatch {
    enum Change: Equatable {
        /// `lacksPriority`: the render thread has no real-time priority, which is told once.
        case connected(lacksPriority: Bool)
        case waiting
        case null
    }

    /// How long after the start an output is not said to wait, in nanoseconds.
    private static let patience: Int64 = 1_500_000_000

    private let started: Int64
    private var state: OutputState?
    private var fault: Int32 = 0
    private var hasToldPriority = false

    init(started: Int64) { self.started = started }

    /// Returns what has changed since the last call; nil when nothing has.
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
        case .waiting: warning("waiting for \(output.kind.awaited)", metadata: ["reason": "\(report.reasonToWait(output))"])
        case .null: info("rendering into nothing, as asked")
        }
    }
}

/// Follows whether others keep the sound from being heard: by muting the sink or the stream, or turning them down to nothing. A plain
/// value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct AttenuationWatch {
    enum Change: Equatable {
        /// Nothing is heard from this frame of commands on.
        case silent(from: Frame)
        /// Everything is heard from this frame of commands on.
        case heard(from: Frame)
    }

    private var isInaudible = false

    /// Returns what has changed since the last call; nil when nothing has. The silence that it tells begins no later than the real one, and
    /// ends no earlier. `delay` is how long others may have muted the sound before it was noticed, in nanoseconds. `latency` is the
    /// engine's. While nothing is connected nobody says what others do, and all is as it was.
    mutating func change(_ report: OutputReport, at now: Int64, noticedWithin delay: Int64, latency: FrameCount) -> Change? {
        guard report.state == .connected, report.attenuation.isInaudible != isInaudible else { return nil }
        isInaudible = report.attenuation.isInaudible
        // What the sink has taken may still be played as it was.
        let frame = isInaudible ? report.heard(at: now - delay) : report.heard(at: now) + report.sinkBlock
        let command = Frame(frame.rawValue - latency.rawValue)
        return isInaudible ? .silent(from: command) : .heard(from: command)
    }
}

/// Finds out whether the sink is silent although sound is played. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct MonitorWatch {
    /// The least peak that must show at the monitor: −40 dBFS.
    private static let leastPeak: Float = 0.01
    /// How long there must be sound while the monitor is silent, in nanoseconds: longer than any sink's delay.
    private static let patience: Int64 = 2_500_000_000

    /// The moment since which there was sound all the time; nil for none.
    private var meantSince: Int64?
    /// Whether sound is played, and the monitor has nothing of it.
    private(set) var isSilent = false

    /// Looks at the monitor, ten times a second. `peak` is what the sink should have had at its loudest since the last call, after
    /// everybody's volumes, 1 being full scale; nil if that is not known, or nothing was played.
    mutating func look(at now: Int64, peak: Float?, monitor: Monitor?) {
        guard let peak, peak >= Self.leastPeak else {
            meantSince = nil
            isSilent = false
            return
        }
        let since = meantSince ?? now
        meantSince = since
        let silence = monitor?.silence(at: now) ?? 0
        isSilent = min(now - since, silence) >= Self.patience
    }
}

/// Compares the sound that was played since the last comparison with what the sink's monitor had. A plain value: the caller gives the time
/// (CLOCK_MONOTONIC, nanoseconds).
struct MonitorComparison {
    private var watch = MonitorWatch()
    private var comparedUntil = Frame.zero

    /// Compares what was played with the monitor, ten times a second. `reading` tells how loud some frames were; nil when that is not
    /// known.
    mutating func compare(_ report: OutputReport, at now: Int64, reading: (Range<Frame>) -> MeterReading?) {
        let heard = report.heard(at: now)
        defer { comparedUntil = heard }
        let isPlaying = report.state == .connected && comparedUntil < heard
        let peak = isPlaying ? reading(comparedUntil..<heard)?.peak : nil
        watch.look(at: now, peak: peak.map { $0 * report.attenuation.gain }, monitor: report.monitor)
    }

    /// Returns the issue in words; nil when all is well.
    func issue(_ report: OutputReport) -> String? {
        watch.isSilent ? "the sink \(report.sink) is silent although sound is played on it" : nil
    }
}

/// The rate of the render thread's wake-ups.
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
