import Foundation
import Testing
import TestSupport

/// Whether what is played comes out of the sink, at a real PulseAudio.
@Suite(.serialized) struct MonitorTests {
    /// The sink without a sound is one whose only channel is a subwoofer: PulseAudio gives it nothing of a mono stream. Mute and volume
    /// are as they should be there, and the server takes every frame, so only the monitor tells.
    @Test func `a tone is found at the sink's monitor, and a sink that stays silent is an issue`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon([], environment: pulse.environment)
        func issues() throws -> [String] { try daemon.status()["issues"] as? [String] ?? [] }
        func output() throws -> [String: Any] { try daemon.status()["output"] as? [String: Any] ?? [:] }
        func monitorPeak() throws -> Double? { try output()["monitorPeak"] as? Double }
        func recorders() throws -> String { try pulse.control("list", "short", "source-outputs") }
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let client = try LineSocket(daemon.socket)

        // With nobody there nobody listens.
        #expect(try monitorPeak() == nil && recorders().isEmpty)
        _ = try client.call("tone", #"{"frequency":300,"level":-12}"#)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        #expect(try await eventually { try abs((monitorPeak() ?? -120) + 12) < 0.5 })
        try await Task.sleep(for: .seconds(4))
        #expect(try issues().isEmpty && abs((monitorPeak() ?? -120) + 12) < 0.5)

        // What a mute explains is told once.
        try pulse.control("set-sink-mute", "stage", "1")
        #expect(try await eventually { try monitorPeak() == -120 })
        try await Task.sleep(for: .seconds(4))
        #expect(try issues() == ["the sink stage is muted by another program"])
        try pulse.control("set-sink-mute", "stage", "0")

        try pulse.control("load-module", "module-null-sink", "sink_name=cellar", "rate=48000", "channels=1", "channel_map=lfe",
                          "format=float32le")
        let stream = String(try #require(try pulse.control("list", "short", "sink-inputs").split(separator: "\t").first))
        try pulse.control("move-sink-input", stream, "cellar")
        #expect(try await eventually { try issues() == ["the sink cellar is silent although sound is played on it"] })
        #expect(try thrum("status", "--socket", daemon.socket).status == 1)
        #expect(try output()["isMutedByOthers"] as? Bool == false && output()["volumeByOthers"] as? Double == 0)
        try pulse.control("move-sink-input", stream, "stage")
        #expect(try await eventually { try issues().isEmpty && abs((monitorPeak() ?? -120) + 12) < 0.5 })

        _ = try client.call("touch", #"{"phase":"ended"}"#)
        _ = try client.call("session.end", "{}")
        #expect(try await eventually { try monitorPeak() == nil && recorders().isEmpty })
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }

    @Test func `a suspended sink is told as what it is`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon([], environment: pulse.environment)
        func isSuspended() throws -> Bool? { (try daemon.status()["output"] as? [String: Any])?["isSuspended"] as? Bool }
        #expect(try await eventually { try daemon.outputState() == "connected" })
        #expect(try isSuspended() == false)
        try pulse.control("suspend-sink", "stage", "1")
        #expect(try await eventually { try isSuspended() == true })
        #expect(try await eventually {
            try daemon.status()["issues"] as? [String] == ["no sound: waiting for a sound server (the sink is suspended)"]
        })
        try pulse.control("suspend-sink", "stage", "0")
        #expect(try await eventually { try isSuspended() == false && daemon.outputState() == "connected" })
        #expect(daemon.terminate() == 0)
        pulse.kill()
    }
}
