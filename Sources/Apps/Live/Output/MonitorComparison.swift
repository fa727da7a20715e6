import Synth
import Units

/// Compares the sound that was played since the last comparison with what the sink's monitor had. A plain value: the caller gives the time
/// (CLOCK_MONOTONIC, nanoseconds).
struct MonitorComparison {
    private var watch = MonitorWatch()
    private var comparedUntil = Frame.zero

    /// To be called ten times a second. `reading` tells how loud some frames were; nil when that is not known.
    mutating func compare(_ report: OutputReport, at now: Int64, reading: (Range<Frame>) -> MeterReading?) {
        let heard = report.heard(at: now)
        defer { comparedUntil = heard }
        let isPlaying = report.state == .connected && comparedUntil < heard
        let peak = isPlaying ? reading(comparedUntil..<heard)?.peak : nil
        watch.look(at: now, peak: peak.map { $0 * report.attenuation.gain }, monitor: report.monitor)
    }

    /// In words; nil when all is well.
    func issue(_ report: OutputReport) -> String? {
        watch.isSilent ? "the sink \(report.sink) is silent although sound is played on it" : nil
    }
}
