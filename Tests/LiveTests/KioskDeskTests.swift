import Testing
import Wire

@testable import Live

@Suite struct KioskDeskTests {
    @Test func `a kiosk that goes silent is an issue after 10 s, one that ends is not, and where there is none nothing is said`() {
        var desk = KioskDesk()
        #expect(desk.status(at: 0) == nil && desk.issue(at: 0) == nil)
        let report = KioskReport(screens: [], areScreensOn: true, restarts: [.memory: 2], lastCause: .memory)
        desk.told(report, at: 1_000_000_000)
        #expect(desk.status(at: 3_000_000_000) == StatusReport.Kiosk(report: report, secondsSinceReport: 2))
        #expect(desk.issue(at: 11_000_000_000) == nil)
        #expect(desk.issue(at: 12_500_000_000) == "the kiosk is gone: it has told nothing for 11 s")
        desk.told(report, at: 13_000_000_000)
        #expect(desk.issue(at: 14_000_000_000) == nil)
        desk.told(nil, at: 15_000_000_000)
        #expect(desk.status(at: 60_000_000_000) == nil && desk.issue(at: 60_000_000_000) == nil)
    }
}
