import Fields
import Testing

@testable import Kiosk

/// Why a screen is dark, in words.
@Suite struct ObstacleTests {
    private func words(_ compositor: KioskSnapshot.Compositor = .ready, _ browser: KioskSnapshot.Browser? = nil, hasDaemon: Bool = true, areScreensOn: Bool = true,
                       failures: [String?: String] = [:]) -> String? {
        KioskSnapshot(now: 100, compositor: compositor, hasDaemon: hasDaemon, areScreensOn: areScreensOn, browsers: browser.map { ["any": $0] } ?? [:])
            .obstacle(on: "any", failures: failures)
    }

    @Test func `what keeps a screen dark is told from the compositor on to the page`() {
        #expect(words(.gone) == "sway is not running")
        #expect(words(.gone, failures: [nil: "No such file or directory", "any": "x"])
            == "sway is not running: it cannot be started: No such file or directory")
        #expect(words(.starting) == "sway is not ready yet")
        let gone = KioskSnapshot.Browser(isRunning: false)
        #expect(words(.ready, gone) == "Chromium is not running")
        #expect(words(.ready, gone, failures: ["any": "x"]) == "Chromium is not running: it cannot be started: x")
        #expect(words(.ready, gone, hasDaemon: false) == "thrumd does not answer thrum kiosk")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true, hasCrashedTab: true)) == "its page has crashed")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true, unanswered: 6)) == "Chromium does not answer")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true)) == "Chromium has not loaded its page yet")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true, pageStatus: 0)) == "its page cannot be loaded from thrumd")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true, pageStatus: 404)) == "its page answers 404: there is no such page")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true, pageStatus: 500)) == "its page answers 500")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true, pageStatus: 200)) == "its page is loaded, and has drawn nothing")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true, drewAt: 95, pageStatus: 200)) == "its page has stopped drawing")
        #expect(words(.ready, KioskSnapshot.Browser(isRunning: true, drewAt: 99, pageStatus: 200)) == nil)
        #expect(words(.gone, areScreensOn: false) == nil)
    }

    @Test func `a page that is not there, or another piece's, is a fault of its field`() {
        func faults(_ page: String) -> [Fault] {
            KioskSettings(screens: ["DP-1": KioskSettings.Screen(page: page)])
                .pageFaults(others: ["unhooked"], in: "/www") { ["colorscroller", "unhooked", "mine/two"].contains($0) }
        }
        for page in ["", "colorscroller", "colorscroller/?lang=de", "colorscroller?a=/../b", "mine/two/"] { #expect(faults(page).isEmpty, "\(page)") }
        #expect(faults("colourscroller/?lang=de") == [Fault(field: "kiosk.screens.DP-1.page",
                                                            expected: "a page in /www, which is a folder with an index.html",
                                                            found: "none at colourscroller")])
        #expect(faults("mine").count == 1)
        #expect(faults("unhooked?x").map(\.found) == ["unhooked, which is another piece's"])
    }
}
