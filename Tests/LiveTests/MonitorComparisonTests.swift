import Realtime
import Synth
import Testing
import Units

@testable import Live

@Suite struct MonitorComparisonTests {
    private static let tenth: Int64 = 100_000_000

    private func report(_ tenth: Int64, state: OutputState, gain: Double) -> OutputReport {
        var report = OutputReport()
        report.state = state
        report.sink = FixedText("speaker")
        report.clock = PlayClock(framesPerNanosecond: 48_000 / 1e9)
        report.rendered = Frame(.max)
        report.attenuation.stream.magnitude = gain
        report.monitor = Monitor(at: 0)
        // It listens, and has nothing.
        for past in 0...tenth { report.monitor?.hear(0, at: past * Self.tenth) }
        return report
    }

    /// After ten seconds of sound at a tenth of full scale that the monitor has nothing of; and the frames that were asked for.
    private func issue(state: OutputState = .connected, gain: Double = 1) -> (issue: String?, asked: [Range<Int64>]) {
        var comparison = MonitorComparison()
        var asked: [Range<Int64>] = []
        var last = OutputReport()
        for tenth: Int64 in 0...100 {
            last = report(tenth, state: state, gain: gain)
            comparison.compare(last, at: tenth * Self.tenth) {
                asked.append($0.lowerBound.rawValue..<$0.upperBound.rawValue)
                return MeterReading(peak: 0.1, meanSquare: 0, weightedMeanSquare: 0)
            }
        }
        return (comparison.issue(last), asked)
    }

    @Test func `sound that the monitor has nothing of is an issue that names the sink, and each frame is compared once`() {
        let (issue, asked) = issue()
        #expect(issue == "the sink speaker is silent although sound is played on it")
        let tenths: [Range<Int64>] = (0..<100).map { (tenth: Int64) in tenth * 4_800..<(tenth + 1) * 4_800 }
        #expect(asked == tenths)
    }

    @Test func `what others turned down to silence is not expected at the monitor`() {
        #expect(issue(gain: 0.05).issue == nil, "-46 dBFS is below what is looked for")
        #expect(issue(gain: 0.2).issue != nil)
    }

    @Test func `without a server nothing is compared`() {
        let (issue, asked) = issue(state: .waiting)
        #expect(issue == nil && asked.isEmpty)
    }
}
