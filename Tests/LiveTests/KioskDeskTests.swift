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

    @Test func `only the page that has its screen's word is on that screen`() {
        var desk = KioskDesk()
        #expect(!desk.knows("any", by: nil) && !desk.knows("any", by: "a1"))
        let report = KioskReport(screens: [], areScreensOn: true, restarts: [:], lastCause: nil)
        desk.told(report, words: ["DP-1": "a1", "DP-2": "b2"], at: 0)
        #expect(desk.knows("DP-1", by: "a1") && desk.knows("DP-2", by: "b2"))
        #expect(!desk.knows("DP-1", by: "b2") && !desk.knows("DP-1", by: nil) && !desk.knows("DP-3", by: "a1"))
        desk.told(report, words: ["DP-1": "c3"], at: 1)
        #expect(!desk.knows("DP-1", by: "a1") && desk.knows("DP-1", by: "c3"), "its browser has been started anew")
    }
}
