import Foundation
import Testing
import TestSupport

/// What happens to an installation at night, done to a real PulseAudio.
@Suite(.serialized) struct PulseFaultTests {
    /// −12 dBFS.
    private static let amplitude: Float = 0.251189

    private func start() async throws -> (Scratch, PrivatePulse, Daemon) {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon([], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        return (directory, pulse, daemon)
    }

    /// A client whose finger is down, at 400 Hz.
    private func holdTone(_ daemon: Daemon) throws -> LineSocket {
        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", #"{"frequency":400,"level":-12}"#)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        return client
    }

    private func finish(_ recording: Running, _ path: String) throws -> [Float] {
        recording.signal(SIGINT)
        _ = recording.finish()
        return try rawFloats(path)
    }

    /// How far from one sine of 400 Hz the samples stray: for a sine, x[n−1] + x[n+1] = 2 cos ω · x[n].
    private func strays(_ samples: ArraySlice<Float>) -> Double {
        let twoCos = 2 * cos(2 * Double.pi * 400 / 48_000)
        var worst = 0.0
        for n in samples.indices.dropFirst().dropLast() {
            worst = max(worst, abs(Double(samples[n - 1]) + Double(samples[n + 1]) - twoCos * Double(samples[n])))
        }
        return worst
    }

    /// From a tenth of a second after the tone's beginning to a tenth before its end.
    private func held(_ samples: [Float]) throws -> ArraySlice<Float> {
        let first = try #require(samples.firstIndex { $0.magnitude > 0.1 })
        let last = try #require(samples.lastIndex { $0.magnitude > 0.1 })
        return samples[(first + 4_800)..<(last - 4_800)]
    }

    /// Whoever shares this machine may keep all of it from running for longer than the 200 ms that are queued. Then it is played again, three
    /// times at most: what the daemon itself cannot cope with, it cannot cope with at any of them, and one time is right from its beginning
    /// to its end. `play` returns what was heard of the held tone, and how often the server ran dry.
    private func isUnheard(_ play: () async throws -> (ArraySlice<Float>, underruns: Int?)) async throws -> Bool {
        for _ in 1...3 {
            let (heard, underruns) = try await play()
            // Rounding to 24 bits, thrice.
            if strays(heard) < 1e-6, underruns == 0 { return true }
            print("➜ a stop was heard: \(underruns ?? -1) underruns, strays by \(strays(heard))")
        }
        return false
    }

    @Test func `a standstill of 120 ms, twenty times, is not heard`() async throws {
        #expect(try await isUnheard(standStill))
    }

    private func standStill() async throws -> (ArraySlice<Float>, underruns: Int?) {
        let (directory, pulse, daemon) = try await start()
        let recording = try pulse.record(to: directory.file("heard.raw"))
        usleep(500_000)
        let client = try holdTone(daemon)
        usleep(1_000_000)
        var visitor = Visitor(seed: 2)
        for _ in 0..<20 {
            daemon.process.signal(SIGSTOP)
            usleep(120_000)
            daemon.process.signal(SIGCONT)
            usleep(UInt32(150_000 + visitor.random(200_000)))
        }
        _ = try client.call("touch", #"{"phase":"ended"}"#)
        usleep(500_000)
        let heard = try held(try finish(recording, directory.file("heard.raw")))
        #expect(heard.count > 7 * 48_000)
        let underruns = (try daemon.status()["output"] as? [String: Any])?["underruns"] as? Int
        #expect(daemon.terminate() == 0)
        pulse.kill()
        return (heard, underruns)
    }

    @Test func `the server is killed in mid-touch: sound is back within 2 s of it, and the journal has no hole`() async throws {
        let (directory, pulse, daemon) = try await start()
        let client = try holdTone(daemon)
        usleep(500_000)
        pulse.kill()
        usleep(300_000)
        _ = try client.call("swipe")
        let again = try await PrivatePulse(in: directory.path)
        let recording = try again.record(to: directory.file("heard.raw"))
        usleep(3_000_000)
        _ = try client.call("touch", #"{"phase":"ended"}"#)
        usleep(300_000)
        let heard = try finish(recording, directory.file("heard.raw"))
        let first = try #require(heard.firstIndex { $0.magnitude > 0.1 })
        #expect(first < 2 * 48_000)
        #expect(strays(try held(heard)) < 1e-6)
        let tone = component(heard[(first + 4_800)..<(first + 14_400)], near: 400)
        #expect(abs(Float(tone.amplitude) / Self.amplitude - 1) < 0.001)
        // It comes back without a click.
        #expect(zip(heard[..<(first + 4_800)].dropFirst(), heard).allSatisfy { ($0 - $1).magnitude < 0.02 })
        #expect(daemon.terminate() == 0)
        let events = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
            .split(separator: "\n").compactMap { $0.firstMatch(of: /"event":"([a-z.]+)"/)?.1 }
        #expect(events == ["tone", "touch", "swipe", "touch", "stop"])
        again.kill()
    }

    @Test func `a finger that leaves while there is no server is not heard when it is back`() async throws {
        let (directory, pulse, daemon) = try await start()
        let client = try holdTone(daemon)
        usleep(500_000)
        pulse.kill()
        usleep(200_000)
        _ = try client.call("touch", #"{"phase":"ended"}"#)
        let again = try await PrivatePulse(in: directory.path)
        let recording = try again.record(to: directory.file("heard.raw"))
        #expect(try await eventually { try daemon.outputState() == "connected" })
        usleep(2_000_000)
        let heard = try finish(recording, directory.file("heard.raw"))
        let isSilent = heard.count > 24_000 && heard.allSatisfy { $0 == 0 }
        #expect(isSilent, "\(heard.count) frames, \(heard.count(where: { $0 != 0 })) not silent, from \(heard.firstIndex { $0 != 0 } ?? -1)")
        #expect(try !daemon.isHeld)
        #expect(daemon.terminate() == 0)
        again.kill()
    }

    @Test func `playback follows the default sink, and a sink that is unloaded takes nothing with it`() async throws {
        let (directory, pulse, daemon) = try await start()
        let client = try holdTone(daemon)
        usleep(300_000)
        let module = try pulse.control("load-module", "module-null-sink", "sink_name=hall", "rate=48000", "channels=1", "format=float32le")
        try pulse.control("set-default-sink", "hall")
        let inTheHall = try pulse.record(to: directory.file("hall.raw"), sink: "hall")
        usleep(3_000_000)
        #expect((try daemon.status()["output"] as? [String: Any])?["sink"] as? String == "hall")
        let hall = try finish(inTheHall, directory.file("hall.raw"))
        #expect(component(hall.suffix(9_600), near: 400).amplitude > 0.2)

        try pulse.control("unload-module", module)
        let onTheStage = try pulse.record(to: directory.file("stage.raw"))
        usleep(3_000_000)
        #expect((try daemon.status()["output"] as? [String: Any])?["sink"] as? String == "stage")
        _ = try client.call("touch", #"{"phase":"ended"}"#)
        usleep(500_000)
        let stage = try finish(onTheStage, directory.file("stage.raw"))
        let last = try #require(stage.lastIndex { $0.magnitude > 0.1 })
        #expect(component(stage[(last - 14_400)..<(last - 4_800)], near: 400).amplitude > 0.2)
        let isSilent = stage.suffix(9_600).allSatisfy { $0 == 0 }
        #expect(isSilent, "nothing is stuck")
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    @Test func `a server that does not answer for three seconds costs nothing, and is played on when it does`() async throws {
        let (directory, pulse, daemon) = try await start()
        let client = try holdTone(daemon)
        usleep(300_000)
        pulse.signal(SIGSTOP)
        let before = try processorSeconds(daemon.process.identifier)
        usleep(1_500_000)
        #expect(try daemon.outputState() == "waiting")
        // Events are answered all the same.
        #expect(try client.call("swipe").contains(#""frame":"#))
        usleep(1_500_000)
        #expect(try processorSeconds(daemon.process.identifier) - before < 0.5)
        pulse.signal(SIGCONT)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        // A server that has stood still may need some seconds more itself before a recorder gets anything.
        var amplitude: Float = 0
        for _ in 0..<4 where amplitude < 0.2 {
            let recording = try pulse.record(to: directory.file("heard.raw"))
            usleep(1_500_000)
            amplitude = Float(component(try finish(recording, directory.file("heard.raw")).suffix(9_600), near: 400).amplitude)
        }
        #expect(amplitude > 0.2)
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    @Test func `ten thousand cues in a second neither stall the tone nor grow memory, and are counted`() async throws {
        let (directory, pulse, daemon) = try await start()
        let recording = try pulse.record(to: directory.file("heard.raw"))
        usleep(500_000)
        let visitor = try holdTone(daemon)
        let hostile = try LineSocket(daemon.socket)
        func flood(_ line: String) throws {
            let bytes = Array((line + "\n").utf8)
            for _ in 0..<100 {
                try hostile.send(Array(repeatElement(bytes, count: 100).joined()))
                usleep(10_000)
            }
            // Everything before it has been read.
            _ = try hostile.call("status")
        }
        // Once, so that everything has the size that it needs.
        try flood(#"{"jsonrpc":"2.0","method":"swipe"}"#)
        let before = try residentKiB(daemon.process.identifier)
        try flood(#"{"jsonrpc":"2.0","method":"swipe"}"#)
        usleep(500_000)
        _ = try visitor.call("touch", #"{"phase":"ended"}"#)
        usleep(300_000)
        let heard = try finish(recording, directory.file("heard.raw"))
        #expect(strays(try held(heard)) < 1e-6, "the tone does not mind")
        try flood(#"{"jsonrpc":"2.0","method":"chime.play","params":{"name":"ding"}}"#)
        #expect(try residentKiB(daemon.process.identifier) < before + 4_096)
        let status = try daemon.status()
        let synth = try #require(status["synth"] as? [String: Any])
        let counted = ["stolenNotes", "refusedNotes", "overload"].compactMap { synth[$0] as? Int }.reduce(0, +)
        #expect(counted > 5_000)
        #expect((status["output"] as? [String: Any])?["underruns"] as? Int == 0)
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    /// 64 that send garbage, 64 that never read, 63 that come and go, 64 that behave, and the visitor.
    @Test func `a crowd of 256 clients of all kinds for a minute is not heard, and whoever behaves gets every answer`() async throws {
        #expect(try await isUnheard(crowd))
    }

    private func crowd() async throws -> (ArraySlice<Float>, underruns: Int?) {
        let (directory, pulse, daemon) = try await start()
        let recording = try pulse.record(to: directory.file("heard.raw"))
        usleep(500_000)
        let visitor = try holdTone(daemon)
        func crowd(_ seconds: Int) throws -> [String: Int] {
            let crowd = try run("python3", [repository + "/Tests/AcceptanceTests/crowd.py", daemon.socket, "\(seconds)"])
            #expect(crowd.status == 0, "\(crowd.errors)")
            return try JSONDecoder().decode([String: Int].self, from: crowd.output)
        }
        // Once, so that everything has the size that it needs.
        _ = try crowd(5)
        let before = try residentKiB(daemon.process.identifier)
        let result = try crowd(60)
        #expect(try residentKiB(daemon.process.identifier) < before + 16_384)
        #expect(result["asked"] == result["answered"] && (result["asked"] ?? 0) > 5_000, "\(result)")
        _ = try visitor.call("touch", #"{"phase":"ended"}"#)
        usleep(300_000)
        let heard = try held(try finish(recording, directory.file("heard.raw")))
        #expect(heard.count > 60 * 48_000)
        let underruns = (try daemon.status()["output"] as? [String: Any])?["underruns"] as? Int
        #expect(daemon.terminate() == 0)
        pulse.kill()
        return (heard, underruns)
    }

    /// User and system time so far (proc(5): fields 14 and 15 of stat, in hundredths of a second).
    private func processorSeconds(_ process: pid_t) throws -> Double {
        let fields = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).split(separator: " ")
        return (Double(fields[13]) ?? 0) / 100 + (Double(fields[14]) ?? 0) / 100
    }

    private func residentKiB(_ process: pid_t) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return try #require(text.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) })
    }
}
