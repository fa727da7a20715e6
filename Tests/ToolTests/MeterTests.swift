import Testing
import Wire
@testable import Tool

@Suite struct MeterTests {
    @Test func `a bar is as long as its level is above -60 dBFS, and ends at 0`() {
        var meter = Meter()
        let now = ContinuousClock.now
        for (level, cells) in [(-120.0, "░░░░░░"), (-60, "░░░░░░"), (-30, "███░░░"), (0, "██████"), (6, "██████")] {
            meter.take(MeterReport(peak: level, rms: level), at: now)
            #expect(meter.rmsBar(columns: 6) == cells)
        }
    }

    @Test func `a peak stays marked for two seconds, or until there is a higher one`() {
        var meter = Meter()
        let now = ContinuousClock.now
        meter.take(MeterReport(peak: -10, rms: -20), at: now)
        meter.take(MeterReport(peak: -50, rms: -50), at: now + .milliseconds(1_999))
        #expect(meter.held == -10 && meter.peakBar(columns: 6) == "█░░░│░")
        meter.take(MeterReport(peak: -50, rms: -50), at: now + .seconds(2))
        #expect(meter.held == -50 && meter.peakBar(columns: 6) == "█░░░░░")
        meter.take(MeterReport(peak: -20, rms: -50), at: now + .milliseconds(2_001))
        #expect(meter.held == -20)
    }
}
