import Foundation
import Testing
import TestSupport

/// What others do to the sound, at a real PulseAudio.
@Suite(.serialized) struct AttenuationTests {
    @Test func `a sink or stream that others mute or turn down is an issue until it is let be heard`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon([], environment: pulse.environment)
        func issues() throws -> [String] { try daemon.status()["issues"] as? [String] ?? [] }
        func output() throws -> [String: Any] { try daemon.status()["output"] as? [String: Any] ?? [:] }
        #expect(try await eventually { try daemon.outputState() == "connected" })
        #expect(try issues().isEmpty)
        let list = try pulse.control("list", "short", "sink-inputs")
        let stream = String(try #require(list.split(separator: "\t").first))

        try pulse.control("set-sink-mute", "stage", "1")
        #expect(try await eventually { try issues() == ["the sink stage is muted by another program"] })
        #expect(try output()["isMutedByOthers"] as? Bool == true)
        #expect(try thrum("status", "--socket", daemon.socket).status == 1)
        try pulse.control("set-sink-mute", "stage", "0")
        #expect(try await eventually { try issues().isEmpty })

        try pulse.control("set-sink-input-mute", stream, "1")
        #expect(try await eventually { try issues() == ["Thrum's stream on the sink stage is muted by another program"] })
        try pulse.control("set-sink-input-mute", stream, "0")
        #expect(try await eventually { try issues().isEmpty })

        try pulse.control("set-sink-volume", "stage", "0")
        #expect(try await eventually { try issues() == ["the sink stage is turned down by another program: it is silent"] })
        try pulse.control("set-sink-volume", "stage", "50%")
        #expect(try await eventually { try issues().isEmpty })
        try pulse.control("set-sink-input-volume", stream, "15%")
        #expect(try await eventually { try issues().count == 1 }, "of both together too little is left")
        let volume = try #require(try output()["volumeByOthers"] as? Double)
        // PulseAudio's per cents are cubic: 60 · log10(0.5 · 0.15).
        #expect(abs(volume + 67.5) < 0.5)

        // What a front end mutes is as it should be.
        try pulse.control("set-sink-input-volume", stream, "100%")
        _ = try LineSocket(daemon.socket).call("output.mute", #"{"on":true}"#)
        #expect(try await eventually { try issues().isEmpty })
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    @Test func `what was played while others had muted the sink lies in a gap of the journal`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon([], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let client = try LineSocket(daemon.socket)
        /// The session's frame now.
        func frame() throws -> Int {
            let line = try client.call("journal.mark", #"{"text":"now"}"#)
            let answer = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require((answer?["result"] as? [String: Any])?["frame"] as? Int)
        }
        func isMuted() throws -> Bool { try (daemon.status()["output"] as? [String: Any])?["isMutedByOthers"] as? Bool ?? false }
        _ = try client.call("tone", #"{"on":true,"frequency":500,"level":-12}"#)
        let before = try frame()
        #expect(try await eventually { try frame() > before + 24_000 })
        try pulse.control("set-sink-mute", "stage", "1")
        #expect(try await eventually { try isMuted() })
        let muted = try frame()
        #expect(try await eventually { try frame() > muted + 48_000 })
        try pulse.control("set-sink-mute", "stage", "0")
        #expect(try await eventually { try !isMuted() })
        let heard = try frame()
        #expect(try await eventually { try frame() > heard + 24_000 })
        let journal = try #require(daemon.journals.first)
        _ = try client.call("session.end")
        #expect(daemon.terminate() == 0)
        pulse.kill()
        let gaps = try Comparison.discontinuities(in: journal).filter { $0.count > 24_000 }
        #expect(gaps.count == 1, "\(gaps)")
        let gap = try #require(gaps.first)
        #expect(gap.lowerBound > before && gap.lowerBound <= muted && gap.contains(muted + 36_000), "\(gap), muted at \(muted)")
        #expect(gap.upperBound <= heard + 24_000)
    }
}
