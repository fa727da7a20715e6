import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@testable import Daemon

/// What a start with bad settings uses.
@Suite struct LastGoodTests {
    private let scratch: Scratch
    private let source: SettingsSource

    init() throws {
        let scratch = try Scratch()
        self.scratch = scratch
        let environment = ["STATE_DIRECTORY": scratch.file("kept"), "XDG_RUNTIME_DIR": scratch.path]
        source = SettingsSource(pieces: Registry.pieces, table: try .ofDaemon(), file: scratch.file("thrum.yaml"), flags: ["log": "error"],
                                environment: environment, socket: nil)
    }

    private func write(_ text: String) throws { _ = try scratch.write(text, to: "thrum.yaml") }

    @Test func `what a reload has changed is kept while another key waits for a start, and that one as it was in use`() throws {
        try write("ceiling: -12\nrate: 44100\ntouchscreens: {left: {}}\n")
        let start = try source.read()
        try source.keep(source.lastGood(start, start: start))
        try write("ceiling: -30\nrate: 48000\ntouchscreens: {right: {}}\n")
        let reloaded = try source.read(running: start.live.piece)
        #expect(reloaded.waitingForRestart(since: start) == ["rate", "touchscreens", "motors", "switches"])
        try source.keep(source.lastGood(reloaded, start: start))
        try write("ceiling: -30\nrtae: 48000\n")
        let found = try source.find()
        #expect(found.issues.count == 1 && found.issues[0].contains("rtae"))
        #expect(found.settings.live.values.ceiling == Decibels(-30))
        #expect(found.settings.live.values.rate.hertz == 44_100)
        #expect(found.settings.live.devices == start.live.devices)

        // Good again, and bad once more.
        try write("ceiling: -20\nrate: 32000\n")
        let again = try source.read(running: start.live.piece)
        try source.keep(source.lastGood(again, start: found.settings))
        try write("ceiling: [\n")
        let last = try source.find().settings.live
        #expect(last.values.ceiling == Decibels(-20) && last.values.rate.hertz == 44_100)
    }

    @Test func `settings that were good last say so, and not a line of the file that is bad now`() throws {
        try write("ceiling: -12\ntouchscreens: {left: {}}\n")
        let start = try source.read()
        #expect(start.live.reports.first { $0.key == "ceiling" }?.place?.hasSuffix("thrum.yaml:1") == true)
        try source.keep(source.lastGood(start, start: start))
        try write("\n\nceiling: 12\n")
        let reports = try source.find().settings.live.reports
        for key in ["ceiling", "touchscreens"] {
            let report = try #require(reports.first { $0.key == key })
            #expect(report.source == .lastGood && report.place == scratch.file("kept/last-good.json"), "\(report)")
        }
        #expect(reports.first { $0.key == "log" }?.source == .flag)
        #expect(reports.first { $0.key == "idle" }?.source == .default)
    }

    @Test func `a write that a disk kept until others had come replaces none of these`() throws {
        try write("ceiling: -12\n")
        let start = try source.read()
        let early = source.lastGood(start, start: start)
        try write("ceiling: -30\n")
        let late = source.lastGood(try source.read(running: start.live.piece), start: start)
        try source.keep(late)
        try source.keep(early)
        try write("ceiling: [\n")
        #expect(try source.find().settings.live.values.ceiling == Decibels(-30))
    }

    @Test func `those that are written while earlier ones still are leave whole ones`() async throws {
        try write("idle: 10\n")
        let start = try source.read()
        let last = source.lastGood(start, start: start)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 { group.addTask { [source] in try source.keep(last) } }
            try await group.waitForAll()
        }
        try write("idle: [\n")
        #expect(try source.find().settings.live.values.idle == start.live.values.idle)
    }

    @Test func `last good settings that cannot be written are named with the reason`() throws {
        try write("idle: 10\n")
        let start = try source.read()
        // A file where the directory is to be.
        _ = try scratch.write("", to: "kept")
        #expect(throws: (any Error).self) { try source.keep(source.lastGood(start, start: start)) }
    }
}
