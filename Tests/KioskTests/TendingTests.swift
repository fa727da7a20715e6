import Testing
import Wire

@testable import Kiosk

/// A kiosk of which time and everything seen are made up.
private struct Play {
    var tending: Tending
    var seen: KioskSnapshot

    init(_ screens: [String] = ["any"]) {
        let settings = KioskSettings(screens: Dictionary(uniqueKeysWithValues: screens.map { ($0, KioskSettings.Screen(page: "p")) }), memory: 100)
        tending = Tending(settings)
        seen = KioskSnapshot(now: 0, compositor: .gone, hasDaemon: true, areScreensOn: true,
                     browsers: Dictionary(uniqueKeysWithValues: screens.map { ($0, KioskSnapshot.Browser(isRunning: false)) }))
    }

    /// So many seconds go by, four looks a second; what is started runs at once, and draws where `draws` says so.
    mutating func go(_ seconds: Double, draws: Bool = true) -> [Tending.Action] {
        var all: [Tending.Action] = []
        for _ in 0..<Int(seconds * 4) {
            for screen in seen.browsers.keys where draws && seen.browsers[screen]?.isRunning == true && seen.browsers[screen]?.hasCrashedTab == false {
                seen.browsers[screen]?.drewAt = seen.now
            }
            let actions = tending.step(seen)
            for action in actions {
                switch action {
                case .startCompositor: seen.compositor = .ready
                case .stopCompositor: seen.compositor = .gone
                case .startBrowser(let screen): seen.browsers[screen] = KioskSnapshot.Browser(isRunning: true)
                case .stopBrowser(let screen): seen.browsers[screen] = KioskSnapshot.Browser(isRunning: false)
                case .reload(let screen): seen.browsers[screen]?.hasCrashedTab = false
                }
            }
            all += actions
            seen.now += 0.25
        }
        return all
    }
}

@Suite struct TendingTests {
    @Test func `the compositor is started first, then the browser, and then nothing is done while the page draws`() {
        var play = Play()
        #expect(play.go(2) == [.startCompositor, .startBrowser("any")])
        #expect(play.go(500) == [])
        #expect(play.tending.isDrawing && play.tending.restarts == [:])
    }

    @Test func `a page that draws nothing for 10 s has its browser started anew, and nothing else`() {
        var play = Play()
        _ = play.go(5)
        #expect(play.go(10, draws: false) == [])
        #expect(play.go(1, draws: false) == [.stopBrowser("any"), .startBrowser("any")])
        #expect(play.go(5) == [])
        #expect(play.tending.restarts == [.pageStopped: 1] && play.tending.isDrawing)
        #expect(play.tending.lastFault == Tending.Fault(cause: .pageStopped, screen: "any"))
    }

    @Test func `a browser that draws nothing and does not answer hangs`() {
        var play = Play()
        _ = play.go(5)
        play.seen.browsers["any"]?.unanswered = 8
        _ = play.go(11, draws: false)
        #expect(play.tending.restarts == [.browserHung: 1])
    }

    @Test func `a crashed tab is loaded again in its browser`() {
        var play = Play()
        _ = play.go(5)
        play.seen.browsers["any"]?.hasCrashedTab = true
        #expect(play.go(5) == [.reload("any")])
        #expect(play.tending.restarts == [.tabCrashed: 1] && play.tending.isDrawing)
    }

    @Test(arguments: [KioskReport.Cause.browserEnded, .browserHung, .memory])
    func `a browser that ends, hangs or grows is started anew`(cause: KioskReport.Cause) {
        var play = Play()
        _ = play.go(5)
        switch cause {
        case .browserEnded: play.seen.browsers["any"] = KioskSnapshot.Browser(isRunning: false)
        case .browserHung: play.seen.browsers["any"]?.unanswered = 10.5
        default: play.seen.browsers["any"]?.memory = 100 << 20 + 1
        }
        #expect(play.go(5) == [.stopBrowser("any"), .startBrowser("any")])
        #expect(play.tending.restarts == [cause: 1])
    }

    @Test func `a compositor that ends is started anew with its browsers, and that is one fault`() {
        var play = Play(["DP-1", "DP-2"])
        _ = play.go(5)
        play.seen.compositor = .gone
        #expect(play.go(5) == [.stopBrowser("DP-1"), .stopBrowser("DP-2"), .stopCompositor, .startCompositor, .startBrowser("DP-1"), .startBrowser("DP-2")])
        #expect(play.tending.restarts == [.compositorEnded: 1])
    }

