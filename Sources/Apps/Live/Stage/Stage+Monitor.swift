import Synth
import Units

extension Stage {
    /// Compares what was meant to be heard since the last tick with what the sink's monitor had.
    func compareWithMonitor(_ report: OutputReport, _ now: Int64) {
        let heard = min(report.clock.frame(at: now), report.rendered)
        defer { comparedUntil = heard }
        let isPlaying = report.state == .connected && comparedUntil < heard
        let peak = isPlaying ? levels.reading(of: comparedUntil..<heard)?.peak : nil
        monitorWatch.look(at: now, peak: peak.map { $0 * report.passage.gain }, monitor: report.monitor)
    }

    /// In words; nil when all is well.
    func silenceIssue(_ report: OutputReport) -> String? {
        monitorWatch.isSilent ? "the sink \(report.sink) is silent although sound is played on it" : nil
    }
}
