import Foundation
import Testing
import TestSupport

/// What outlasts a restart, what waits for one, and what a reload mends.
@Suite(.serialized) struct RestartTests {
    private func house(_ daemon: Daemon) throws -> [String: Any] { try daemon.status()["house"] as? [String: Any] ?? [:] }
    private func issues(_ daemon: Daemon) throws -> [String] { try daemon.status()["issues"] as? [String] ?? [] }

    @Test func `a preset chosen by hand outlasts a power cut, until it is given back`() async throws {
        let scratch = try Scratch()
        let first = try await Daemon(["--output", "null"], scratch: scratch)
        #expect(try LineSocket(first.socket).call("preset.set", #"{"name":"sensory-friendly"}"#).contains("result"))
        // It is on the disk before it is answered.
        first.kill()
        let second = try await Daemon(["--output", "null"], scratch: scratch)
        #expect(try house(second)["preset"] as? String == "sensory-friendly")
        #expect(try house(second)["isByHand"] as? Bool == true)
        #expect(try LineSocket(second.socket).call("preset.set").contains("result"))
        second.kill()
        let third = try await Daemon(["--output", "null"], scratch: scratch)
        #expect(try house(third)["preset"] as? String == "normal")
        #expect(third.terminate() == 0)
    }

    @Test func `a strange variable is told, and keeps nobody from starting who started before`() async throws {
        let scratch = try Scratch()
        let first = try await Daemon(["--output", "null"], scratch: scratch)
        #expect(first.terminate() == 0)
        let second = try await Daemon(["--output", "null"], environment: ["THRUM_IDEL": "5"], scratch: scratch)
        let issue = try #require(try issues(second).first)
        #expect(issue.contains("those that were good last are used") && issue.contains("THRUM_IDEL: expected a variable"))
        #expect(second.terminate() == 0)
    }

    @Test func `settings that wait for a start are in status until they are put back`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("queue: 200\n", to: "thrum.yaml")
        let daemon = try await Daemon(["--output", "null", "--config", file], scratch: scratch)
        func waiting() throws -> [String] { try house(daemon)["waitingForStart"] as? [String] ?? ["?"] }
        #expect(try waiting() == [])
        #expect(try !thrum("status", "--socket", daemon.socket).text.contains("waiting  for"))
        _ = try scratch.write("queue: 300\nrate: 44100\nidle: 7\n", to: "thrum.yaml")
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try waiting() != [] })
        #expect(try waiting() == ["queue", "rate"])
        let told = try thrum("status", "--socket", daemon.socket).text
        #expect(told.contains("\nwaiting  for the next start: queue, rate\n"), "\(told)")
        _ = try scratch.write("queue: 200\n", to: "thrum.yaml")
        daemon.process.signal(SIGHUP)
        #expect(try await eventually { try waiting() == [] })
        #expect(daemon.terminate() == 0)
    }

    @Test func `a sound that could not be read is an issue and silent, until a reload can`() async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("patterns"), withIntermediateDirectories: true)
        let (knock, away) = (scratch.file("patterns/knock.wav"), scratch.file("away.wav"))
        #expect(try thrum("haptic", "swipe", "--wav", knock).status == 0)
        let samples = try WaveFile(path: knock).samples
        _ = try scratch.write(#"""
            {"Pattern":[{"Event":{"Time":0,"EventType":"AudioCustom","EventWaveformPath":"knock.wav","EventParameters":[
              {"ParameterID":"AudioVolume","ParameterValue":0.5}]}}]}
            """#, to: "patterns/knock.ahap")
        let file = try scratch.write("patterns: \(scratch.file("patterns"))\n", to: "thrum.yaml")
        let first = try await Daemon(["--output", "null", "--config", file], scratch: scratch)
        #expect(try issues(first) == [])
        #expect(first.terminate() == 0)
        try FileManager.default.moveItem(atPath: knock, toPath: away)

        // It starts with the settings that were good last.
        let second = try await Daemon(["--output", "null", "--config", file], scratch: scratch)
        func isSilent() throws -> Bool { try issues(second).contains { $0.hasPrefix("the sound \(knock) cannot be read") } }
        #expect(try isSilent())
        #expect(try thrum("status", "--socket", second.socket).status == 1)
        let client = try LineSocket(second.socket)
        #expect(try client.call("haptic.play", #"{"name":"knock"}"#).contains("frame"))
        try FileManager.default.moveItem(atPath: away, toPath: knock)
        second.process.signal(SIGHUP)
        #expect(try await eventually { try issues(second).isEmpty })
        let answer = try client.call("haptic.play", #"{"name":"knock"}"#)
        let frame = try #require(answer.firstMatch(of: /"frame":([0-9]+)/).flatMap { Int($0.1) })
        #expect(frame > 0)
        #expect(try await second.plays(to: frame + samples.count))
        #expect(second.terminate() == 0)

        let journal = try #require(second.journals.last)
        #expect(try thrum("render", journal, "-o", scratch.file("session.wav"), "--bits", "float").status == 0)
        let heard = try WaveFile(path: scratch.file("session.wav")).samples
        try #require(heard.count >= frame + samples.count)
        #expect(heard[..<frame].allSatisfy { $0 == 0 })
        #expect((0..<samples.count).allSatisfy { heard[frame + $0] == samples[$0] * 0.5 })
    }
}
