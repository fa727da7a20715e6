import Fields
import Foundation
import SettingsFile
import SystemPackage
import Testing

@testable import Tool

/// What Chromium 156 said through its pipes when its renderers were killed, shortened.
@Suite struct DevToolsTests {
    private let created = #"{"method":"Target.targetCreated","params":{"targetInfo":{"targetId":"A7","type":"page","url":"http://x/"}}}"#
    private let crashed = #"{"method":"Target.targetCrashed","params":{"targetId":"A7","status":"killed","errorCode":9}}"#

    @Test func `messages are cut at their zeros, however they come, and what is none is passed over`() {
        var bytes = Array((created + "\0rubbish\0" + crashed.prefix(20)).utf8)
        #expect(DevTools.messages(in: &bytes).compactMap(\.params?.targetInfo?.targetId) == ["A7"])
        bytes += Array((crashed.dropFirst(20) + "\0").utf8)
        #expect(DevTools.messages(in: &bytes).map(\.method) == ["Target.targetCrashed"])
        #expect(bytes.isEmpty)
    }

    @Test func `a tab that crashes is known, other targets are not minded, and it is loaded through a session of its own`() throws {
        let (commands, answers) = (try FileDescriptor.pipe(), try FileDescriptor.pipe())
        let devTools = try DevTools(commands: commands.writeEnd, answers: answers.readEnd)
        func say(_ text: String) throws { try answers.writeEnd.writeAll(Array((text + "\0").utf8)) }
        func asked() throws -> [String] {
            var block = [UInt8](repeating: 0, count: 65_536)
            let count = try block.withUnsafeMutableBytes { try commands.readEnd.read(into: $0) }
            return block[..<count].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        }
        try say(created)
        try say(crashed.replacing("A7", with: "B8"))
        devTools.step(at: 0)
        #expect(!devTools.hasCrashedTab)
        let first = ["Target.setDiscoverTargets", "Browser.getVersion", "Target.attachToTarget"]
        #expect(try zip(asked(), first).map { $0.contains($1) } == [true, true, true])
        #expect(devTools.unanswered(at: 4_000_000_000) == 4)
        try say(#"{"id":2,"result":{}}"#)
        try say(crashed)
        devTools.step(at: 1_000_000_000)
        #expect(devTools.hasCrashedTab && devTools.unanswered(at: 4_000_000_000) == 0)
        devTools.load("http://y/")
        #expect(try asked().first?.contains(#""targetId":"A7""#) == true && !devTools.hasCrashedTab)
        try say(#"{"id":4,"result":{"sessionId":"S"}}"#)
        devTools.step(at: 1_500_000_000)
        let navigation = try asked().first ?? ""
        #expect(navigation.contains("Page.navigate") && navigation.contains(#""sessionId":"S""#))
        try commands.readEnd.close()
        try answers.writeEnd.close()
    }

    /// As Chromium answers `Runtime.evaluate`.
    @Test func `a tab is asked with which status its page came, and one that has crashed no longer has one`() throws {
        let (commands, answers) = (try FileDescriptor.pipe(), try FileDescriptor.pipe())
        let devTools = try DevTools(commands: commands.writeEnd, answers: answers.readEnd)
        func say(_ text: String) throws { try answers.writeEnd.writeAll(Array((text + "\0").utf8)) }
        try say(created)
        devTools.step(at: 0)
        try say(#"{"id":2,"result":{}}"#)
        try say(#"{"id":3,"result":{"sessionId":"S"}}"#)
        devTools.step(at: 2_000_000_000)
        #expect(devTools.pageStatus == nil)
        try say(#"{"id":5,"result":{"result":{"type":"number","value":404,"description":"404"}},"sessionId":"S"}"#)
        devTools.step(at: 2_100_000_000)
        #expect(devTools.pageStatus == 404)
        try say(crashed)
        devTools.step(at: 2_200_000_000)
        #expect(devTools.pageStatus == nil)
        try commands.readEnd.close()
        try answers.writeEnd.close()
    }
}

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
