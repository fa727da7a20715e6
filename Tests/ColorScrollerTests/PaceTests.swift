@testable import ColorScroller
import Testing

@Suite struct PaceTests {
    /// Slopes from numpy.polyfit(range(5), …, 1), and of the last eight of ten.
    @Test func `the velocity's trend is the slope of a line through the last eight`() {
        var pace = Pace()
        for (second, velocity) in [1.0, 2.5, 2.0, 4.0, 3.5].enumerated() { pace.scroll(at: Double(second), velocity: velocity) }
        #expect(abs(pace.trend - 0.65) < 1e-12)
        pace = Pace()
        for (second, velocity) in [9.0, 8, 1, 2, 3, 4, 5, 6, 7, 3.5].enumerated() { pace.scroll(at: Double(second), velocity: velocity) }
        #expect(abs(pace.trend - 0.625) < 1e-12)
    }

    @Test func `a pause counts as scrolling for two seconds`() {
        var pace = Pace()
        for time in [1.0, 2.5, 10.0] { pace.scroll(at: time, velocity: nil) }
        #expect(pace.activeSeconds == 1 + 1.5 + 2)
        #expect(!pace.isScrolling)
        pace.scroll(at: 11, velocity: nil)
        #expect(pace.isScrolling && pace.velocity == 1)
    }
}
