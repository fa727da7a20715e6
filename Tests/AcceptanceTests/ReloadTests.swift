import Foundation
import Testing
import TestSupport

/// Settings that are read again while it plays, and bad ones.
@Suite(.serialized) struct ReloadTests {
    private static let tone = """
        {"on":true,"frequency":500,"level":-12}
        """

    private func config(_ scratch: Scratch, _ text: String) throws -> String { try scratch.write(text, to: "thrum.yaml") }

    private func preset(_ daemon: Daemon) throws -> String { (try daemon.status()["house"] as? [String: Any])?["preset"] as? String ?? "" }
    private func theme(_ daemon: Daemon) throws -> String { (try daemon.status()["house"] as? [String: Any])?["theme"] as? String ?? "" }
    private func issues(_ daemon: Daemon) throws -> [String] { try daemon.status()["issues"] as? [String] ?? [] }

    @Test func `all that is wrong is told at once, with its file and line, its variable, or its key`() throws {
        let scratch = try Scratch()
        let file = try config(scratch, """
            # A comment.
            queue: 5
            rtae: 48000
            touchscreens: {left: {rotate: 45}}
            schedule:
              hours:
                night: {days: daily, from: 18:00, to: 10:00, preset: silence}
            """)
        let finished = try run(Programs.thrumd, ["--check-config", "--config", file, "--socket", scratch.file("s"), "--idle", "0"],
                               environment: ["THRUM_RATE": "7"])
        #expect(finished.status == 78)
        let lines = Set(finished.errors.split(separator: "\n").map(String.init))
        #expect(lines == [
            "thrumd: \(file):2: queue: expected a number from 50 to 500 (ms), found \"5\"",
            "thrumd: \(file):3: rtae: expected a key that thrumd knows, such as rate, found this one",
            "thrumd: \(file):4: touchscreens.left.rotate: expected one of 0, 90, 180, 270, found 45",
            "thrumd: \(file):7: schedule.hours.night.preset: expected one of normal, quiet-day, sensory-friendly, silent, found \"silence\" (did you mean silent?)",
            "thrumd: THRUM_RATE: rate: expected a whole number from 8000 to 192000 (Hz), found \"7\"",
            "thrumd: idle: expected a number from 0.1 to 86400 (s), found \"0\"",
        ], "\(finished.errors)")
    }

    @Test func `the user's file wins over the machine's, key by key`() async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("thrum"), withIntermediateDirectories: true)
        _ = try scratch.write("rate: 32000\n", to: "thrum/thrum.yaml")
        let daemon = try await Daemon(["--output", "null"], environment: ["XDG_CONFIG_HOME": scratch.path])
        #expect((try daemon.status()["output"] as? [String: Any])?["sampleRate"] as? Int == 32_000)
    }

    @Test func `a reload changes what it can, keeps connections and what is held, and says what waits for a restart`() async throws {
        let scratch = try Scratch()
        let file = try config(scratch, "theme: standard\n")
        let daemon = try await Daemon(["--output", "null", "--config", file])
        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", Self.tone)
        _ = try config(scratch, "schedule: {otherwise: quiet-day}\nidle: 7\nrate: 44100\n")
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try self.preset(daemon) == "quiet-day" })
        #expect(try client.call("tone", #"{"frequency":600}"#).contains("frame"))
        #expect(try daemon.isHeld)
        #expect(try await eventually { daemon.process.errors.contains("count from the next start on") && daemon.process.errors.contains("rate") })
        #expect(try daemon.status()["issues"] as? [String] == [])
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        #expect(journal.contains(#""event":"theme""#) && journal.contains(#""event":"volume""#))
    }

    @Test func `a bad file at a reload changes nothing and is an issue, until it is good again`() async throws {
        let scratch = try Scratch()
        let file = try config(scratch, "schedule: {otherwise: quiet-day}\n")
        let daemon = try await Daemon(["--output", "null", "--config", file])
        _ = try config(scratch, "schedule: {otherwise: loud}\nidle: -1\n")
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try self.issues(daemon).contains { $0.contains("thrum.yaml:1: schedule.otherwise: expected one of") } })
        #expect(try preset(daemon) == "quiet-day")
        let status = try thrum("status", "--socket", daemon.socket)
        #expect(status.status == 1)
        // Each fault has a line of its own.
        let issues = status.text.split(separator: "\n").filter { $0.hasPrefix("ISSUE") }
        #expect(issues.count == 2 && issues[0].contains("thrum.yaml:1: ") && issues[1].contains("thrum.yaml:2: idle: expected"), "\(status.text)")
        _ = try config(scratch, "schedule: {otherwise: normal}\n")
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try self.issues(daemon).isEmpty })
        #expect(try preset(daemon) == "normal")
    }

    @Test func `a start with a bad file uses the settings that were good last, and says so; without any it does not start`() async throws {
        let scratch = try Scratch()
        let file = try config(scratch, "schedule: {otherwise: quiet-day}\n")
        let state = ["STATE_DIRECTORY": scratch.file("kept")]
        let first = try await Daemon(["--output", "null", "--config", file], environment: state)
        #expect(first.terminate() == 0)
        _ = try config(scratch, "schedule: {otherwise: quiet-day\n")
        let second = try await Daemon(["--output", "null", "--config", file], environment: state)
        #expect(try preset(second) == "quiet-day")
        let issue = try #require(try issues(second).first)
        #expect(issue.contains("those that were good last are used") && issue.contains("thrum.yaml:"))
        #expect(second.process.errors.contains("critical"))
        #expect(second.terminate() == 0)
        let third = try run(Programs.thrumd, ["--output", "null", "--config", file, "--socket", scratch.file("s"), "--sessions",
                                              scratch.file("j")], environment: ["STATE_DIRECTORY": scratch.file("other")])
        #expect(third.status == 78 && third.errors.contains("thrum.yaml:"))
    }

    @Test func `after a crash and a slip in the file what was in use is used, and never louder`() async throws {
        let scratch = try Scratch()
        let file = try config(scratch, "ceiling: -12\nrate: 44100\n")
        let state = ["STATE_DIRECTORY": scratch.file("kept")]
        let first = try await Daemon(["--output", "null", "--config", file], environment: state)
        _ = try config(scratch, "ceiling: -30\nrate: 48000\n")
        #expect(try LineSocket(first.socket).call("setting.reload").contains(#""waitingForStart":["rate"]"#))
        first.kill()
        _ = try config(scratch, "ceiling: -30\nrtae: 48000\n")
        let second = try await Daemon(["--output", "null", "--config", file], environment: state)
        let client = try LineSocket(second.socket)
        #expect(try client.call("output.ceiling", #"{"level":-29}"#).contains("at most -30 dBFS"))
        let settings = try client.call("setting.list")
        let path = scratch.file("kept/last-good.json")
        #expect(settings.contains(#""key":"ceiling","place":"\#(path)","source":"last-good","unit":"dBFS","value":"-30""#), "\(settings)")
        #expect((try second.status()["output"] as? [String: Any])?["sampleRate"] as? Int == 44_100)
    }

    @Test func `a theme is changed by hand and by the settings, and a preset stays until it is given back`() async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("thrum/themes"), withIntermediateDirectories: true)
        _ = try scratch.write("ceiling: -20\n", to: "thrum/themes/low.yaml")
        let file = try config(scratch, "theme: standard\n")
        let daemon = try await Daemon(["--output", "null", "--config", file], environment: ["XDG_CONFIG_HOME": scratch.path])
        let client = try LineSocket(daemon.socket)
        #expect(try client.call("theme.list").contains(#""low""#))
        #expect(try client.call("theme.set", #"{"name":"low"}"#).contains("result"))
        #expect(try theme(daemon) == "low")
        let refused = try client.call("output.ceiling", #"{"level":-10}"#)
        #expect(refused.contains("at most -20 dBFS"), "\(refused)")
        #expect(try client.call("theme.set", #"{"name":"lower"}"#).contains("name: expected one of"))
        #expect(try client.call("preset.set", #"{"name":"sensory-friendly"}"#).contains("result"))
        #expect(try preset(daemon) == "sensory-friendly")
        #expect(try client.call("preset.set", #"{"name":"shouting"}"#).contains("name: expected one of"))
        #expect(try client.call("preset.set").contains("result"))
        #expect(try preset(daemon) == "normal")
        _ = try config(scratch, "theme: low\nceiling: -30\n")
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try client.call("output.ceiling", #"{"level":-25}"#).contains("at most -30 dBFS") })
    }

    /// The themes differ in all that a theme can: chimes, curve, fades, ceiling and patterns. The tone is told its pitch and level by the
    /// front end, above the lower ceiling, so that only the limiter moves, in 50 ms.
    @Test func `fifty reloads with alternating themes do not click in a tone that is held, and the journal renders to what was heard`() async throws {
        var run = try await heldThroughReloads()
        // A machine that is held up is late with a change, which the journal tells.
        for _ in 1...2 where !run.discontinuities.isEmpty { run = try await heldThroughReloads() }
        let heard = run.heard
        let comparison = Comparison(heard: heard.map(\.bitPattern), expected: run.rendered.map(\.bitPattern), discontinuities: run.discontinuities)
        #expect(comparison.faults.isEmpty, "\(comparison.faults)")
        let onset = try #require(heard.firstIndex { $0 != 0 })
        let end = try #require(heard.lastIndex { $0 != 0 })
        #expect(end - onset > 48_000, "no dropout ended it")
        // A sine of 500 Hz at −12 dBFS changes by 2π·500/48000·10^(−12/20) = 0.01644 from frame to frame at most, and its pitch may go to
        // the curve's 300 Hz; a raised cosine from one ceiling to the other in 50 ms adds π/2 ÷ 2,300 of the larger amplitude.
        let amplitude = pow(10, -12.0 / 20)
        let allowed = Float(amplitude * (2 * Double.pi * 500 / 48_000 + Double.pi / 2 / 2_300)) * 1.02
        let steps = zip(heard[onset...], heard[(onset + 1)...]).map { abs($1 - $0) }
        #expect(try #require(steps.max()) <= allowed, "\(steps.max() ?? 0) > \(allowed), discontinuities \(run.discontinuities)")
        // Both levels are there: it was not the same theme all the time.
        let peaks = stride(from: onset + 4_800, to: end - 4_800, by: 2_400).map { heard[$0..<($0 + 480)].map(abs).max() ?? 0 }
        #expect((peaks.max() ?? 0) > 0.24 && (peaks.min() ?? 1) < 0.064)
    }

    private func heldThroughReloads() async throws -> (heard: [Float], rendered: [Float], discontinuities: [Range<Int>]) {
        let scratch = try Scratch()
        let pulse = try await PrivatePulse(in: scratch.path)
        try FileManager.default.createDirectory(atPath: scratch.file("thrum/themes"), withIntermediateDirectories: true)
        _ = try scratch.write("""
            ceiling: -24
            toneFade: 0.05
            toneCurve: {start: 300, cap: 900, quietest: -40, loudest: -20, views: 50}
            chimes: {ding: none}
            """, to: "thrum/themes/low.yaml")
        let file = try config(scratch, "theme: standard\n")
        let daemon = try await Daemon(["--config", file, "--seed", "1"],
                                      environment: pulse.environment.merging(["XDG_CONFIG_HOME": scratch.path]) { $1 })
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let recording = try pulse.record(to: scratch.file("heard.raw"))
        try await Task.sleep(for: .milliseconds(500))
        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", Self.tone)
        for turn in 1...50 {
            let next = turn % 2 == 0 ? "standard" : "low"
            _ = try config(scratch, "theme: \(next)\n")
            daemon.process.signal(SIGHUP)
            #expect(try await eventually { try self.theme(daemon) == next }, "\(turn)")
            // For the limiter to come to where it is to be.
            try await Task.sleep(for: .milliseconds(150))
        }
        try await Task.sleep(for: .milliseconds(300))
        #expect(daemon.terminate() == 0)
        try await Task.sleep(for: .milliseconds(500))
        recording.signal(SIGINT)
        _ = recording.finish()

        let journal = try #require(daemon.journals.first)
        #expect(try thrum("render", journal, "-o", scratch.file("rendered.wav"), "--bits", "float").status == 0)
        let rendered = floats(try WaveFile(Data(contentsOf: URL(fileURLWithPath: scratch.file("rendered.wav")))).data)
        pulse.kill()
        return (try rawFloats(scratch.file("heard.raw")), rendered, try Comparison.discontinuities(in: journal))
    }
}
