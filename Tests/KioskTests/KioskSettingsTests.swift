import Fields
import Testing
import Wire

@testable import Kiosk

@Suite struct KioskSettingsTests {
    /// The schedule changes before it opens: from one silent preset to another.
    private func house(isOpen: Bool, opensIn: Int?) -> HouseReport {
        HouseReport(theme: "", preset: "", isByHand: false, entry: nil, isOpen: isOpen, opensIn: opensIn, nextChange: 1_000, volume: 0,
                    ceiling: HouseReport.Ceiling(level: 0, setting: 0), hearing: nil)
    }

    @Test func `screens are on in opening hours, some minutes before, for a visitor, and while nothing is known`() {
        func areOn(_ house: HouseReport?, visitor: Bool = false, age: Int) -> Bool {
            ScreenHours.areOn(house, hasVisitor: visitor, age: age, early: 5)
        }
        #expect(areOn(nil, age: 0))
        #expect(areOn(house(isOpen: true, opensIn: nil), age: 5_000), "told before it closed")
        let closed = house(isOpen: false, opensIn: 10_000)
        #expect(!areOn(closed, age: 1_000) && !areOn(closed, age: 9_699) && areOn(closed, age: 9_700) && areOn(closed, age: 20_000))
        #expect(areOn(closed, visitor: true, age: 0))
        #expect(!areOn(house(isOpen: false, opensIn: nil), age: 0))
    }

    @Test func `one screen is turned, whatever its output is called`() {
        let text = SwayConfiguration.text(for: KioskSettings(screens: ["any": KioskSettings.Screen(page: "p", rotation: .quarter)]))
        #expect(text.contains("output * transform 90\n") && text.contains("seat * hide_cursor 100\n"))
        #expect(!text.contains("disable\noutput") && !text.contains("bindsym"))
    }

    @Test func `several screens each have their output, workspace, window and touchscreen, and others are off`() {
        let text = SwayConfiguration.text(for: KioskSettings(screens: [
            "HDMI-A-1": KioskSettings.Screen(page: "p", rotation: .threeQuarters, touch: "1:2:Touch"), "DP-1": KioskSettings.Screen(page: "q"),
        ]))
        let expected = """
            output * disable
            output DP-1 enable
            output DP-1 transform 0
            workspace DP-1 output DP-1
            assign [app_id="^thrum-DP-1$"] workspace DP-1
            output HDMI-A-1 enable
            output HDMI-A-1 transform 270
            workspace HDMI-A-1 output HDMI-A-1
            assign [app_id="^thrum-HDMI-A-1$"] workspace HDMI-A-1
            input "1:2:Touch" map_to_output HDMI-A-1

            """
        #expect(text.hasSuffix(expected))
    }

    @Test(arguments: [
        ("colorscroller", "http://127.0.0.1:7400/colorscroller/?kiosk=any&word=a1"),
        ("colorscroller/", "http://127.0.0.1:7400/colorscroller/?kiosk=any&word=a1"),
        ("colorscroller?lang=de&type=large", "http://127.0.0.1:7400/colorscroller/?lang=de&type=large&kiosk=any&word=a1"),
    ])
    func `a page has its wishes and the name of its screen`(page: String, url: String) {
        let arguments = ChromiumArguments.list(for: "any", page: page, at: "http://127.0.0.1:7400", profile: "/p", word: "a1")
        #expect(arguments.last == url)
        #expect(arguments.contains("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
        #expect(arguments.contains("--class=thrum-any") && arguments.contains("--user-data-dir=/p"))
    }
}
