import Fields
import SettingsFile
import Testing

@testable import Tool

@Suite struct KioskPlanTests {
    private let one = "kiosk: {screens: {any: {page: colorscroller}}}\n"

    private func plan(_ text: String) throws -> KioskPlan? { try KioskPlan(SettingsFiles([SettingsFiles.File(path: "thrum.yaml", text: text)])) }

    @Test(arguments: ["7400", "127.0.0.1:7400", "localhost:7400", "0.0.0.0:7400", "192.168.1.5:7400", "example.org:7400"])
    func `a kiosk's pages come from this machine's own address, and another is a fault that names http`(http: String) throws {
        if http.hasPrefix("192") || http.hasPrefix("example") {
            #expect { try plan("http: \(http)\n\(one)") } throws: { "\($0)".hasPrefix("http: expected a port, or an address such as") }
        } else {
            let host = http.hasPrefix("localhost") ? "localhost" : "127.0.0.1"
            #expect(try plan("http: \(http)\n\(one)")?.url(of: "any", word: "a1") == "http://\(host):7400/colorscroller/?kiosk=any&word=a1")
        }
    }

    @Test func `of several screens each page has touches of its own`() throws {
        let two = try plan("http: 7400\nkiosk: {screens: {DP-1: {page: colorscroller}, DP-2: {page: \"colorscroller/?lang=de\"}}}\n")
        #expect(two?.url(of: "DP-1", word: "a1") == "http://127.0.0.1:7400/colorscroller/?touches=page&kiosk=DP-1&word=a1")
        #expect(two?.url(of: "DP-2", word: "a1") == "http://127.0.0.1:7400/colorscroller/?lang=de&touches=page&kiosk=DP-2&word=a1")
    }

    @Test func `of several screens each page has the engine's touches of the touchscreen in front of it, where the settings name it`() throws {
        let two = try plan("http: 7400\nkiosk: {screens: {DP-1: {page: p, touchscreen: left_1}, DP-2: {page: p, touchscreen: right}}}\n")
        #expect(two?.url(of: "DP-1", word: "a1") == "http://127.0.0.1:7400/p/?touchscreen=left_1&kiosk=DP-1&word=a1")
        #expect(two?.url(of: "DP-2", word: "a1") == "http://127.0.0.1:7400/p/?touchscreen=right&kiosk=DP-2&word=a1")
        #expect { try plan("http: 7400\nkiosk: {screens: {any: {page: p, touchscreen: a&b}}}\n") } throws: {
            "\($0)".contains("kiosk.screens.any.touchscreen: expected a name of the setting touchscreens")
        }
    }
}
