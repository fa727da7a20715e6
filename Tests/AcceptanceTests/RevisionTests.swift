import Foundation
import Testing
import TestSupport

/// What is heard, against what the journal renders to.
@Suite(.serialized) struct RevisionTests {
    /// Plays a minute of 330 events, records the monitor, and compares it with the render of the journal: bit for bit, all
    /// of it. On a machine so busy that a change came late, which the journal tells, it is played again.
    private func compare(_ server: some SoundServer, _ arguments: [String] = []) async throws {
        var lapses: [Substring] = []
        for _ in 1...3 {
            lapses = try await play(on: server, arguments)
            if lapses.isEmpty { return }
        }
        Issue.record("thrice there were lapses: \(lapses.joined(separator: " "))")
    }

    /// Returns the journal's lapses.
    private func play(on server: some SoundServer, _ arguments: [String]) async throws -> [Substring] {
        let daemon = try await Daemon(["--seed", "3"] + arguments, environment: server.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let recording = try server.record(to: daemon.scratch.file("heard.raw"))
        usleep(3_000_000)
        let client = try LineSocket(daemon.socket)
        var visitor = Visitor(seed: 11)
        for number in 1...330 {
            let (method, parameters) = visitor.act()
            let reply = try client.ask(#"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":\#(parameters)}"#)
            #expect(reply.contains(#""frame":"#), "\(reply)")
            usleep(UInt32(visitor.random(364_000)))
        }
        let output = try #require(try daemon.status()["output"] as? [String: Any])
        #expect(daemon.terminate() == 0)
        usleep(500_000)
        recording.signal(SIGINT)
        _ = recording.finish()

        let journal = try #require(daemon.journals.first)
        let rendered = daemon.scratch.file("rendered.wav")
        #expect(try thrum("render", journal, "-o", rendered, "--bits", "float").status == 0)
        let expected = floats(try WaveFile(Data(contentsOf: URL(fileURLWithPath: rendered))).data)
        let heard = try rawFloats(daemon.scratch.file("heard.raw"))
        let lapses = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(#""lapse":"#) }
        guard lapses.isEmpty else { return lapses }
        let comparison = differences(heard, from: expected)
        #expect(comparison.differing == 0, """
            \(comparison.differing) of \(expected.count) frames in \(comparison.runs) runs, the first at \(comparison.first); \
            \(output)
            """)
        #expect((output["rewrites"] as? Int ?? 0) > 250)
        return []
    }

    @Test func `on PulseAudio, what was heard is what is rendered`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        try await compare(pulse)
        pulse.kill()
    }

    @Test func `on PipeWire, what was heard is what is rendered`() async throws {
        let directory = try Scratch()
        let pipewire = try await PrivatePipeWire(in: directory.path)
        // In blocks of 1,024 frames: in the smallest ones PipeWire itself drops some on a machine like a build server.
        try await compare(pipewire, ["--sink-latency", "40"])
        pipewire.kill()
    }
}

private func floats(_ data: Data) -> [Float] {
    let bytes = [UInt8](data)
    return stride(from: 0, to: bytes.count - 3, by: 4).map { n in
        Float(bitPattern: UInt32(bytes[n]) | UInt32(bytes[n + 1]) << 8 | UInt32(bytes[n + 2]) << 16 | UInt32(bytes[n + 3]) << 24)
    }
}

/// Aligned by the first samples that are not silence.
private func differences(_ heard: [Float], from expected: [Float]) -> (differing: Int, runs: Int, first: Int) {
    guard let heardStart = heard.firstIndex(where: { $0 != 0 }),
          let expectedStart = expected.firstIndex(where: { $0 != 0 }) else { return (expected.count, 1, 0) }
    let offset = heardStart - expectedStart
    var differing = 0
    var runs = 0
    var first = -1
    var isInRun = false
    for index in expected.indices {
        let isEqual = heard.indices.contains(offset + index) && heard[offset + index].bitPattern == expected[index].bitPattern
        if !isEqual {
            differing += 1
            if !isInRun { runs += 1 }
            if first < 0 { first = index }
        }
        isInRun = !isEqual
    }
    return (differing, runs, first)
}
