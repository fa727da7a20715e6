import Foundation
import Testing
import TestSupport

@Suite(.serialized) struct DoctorTests {
    private struct Diagnosis: Decodable {
        var check: String
        var verdict: String
        var finding: String
        var advice: String?
    }

    /// Nothing is found but what is in the directory.
    private func surroundings(_ directory: String) -> [String: String] {
        PrivatePulse.environment(directory).merging([
            "XDG_RUNTIME_DIR": directory, "XDG_CONFIG_HOME": directory, "XDG_STATE_HOME": directory,
        ]) { $1 }
    }

    private func doctor(_ scratch: Scratch, _ arguments: String...) throws -> Finished {
        try run(Programs.thrum, ["doctor"] + arguments, environment: surroundings(scratch.path))
    }

    private func diagnoses(_ finished: Finished) throws -> [Diagnosis] {
        let diagnoses = try JSONDecoder().decode([Diagnosis].self, from: finished.output)
        #expect(finished.status == (diagnoses.contains { $0.verdict == "problem" } ? 1 : 0), "\(finished.text)")
        for diagnosis in diagnoses { #expect((diagnosis.verdict == "ok") == (diagnosis.advice == nil), "\(diagnosis)") }
        return diagnoses
    }

    @Test func `with a sound server and a daemon all is well, but for what the machine may lack`() async throws {
        let scratch = try Scratch()
        let pulse = try await PrivatePulse(in: scratch.path)
        let daemon = try await Daemon(["--devices", "no"], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let flags = ["--json", "--socket", daemon.socket, "--sessions", daemon.scratch.file("sessions")]
        func examine() throws -> [Diagnosis] {
            try diagnoses(try run(Programs.thrum, ["doctor"] + flags, environment: surroundings(scratch.path)))
        }

        let healthy = try examine()
        #expect(Set(healthy.map(\.check)).isSuperset(of: ["daemon", "sound", "devices", "limits", "kiosk", "disk", "config"]))
        for diagnosis in healthy where ["daemon", "kiosk", "disk", "config"].contains(diagnosis.check) {
            #expect(diagnosis.verdict == "ok", "\(diagnosis)")
        }
        // The sink comes first; the machine's own cards come after it.
        #expect(healthy.first { $0.check == "sound" }?.verdict == "ok")
        #expect(healthy.contains { $0.check == "daemon" && $0.finding.hasSuffix("answers at \(daemon.socket)") })
        #expect(healthy.contains { $0.check == "sound" && $0.finding.hasPrefix("sink stage (") && $0.finding.contains("48000 Hz") })
        // The daemon is there to be asked, so that this shell's own limit does not count.
        #expect(healthy.contains { $0.check == "limits" && $0.finding.hasPrefix("thrumd has ") })

        try pulse.control("set-sink-mute", "stage", "1")
        let muted = try #require(try examine().first { $0.check == "sound" })
        #expect(muted.verdict == "warning" && muted.advice?.contains("pactl set-sink-mute stage 0") == true)
        try pulse.control("set-sink-mute", "stage", "0")
        // PulseAudio's per cents are cubic: 60 · log10(0.5).
        try pulse.control("set-sink-volume", "stage", "50%")
        let soft = try #require(try examine().first { $0.check == "sound" })
        #expect(soft.verdict == "ok" && soft.finding.hasSuffix("volume -18.1 dB"), "\(soft)")
        let list = try LineSocket(daemon.socket).call("output.sinks")
        #expect(list.contains(#""volume":-18.06"#), "\(list)")
        try pulse.control("set-sink-volume", "stage", "5%")
        let faint = try #require(try examine().first { $0.check == "sound" })
        #expect(faint.verdict == "warning" && faint.advice?.contains("pactl set-sink-volume stage 100%") == true, "\(faint)")

        daemon.process.signal(SIGSTOP)
        let stopped = try examine()
        daemon.process.signal(SIGCONT)
        #expect(stopped.contains { $0.check == "daemon" && $0.verdict == "problem" && $0.finding.hasSuffix("no answer within 5 s") })
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    @Test func `without a sound server and a daemon it says what to do, and ends with 1`() throws {
        let scratch = try Scratch()
        let finished = try doctor(scratch)
        #expect(finished.status == 1 && finished.errors.isEmpty, "\(finished.errors)")
        let lines = finished.text.split(separator: "\n").map(String.init)
        let daemon = try #require(lines.firstIndex { $0.hasPrefix("warning daemon: no thrumd to talk to: \(scratch.path)/thrum/control.sock") })
        #expect(lines[daemon + 1] == "        start it: thrumd &")
        let sound = try #require(lines.firstIndex { $0.hasPrefix("problem sound: no sound server: ") })
        #expect(lines[sound + 1].hasPrefix("        start PulseAudio, or PipeWire with pipewire-pulse"))
        #expect(lines.contains { $0.hasPrefix("ok      disk: \(scratch.path)/thrum/sessions, which the first session makes: ") })
        #expect(lines.contains("ok      config: the settings are good"))
        // It only looks: the first session makes it.
        #expect(!FileManager.default.fileExists(atPath: scratch.file("thrum/sessions")))
    }

    @Test func `a daemon that plays into nothing needs no sound server`() async throws {
        let daemon = try await Daemon(["--output", "null", "--devices", "no"])
        let found = try diagnoses(try doctor(daemon.scratch, "--json", "--socket", daemon.socket))
        #expect(found.filter { $0.check == "sound" || $0.check == "daemon" }.allSatisfy { $0.verdict == "ok" }, "\(found)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `a file where the sessions should be is a problem`() throws {
        let scratch = try Scratch()
        let file = try scratch.write("no directory", to: "sessions")
        for path in [file, file + "/deeper"] {
            let disk = try #require(try diagnoses(try doctor(scratch, "--json", "--sessions", path)).first { $0.check == "disk" })
            #expect(disk.verdict == "problem" && disk.finding.hasPrefix("\(file): is no directory"), "\(disk)")
            #expect(disk.advice?.contains("--sessions DIRECTORY") == true)
        }
    }

    @Test func `settings that are wrong are a problem that names the key`() throws {
        let scratch = try Scratch()
        let file = try scratch.write("rate: 5\n", to: "bad.yaml")
        let config = try #require(try diagnoses(try doctor(scratch, "--json", "--config", file)).first { $0.check == "config" })
        #expect(config.verdict == "problem", "\(config)")
        #expect(config.finding == "\(file):1: rate: expected a whole number from 8000 to 192000 (Hz), found \"5\"")
        #expect(config.advice?.contains("docs/configuration.md") == true)
    }

    @Test func `a kiosk without a compositor and a browser is a problem that names both`() throws {
        let scratch = try Scratch()
        let file = try scratch.write("http: 7400\nkiosk: {screens: {any: {page: colorscroller}}}\n", to: "kiosk.yaml")
        let finished = try run(Programs.thrum, ["doctor", "--json", "--config", file],
                               environment: surroundings(scratch.path).merging(["PATH": scratch.path]) { $1 })
        let missing = try diagnoses(finished).filter { $0.check == "kiosk" && $0.verdict == "problem" }.map(\.finding)
        #expect(missing.contains { $0.contains("no sway on the path") } && missing.contains { $0.contains("no chromium on the path") },
                "\(missing)")
    }

    @Test func `a rule for which there is no device is a problem`() throws {
        let scratch = try Scratch()
        let file = try scratch.write("touchscreens:\n  left:\n    name: \"none of this name\"\n", to: "rules.yaml")
        let found = try diagnoses(try doctor(scratch, "--json", "--config", file))
        #expect(found.contains { $0.verdict == "problem" && $0.finding == "there is no device for the rule touchscreens.left" }, "\(found)")
    }

    @Test func `as JSON each finding has its four fields`() throws {
        let finished = try doctor(try Scratch(), "--json")
        let list = try #require(try JSONSerialization.jsonObject(with: finished.output) as? [[String: Any]])
        #expect(list.count >= 6)
        for finding in list { #expect(finding.keys.sorted() == ["advice", "check", "finding", "verdict"]) }
    }
}
