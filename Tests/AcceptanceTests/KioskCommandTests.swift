import Foundation
import Testing
import TestSupport

/// `thrum kiosk` with real sway and Chromium, on outputs that exist in memory only.
@Suite struct KioskCommandTests {
    /// sway and Chromium's sandbox refuse root, so root takes another number, for this program alone.
    private func asSomebody(_ arguments: [String]) async throws -> Finished {
        let wrapper = geteuid() == 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : ["env"]
        return try await Running(wrapper[0], wrapper.dropFirst() + arguments).finished()
    }

    @Test func `whatever of a kiosk fails is started anew, drawn again and counted by its cause`() async throws {
        let tended = try await asSomebody(["python3", repository + "/Tests/AcceptanceTests/pages/kiosk.py", Programs.thrum, Programs.thrumd])
        let lines = tended.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ kiosk: \(line)") }
        #expect(tended.status == 0, "\(tended.text)\(tended.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= 11, "\(tended.text)")
    }

    @Test func `a kiosk says what it would start, what is wrong with its settings, and that there are none`() throws {
        let scratch = try Scratch()
        func check(_ text: String) throws -> Finished {
            try run(Programs.thrum, ["kiosk", "--check", "--config", scratch.write(text, to: "thrum.yaml")],
                    environment: ["RUNTIME_DIRECTORY": scratch.path])
        }
        let good = try check("experience: colorscroller\nhttp: 0.0.0.0:7400\nhttp-unencrypted: yes\nkiosk:\n  screens: {any: {page: colorscroller, rotate: 90}}\n")
        #expect(good.status == 0 && good.text.contains("output * transform 90\n"), "\(good.text)\(good.errors)")
        #expect(good.text.hasSuffix(" http://127.0.0.1:7400/colorscroller/?kiosk=any&word=…\n"))
        let daemon = try run(Programs.thrumd, ["--check-config", "--config", scratch.write(
            "kiosk:\n  screens: {any: {page: colorscroller}}\n", to: "off.yaml")])
        #expect(daemon.status == 0 && daemon.text.contains("warning: kiosk: its pages come from http, which is not set"), "\(daemon.text)")
        let deaf = try run(Programs.thrumd, ["--check-config", "--config", scratch.write("""
            http: 7400
            touchscreens: {left: {phys: a}}
            kiosk: {screens: {DP-1: {page: console, touchscreen: left}, DP-2: {page: console, touchscreen: right}}}
            """, to: "deaf.yaml")])
        #expect(deaf.status == 0 && deaf.text.contains("warning: kiosk: the screen DP-2 is not touched: touchscreens has no right"), "\(deaf.text)")
        #expect(!deaf.text.contains("DP-1"))
        let empty = try run(Programs.thrumd, ["--check-config", "--http", "7400", "--www", "/nonesuch", "--config", "/dev/null"])
        #expect(empty.status == 0 && empty.text.contains("warning: www: expected a folder of pages, found none at /nonesuch"), "\(empty.text)")
        try FileManager.default.createDirectory(atPath: scratch.file("pages/kit"), withIntermediateDirectories: true)
        let shadowed = try run(Programs.thrumd, ["--check-config", "--http", "7400", "--www", scratch.file("pages"), "--config", "/dev/null"])
        #expect(shadowed.text.contains("warning: www: \(scratch.file("pages"))/kit is not served: /kit is the kit that came with thrumd"),
                "\(shadowed.text)")
        // A page that nobody will see is refused where somebody looks, and does not stop the sound.
        for (page, complaint) in [
            ("colourscroller", "expected a page in \(repository)/www, which is a folder with an index.html, found none at colourscroller"),
            ("unhooked/?lang=de", "expected a page that speaks with the piece of the setting experience, found unhooked, which is another piece's"),
        ] {
            let text = "experience: colorscroller\nhttp: 7400\nkiosk:\n  screens:\n    any: {page: \(page)}\n"
            let words = "thrum.yaml:5: kiosk.screens.any.page: \(complaint)"
            let kiosk = try check(text)
            #expect(kiosk.status == 255 && kiosk.errors.contains(words), "\(kiosk.errors)")
            let daemon = try run(Programs.thrumd, ["--check-config", "--config", scratch.write(text, to: "thrum.yaml")])
            #expect(daemon.status == 78 && daemon.errors.contains(words), "\(daemon.text)\(daemon.errors)")
        }
        let none = try check("http: 7400\n")
        #expect(none.status == 78 && none.errors.contains("the settings make no kiosk"), "\(none.errors)")
        for (text, complaint) in [
            ("http: 192.168.1.5:7400\nkiosk: {screens: {any: {page: colorscroller}}}\n", "http: expected a port, or an address such as"),
            ("kiosk: {screens: {any: {page: colorscroller}}}\n", "http: expected a port from 1 to 65535"),
            ("http: 7400\nkiosk:\n  screens:\n    any: {page: colorscroller, rotate: 45}\n", "thrum.yaml:4: kiosk.screens.any.rotate: expected one of 0, 90, 180, 270"),
            ("http: 7400\nkiosk:\n  screens: {any: {page: /etc}}\n", "kiosk.screens.any.page: expected a folder of pages"),
            ("http: 7400\nkiosk:\n  screens: {\"DP 1\": {page: colorscroller}}\n", "kiosk.screens.DP 1: expected the name of an output"),
            ("http: 7400\nkiosk: {screens: {}}\n", "kiosk.screens: expected a mapping of screens"),
        ] {
            let refused = try check(text)
            #expect(refused.status == 255 && refused.errors.contains(complaint), "\(refused.errors)")
        }
    }
}
