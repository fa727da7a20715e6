import Foundation
import Testing
import TestSupport

/// What thrumd says about bad settings.
@Suite struct SettingsFaultsTests {
    /// What it says about a file, line by line.
    private func complaints(_ text: String, _ scratch: Scratch, _ flags: [String] = [], _ environment: [String: String] = [:]) throws -> [String] {
        let file = try scratch.write(text, to: "thrum.yaml")
        let paths = ["--socket", scratch.file("s")] + (flags.contains("--sessions") ? [] : ["--sessions", scratch.file("j")])
        let finished = try run(Programs.thrumd, ["--check-config", "--config", file] + paths + flags, environment: environment)
        #expect(finished.status == (finished.errors.isEmpty ? 0 : 78))
        return finished.errors.split(separator: "\n").map { String($0).replacing("thrumd: " + scratch.path + "/", with: "") }
    }

    @Test func `all that is wrong with a file is told in the order of its lines, also within mappings`() throws {
        let text = """
            queue: 5
            presets:
              calm: {volume: 3, cap: 50}
            schedule:
              hours:
                night: {days: someday, from: 18:00, to: 10:00, preset: silent}
                noon: {days: daily, from: 12:00, to: 13:00, preset: slient}
                day:
                  days: daily
                  from: 10:00
                  to: 18:00
            hearing: {calibration: 20, limit: 85, sesion: 20}
            ceiling: −12
            idle: 0,5
            touchscreens: {left: {rotate: 45, kind: finger}}
            queu: 100
            """
        #expect(try complaints(text, Scratch()) == [
            "thrum.yaml:1: queue: expected a number from 50 to 500 (ms), found \"5\"",
            "thrum.yaml:3: presets.calm.cap: expected a number from 100 to 5000 (Hz), found 50",
            "thrum.yaml:3: presets.calm.volume: expected a number from -120 to 0 (dB), found 3",
            "thrum.yaml:6: schedule.hours.night.days: expected days such as mon, mon-fri, sat-sun, \"tue,thu\", daily, weekdays, weekend, found \"someday\"",
            "thrum.yaml:7: schedule.hours.noon.preset: expected one of calm, normal, quiet-day, sensory-friendly, silent, found \"slient\" "
                + "(did you mean silent?)",
            "thrum.yaml:8: schedule.hours.day.preset: expected the name of a preset, found nothing",
            "thrum.yaml:12: hearing.calibration: expected a number from 40 to 140 (dB), found 20",
            "thrum.yaml:12: hearing.sesion: expected only calibration, country, limit, session, found this field (did you mean session?)",
            "thrum.yaml:13: ceiling: expected a number from -60 to 0 (dBFS), found \"−12\" with a typographic minus, where - is expected",
            "thrum.yaml:14: idle: expected a number from 0.1 to 86400 (s), found \"0,5\" with a comma, where a decimal point is expected",
            "thrum.yaml:15: touchscreens.left.kind: expected one of touch, surface, pen, mouse, found \"finger\"",
            "thrum.yaml:15: touchscreens.left.rotate: expected one of 0, 90, 180, 270, found 45",
            "thrum.yaml:16: queu: expected a key that thrumd knows, such as queue, found this one",
        ])
    }

    @Test func `what a comma or a missing space does between braces is told, and a file that was emptied`() throws {
        #expect(try complaints("hearing: {calibration: 96,5}\n", Scratch()) == [
            "thrum.yaml:1: hearing.5: expected only calibration, country, limit, session, found what follows a comma (a number has a decimal point)",
        ])
        #expect(try complaints("hearing: {limit:80, calibration: 96}\n", Scratch()) == [
            "thrum.yaml:1: hearing.limit:80: expected only calibration, country, limit, session, found no space after its colon",
        ])
        #expect(try complaints("schedule: 7\nhearing:\n", Scratch()) == ["thrum.yaml:1: schedule: expected a mapping of keys to values"])
        #expect(try complaints("", Scratch()) == ["thrum.yaml: expected settings, or at least a comment, found an empty file"])
        #expect(try complaints("# none\n", Scratch()) == [])
    }

    @Test(arguments: ["localhost:8080", "https://a.example/", "page", "http://b.example/page", "http://c.example x"])
    func `an origin that no browser says is a fault`(origin: String) throws {
        let text = "http: 9000\nhttp-origins: http://localhost:8080, https://a.example, null, \(origin)\n"
        #expect(try complaints(text, Scratch()) == [
            "thrum.yaml:2: http-origins: expected origins such as http://localhost:8080, without a path, found \"\(origin)\"",
        ])
    }

    @Test func `a theme that is wrong is told with all its lines, after the settings of the file before it`() throws {
        let scratch = try Scratch()
        let theme = try scratch.write("ceiling: 3\nchimes:\n  ding:\n    - {frequency: 5}\n", to: "zebra.yaml")
        #expect(try complaints("theme: \(theme)\nqueue: 5\n", scratch) == [
            "thrum.yaml:2: queue: expected a number from 50 to 500 (ms), found \"5\"",
            "zebra.yaml:1: ceiling: expected a number from -60 to 0 (dBFS), found 3",
            "zebra.yaml:4: chimes.ding[0].frequency: expected a number from 20 to 20000 (Hz), found 5",
        ])
    }

    @Test func `a file with a byte order mark and lines that end as in Windows is good`() throws {
        #expect(try complaints("\u{FEFF}queue: 100\r\nschedule:\r\n  otherwise: silent\r\nrate: 44100\r\n", Scratch()) == [])
    }

    @Test func `a variable that is no setting is told, with the one that was likely meant`() throws {
        let variables = ["THRUM_RTAE": "48000", "THRUM_NOTHING_OF_OURS": "1", "THRUM_QUEUE": "100", "THRUM_SINK_LATENCY": ""]
        #expect(try complaints("# none\n", Scratch(), [], variables) == [
            "thrumd: THRUM_NOTHING_OF_OURS: expected a variable that thrumd knows, found this one",
            "thrumd: THRUM_RTAE: expected a variable that thrumd knows, such as THRUM_RATE, found this one",
        ])
    }

    @Test func `a tilde at the start of a path is the home directory, whatever the path is from`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("ceiling: 3\n", to: "mine.yaml")
        let home = ["HOME": scratch.path]
        #expect(try complaints("theme: ~/mine.yaml\n", scratch, [], home) == ["mine.yaml:1: ceiling: expected a number from -60 to 0 (dBFS), found 3"])
        let missing = "patterns: expected a folder of AHAP files, found \"\(scratch.path)/missing\""
        #expect(try complaints("patterns: ~/missing\n", scratch, [], home) == ["thrum.yaml:1: " + missing])
        #expect(try complaints("# none\n", scratch, ["--patterns", "~/missing"], home) == ["thrumd: " + missing])
        #expect(try complaints("# none\n", scratch, [], home.merging(["THRUM_PATTERNS": "~/missing"]) { $1 }) == ["thrumd: THRUM_PATTERNS: " + missing])
        // The home directory itself has no patterns, which is good; ~ within a path is a letter like others.
        #expect(try complaints("patterns: ~\n", scratch, [], home) == [])
        #expect(try complaints("patterns: \(scratch.path)/~/x\n", scratch, [], home).first?.hasSuffix("found \"\(scratch.path)/~/x\"") == true)
    }

    @Test func `a tilde without a home directory is told`() throws {
        let scratch = try Scratch()
        let words = "expected a path without ~, because HOME is not set, found"
        let environment = ["HOME": "", "STATE_DIRECTORY": scratch.file("state")]
        #expect(try complaints("sessions: /tmp\npatterns: ~/patterns\n", scratch, ["--sessions", "~"], environment) == [
            "thrum.yaml:2: patterns: \(words) \"~/patterns\"", "thrumd: sessions: \(words) \"~\"",
        ])
    }
}
