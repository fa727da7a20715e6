import Testing
import Wire

@testable import Live

@Suite struct KioskDeskTests {
    @Test func `a kiosk that goes silent is an issue after 10 s, one that ends is not, and where there is none nothing is said`() {
        let desk = KioskDesk()
        #expect(desk.status(at: 0) == nil && desk.issues(at: 0).isEmpty)
        let report = KioskReport(screens: [], areScreensOn: true, restarts: [.memory: 2], lastCause: .memory)
        desk.take(report, at: 1_000_000_000)
        #expect(desk.status(at: 3_000_000_000) == StatusReport.Kiosk(report: report, secondsSinceReport: 2))
        #expect(desk.issues(at: 11_000_000_000).isEmpty)
        #expect(desk.issues(at: 12_500_000_000) == ["the kiosk is gone: it has told nothing for 11 s"])
        desk.take(report, at: 13_000_000_000)
        #expect(desk.issues(at: 14_000_000_000).isEmpty)
        desk.take(nil, at: 15_000_000_000)
        #expect(desk.status(at: 60_000_000_000) == nil && desk.issues(at: 60_000_000_000).isEmpty)
    }

    @Test func `only the page that has its screen's word is on that screen`() {
        let desk = KioskDesk()
        #expect(!desk.knows("any", by: nil) && !desk.knows("any", by: "a1"))
        let report = KioskReport(screens: [], areScreensOn: true, restarts: [:], lastCause: nil)
        desk.take(report, words: ["DP-1": "a1", "DP-2": "b2"], at: 0)
        #expect(desk.knows("DP-1", by: "a1") && desk.knows("DP-2", by: "b2"))
        #expect(!desk.knows("DP-1", by: "b2") && !desk.knows("DP-1", by: nil) && !desk.knows("DP-3", by: "a1"))
        desk.take(report, words: ["DP-1": "c3"], at: 1)
        #expect(!desk.knows("DP-1", by: "a1") && desk.knows("DP-1", by: "c3"), "its browser has been started anew")
    }

    @Test func `a kiosk starts anew at its next report within 10 s, and no other does in its place`() {
        let desk = KioskDesk()
        let anew = KioskOrders(isToRestart: true), none = KioskOrders(isToRestart: false)
        #expect(!desk.askToRestart(at: 0))
        #expect(desk.take(report(nil), at: 0) == none)
        #expect(desk.askToRestart(at: second) && desk.take(report(nil), at: 2 * second) == anew && desk.take(report(nil), at: 3 * second) == none)
        // It hangs, and another comes a while later.
        #expect(desk.askToRestart(at: 4 * second) && desk.take(report(nil), at: 15 * second) == none && desk.take(report(nil), at: 15 * second) == none)
        // It ends by itself.
        #expect(desk.askToRestart(at: 16 * second) && desk.take(nil, at: 17 * second) == none && desk.take(report(nil), at: 18 * second) == none)
        #expect(!desk.askToRestart(at: 29 * second), "it has told nothing for 11 s")
    }

    private let second: Int64 = 1_000_000_000

    private func report(_ issue: String?, isOn: Bool = true) -> KioskReport {
        KioskReport(screens: [KioskReport.Screen(name: "DP-1", isDrawing: issue == nil, memory: 0, issue: issue)], areScreensOn: isOn,
                    restarts: [:], lastCause: nil)
    }

    @Test func `a kiosk that is set and never started is an issue within 15 s of an open house, and none while it is closed`() {
        let desk = KioskDesk(screens: ["DP-1", "DP-2"])
        for time in 0..<60 { desk.watch([], isOpen: false, at: Int64(time) * second) }
        #expect(desk.issues(at: 60 * second).isEmpty)
        desk.watch([], isOpen: true, at: 60 * second)
        #expect(desk.issues(at: 72 * second).isEmpty)
        let never = "thrum kiosk has not reported since thrumd was started: see systemctl status thrum-kiosk, and thrum kiosk --check"
        #expect(desk.issues(at: 73 * second) == ["DP-1", "DP-2"].map { "the kiosk's screen \($0) is dark while the house is open: \(never)" })
        desk.watch([], isOpen: false, at: 74 * second)
        #expect(desk.issues(at: 90 * second).isEmpty)
    }

    @Test func `a screen without a new frame is an issue with the kiosk's own words, until its page draws again`() {
        let desk = KioskDesk(screens: ["DP-1"])
        func page(_ age: Double, on screen: String? = "DP-1") -> StatusReport.Page {
            StatusReport.Page(client: 1, name: nil, frames: 7, secondsSinceFrame: age, screen: screen)
        }
        let words = "the kiosk's screen DP-1 is dark while the house is open: "
        desk.watch([], isOpen: true, at: 0)
        desk.take(report("sway is not running"), at: 14 * second)
        // Another page draws, on no screen of the kiosk.
        desk.watch([page(0, on: nil)], isOpen: true, at: 14 * second)
        #expect(desk.issues(at: 15 * second) == [words + "sway is not running"])
        desk.take(report(nil), at: 16 * second)
        #expect(desk.issues(at: 16 * second) == [words + "thrum kiosk has it drawn, and no page says so to thrumd"])
        desk.watch([page(0.5)], isOpen: true, at: 16 * second)
        #expect(desk.issues(at: 16 * second).isEmpty)
        // Its page hangs from 15.5 s on.
        desk.take(report("its page has stopped drawing"), at: 27 * second)
        desk.watch([page(11.5)], isOpen: true, at: 27 * second)
        #expect(desk.issues(at: 27 * second).isEmpty)
        desk.watch([], isOpen: true, at: 28 * second)
        #expect(desk.issues(at: 28 * second) == [words + "its page has stopped drawing"])
        desk.take(report(nil, isOn: false), at: 29 * second)
        #expect(desk.issues(at: 29 * second) == [words + "thrum kiosk has switched it off"])
        desk.screens = ["HDMI-A-1"]
        #expect(desk.issues(at: 29 * second)[0].hasSuffix("thrum kiosk does not know it, because it was started with other settings"))
        desk.take(nil, at: 30 * second)
        #expect(desk.issues(at: 30 * second)[0].hasSuffix("thrum kiosk was stopped"))
    }
}
