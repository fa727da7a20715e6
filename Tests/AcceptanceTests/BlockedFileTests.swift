import Foundation
import Testing
import TestSupport

/// Files that block keep nobody from anything.
@Suite(.serialized) struct BlockedFileTests {
    private static let bad = "the settings are bad, and the ones before are kept"

    private func issues(_ daemon: Daemon) throws -> [String] { try daemon.status()["issues"] as? [String] ?? [] }
    private func preset(_ daemon: Daemon) throws -> String { (try daemon.status()["house"] as? [String: Any])?["preset"] as? String ?? "" }

    /// What is a FIFO, and what the settings file says of it.
    @Test(arguments: ["thrum.yaml", "theme.yaml", "patterns/knock.ahap", "knock.wav"])
    func `a FIFO among the files of a reload is named, the settings before are kept, and SIGTERM is obeyed`(name: String) async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("patterns"), withIntermediateDirectories: true)
        let file = try scratch.write("schedule: {otherwise: quiet-day}\n", to: "thrum.yaml")
        let daemon = try await Daemon(["--output", "null", "--config", file], scratch: scratch)
        let settings = switch name {
        case "theme.yaml": "theme: \(scratch.file("theme.yaml"))\n"
        case "knock.wav": "theme: \(try scratch.write("haptics: {touch-down: {sounds: [{file: knock.wav}]}}\n", to: "sounding.yaml"))\n"
        default: "patterns: \(scratch.file("patterns"))\n"
        }
        _ = try scratch.write(settings, to: "thrum.yaml")
        try? FileManager.default.removeItem(atPath: scratch.file(name))
        #expect(mkfifo(scratch.file(name), 0o600) == 0)
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try self.issues(daemon).contains { $0.contains(Self.bad) } })
        let issue = try #require(try issues(daemon).first)
        #expect(issue.contains(scratch.file(name)) && issue.contains("expected a regular file, found a FIFO"), "\(issue)")
        #expect(try preset(daemon) == "quiet-day")
        #expect(daemon.terminate() == 0)
    }

    @Test func `a start with a FIFO for settings ends with 78 at once, or uses those that were good last`() async throws {
        let scratch = try Scratch()
        #expect(mkfifo(scratch.file("thrum.yaml"), 0o600) == 0)
        let words = ["--output", "null", "--config", scratch.file("thrum.yaml")]
        let state = ["STATE_DIRECTORY": scratch.file("state")]
        let never = try run(Programs.thrumd, words + ["--socket", scratch.file("c.sock"), "--sessions", scratch.file("s")], environment: state)
        #expect(never.status == 78)
        #expect(never.errors == "thrumd: \(scratch.file("thrum.yaml")): expected a regular file, found a FIFO\n")
        #expect(unlink(scratch.file("thrum.yaml")) == 0)
        _ = try scratch.write("schedule: {otherwise: quiet-day}\n", to: "thrum.yaml")
        let first = try await Daemon(words, scratch: scratch)
        #expect(first.terminate() == 0)
        #expect(unlink(scratch.file("thrum.yaml")) == 0 && mkfifo(scratch.file("thrum.yaml"), 0o600) == 0)
        let second = try await Daemon(words, scratch: scratch)
        #expect(try preset(second) == "quiet-day")
        #expect(try issues(second).first?.contains("found a FIFO") == true)
        #expect(second.terminate() == 0)
    }

    /// The daemon would wait for the file longer than this test takes: had SIGTERM waited for the reload, it would have told of it.
    @Test func `SIGTERM does not wait for a reload whose file does not answer`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("schedule: {otherwise: quiet-day}\n", to: "thrum.yaml")
        let daemon = try await Daemon(["--output", "null", "--config", file], scratch: scratch)
        let hanging = try HangingFile(file)
        daemon.process.signal(SIGHUP)
        // It is being opened when its holder has been asked for it.
        #expect(try await eventually { try String(contentsOfFile: "/proc/locks", encoding: .utf8).contains("BREAKING") })
        #expect(daemon.terminate() == 0)
        withExtendedLifetime(hanging) {}
        #expect(!daemon.process.errors.contains(Self.bad), "\(daemon.process.errors)")
    }

    @Test func `a reload whose file does not answer changes nothing, is an issue, and the next one is not lost`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("schedule: {otherwise: quiet-day}\n", to: "thrum.yaml")
        let daemon = try await Daemon(["--output", "null", "--config", file], scratch: scratch)
        let client = try LineSocket(daemon.socket)
        let hanging = try HangingFile(file)
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try String(contentsOfFile: "/proc/locks", encoding: .utf8).contains("BREAKING") })
        // Meanwhile all else goes on.
        #expect(try client.call("chime.play", #"{"name":"ding"}"#).contains("frame"))
        #expect(try await eventually { try self.issues(daemon).contains { $0.contains(file) && $0.contains("does not answer") } })
        #expect(try preset(daemon) == "quiet-day")
        // A second one hangs; a third comes meanwhile, with a file that answers.
        daemon.process.signal(SIGHUP)
        _ = try scratch.write("schedule: {otherwise: sensory-friendly}\n", to: "new.yaml")
        #expect(rename(scratch.file("new.yaml"), file) == 0)
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try self.preset(daemon) == "sensory-friendly" })
        #expect(try issues(daemon) == [])
        withExtendedLifetime(hanging) {}
        #expect(daemon.terminate() == 0)
    }

    @Test func `what is left of the last good settings' writing, or a FIFO there, keeps nobody from stopping`() async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("state"), withIntermediateDirectories: true)
        #expect(mkfifo(scratch.file("state/last-good.json.part"), 0o600) == 0)
        #expect(mkfifo(scratch.file("state/last-good.json"), 0o600) == 0)
        let daemon = try await Daemon(["--output", "null"], scratch: scratch)
        #expect(daemon.terminate() == 0)
        let kept = try FileManager.default.attributesOfItem(atPath: scratch.file("state/last-good.json"))
        #expect(kept[.type] as? FileAttributeType == .typeRegular)
    }

    private func dayDose(_ daemon: Daemon) throws -> Double? {
        ((try daemon.status()["house"] as? [String: Any])?["hearing"] as? [String: Any])?["dayDose"] as? Double
    }

    private func withHearing(_ scratch: Scratch) throws -> [String] {
        try FileManager.default.createDirectory(atPath: scratch.file("state"), withIntermediateDirectories: true)
        return ["--output", "null", "--config", try scratch.write("hearing: {calibration: 96}\n", to: "thrum.yaml")]
    }

    @Test func `a damaged database is set aside and told, and half an allowance of the hearing dose assumed`() async throws {
        let scratch = try Scratch()
        let words = try withHearing(scratch)
        _ = try scratch.write(#"{"number":2077"#, to: "state/state.sqlite")
        let daemon = try await Daemon(words, scratch: scratch)
        let issue = try #require(try issues(daemon).first)
        #expect(issue.contains("state/state.sqlite was damaged") && issue.contains("the day's hearing dose is taken to be 50 %"))
        #expect(try thrum("status", "--socket", daemon.socket).status == 1)
        #expect(try dayDose(daemon) == 50)
        #expect(daemon.terminate() == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.file("state"))
        #expect(names.contains { $0.hasPrefix("state.sqlite.damaged-") } && names.contains("state.sqlite"))
    }

    @Test func `a FIFO in the database's place is set aside`() async throws {
        let scratch = try Scratch()
        let words = try withHearing(scratch)
        #expect(mkfifo(scratch.file("state/state.sqlite"), 0o600) == 0)
        let daemon = try await Daemon(words, scratch: scratch)
        #expect(try issues(daemon).first?.contains("state/state.sqlite was damaged (it is no regular file; it is ") == true)
        #expect(try LineSocket(daemon.socket).call("preset.set", #"{"name":"quiet-day"}"#).contains(#""result":{}"#))
        #expect(daemon.terminate() == 0)
    }

    @Test func `a database that does not answer keeps nobody from starting, choosing a preset and stopping`() async throws {
        let scratch = try Scratch()
        let words = try withHearing(scratch)
        let first = try await Daemon(words, scratch: scratch)
        #expect(first.terminate() == 0)
        let hanging = try HangingFile(scratch.file("state/state.sqlite"))
        let daemon = try await Daemon(words, scratch: scratch)
        #expect(try issues(daemon).contains { $0.contains("what was kept could not be read") && $0.contains("does not answer") })
        #expect(try dayDose(daemon) == 50)
        // It is heard, and said not to outlast a restart.
        let answer = try LineSocket(daemon.socket).call("preset.set", #"{"name":"quiet-day"}"#)
        #expect(answer.contains(#""notKept":""#) && answer.contains("does not answer"), "\(answer)")
        #expect(try preset(daemon) == "quiet-day")
        #expect(daemon.terminate() == 0)
        withExtendedLifetime(hanging) {}
    }
}