    @Test func `a compositor that is not ready in 15 s is started anew`() {
        var play = Play()
        _ = play.tending.step(play.seen)
        play.seen.compositor = .starting
        play.seen.now = 15
        #expect(play.tending.step(play.seen) == [])
        play.seen.now = 15.25
        #expect(play.tending.step(play.seen) == [.stopCompositor])
        #expect(play.tending.restarts == [.compositorHung: 1])
    }

    @Test func `a page that never draws has both started anew, but only the browser where another screen draws`() {
        var play = Play()
        #expect(play.go(29, draws: false) == [.startCompositor, .startBrowser("any")])
        #expect(play.go(3, draws: false) == [.stopBrowser("any"), .stopCompositor, .startCompositor, .startBrowser("any")])
        #expect(play.tending.restarts == [.neverDrew: 1])

        var two = Play(["DP-1", "DP-2"])
        _ = two.go(1, draws: false)
        for _ in 0..<130 {
            two.seen.browsers["DP-1"]?.drewAt = two.seen.now
            #expect(!two.go(0.25, draws: false).contains(.stopCompositor))
        }
        #expect(two.tending.restarts == [.neverDrew: 1] && two.tending.isDrawing("DP-1") && !two.tending.isDrawing("DP-2"))
        #expect(two.tending.isDrawing, "one is enough")
    }

    @Test func `a browser that does not answer before its first frame has 30 s, and then both are started anew`() {
        var play = Play()
        _ = play.go(1, draws: false)
        play.seen.browsers["any"]?.unanswered = 25
        #expect(play.go(28, draws: false) == [])
        #expect(play.go(3, draws: false) == [.stopBrowser("any"), .stopCompositor, .startCompositor, .startBrowser("any")])
        #expect(play.tending.restarts == [.neverDrew: 1])
    }

    @Test func `what fails again and again is tried after 0, 1, 2, 4 seconds, at last every minute, and after a good minute at once`() {
        var backoff = Backoff()
        #expect((0..<9).map { _ in backoff.next() } == [0, 1, 2, 4, 8, 16, 32, 60, 60])
        var play = Play()
        _ = play.go(5)
        for wait in [0.0, 1, 2, 4] {
            play.seen.browsers["any"] = KioskSnapshot.Browser(isRunning: false)
            let failed = play.seen.now
            #expect(play.go(0.25) == [.stopBrowser("any")])
            while play.go(0.25) == [] {}
            #expect((wait...wait + 0.5).contains(play.seen.now - failed - 0.25))
            _ = play.go(5)
        }
        _ = play.go(61)
        play.seen.browsers["any"] = KioskSnapshot.Browser(isRunning: false)
        #expect(play.go(0.5) == [.stopBrowser("any"), .startBrowser("any")])
    }

    @Test func `while the daemon is away no page is blamed and none is loaded, and on its return the page has 10 s`() {
        var play = Play()
        _ = play.go(5)
        play.seen.hasDaemon = false
        #expect(play.go(600, draws: false) == [])
        play.seen.browsers["any"]?.hasCrashedTab = true
        #expect(play.go(60, draws: false) == [])
        play.seen.hasDaemon = true
        #expect(play.go(5) == [.reload("any")], "it draws then")
        play.seen.hasDaemon = false
        #expect(play.go(60, draws: false) == [])
        play.seen.hasDaemon = true
        #expect(play.go(10, draws: false) == [])
        #expect(play.go(1, draws: false) == [.stopBrowser("any"), .startBrowser("any")])
    }

    @Test func `no browser is started before the daemon is there`() {
        var play = Play()
        play.seen.hasDaemon = false
        #expect(play.go(100) == [.startCompositor])
        play.seen.hasDaemon = true
        #expect(play.go(1) == [.startBrowser("any")])
    }

    @Test func `dark screens draw nothing, which is no fault`() {
        var play = Play()
        _ = play.go(5)
        play.seen.areScreensOn = false
        #expect(play.go(36_000, draws: false) == [])
        play.seen.areScreensOn = true
        #expect(play.go(5) == [] && play.tending.isDrawing)
    }
}
