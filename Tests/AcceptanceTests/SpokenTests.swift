import Foundation
import Testing
import TestSupport

/// What the engine speaks, at a real thrumd with espeak-ng, as a real PulseAudio records it.
@Suite(.serialized) struct SpokenTests {
    @Test func `speech is heard, everything else is 12 dB softer meanwhile, and back afterwards, and the journal renders without it`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path)
        let daemon = try await Daemon([], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let recording = try pulse.record(to: directory.file("heard.raw"))
        try await Task.sleep(for: .milliseconds(500))
        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", #"{"frequency":5000,"level":-20}"#)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        try await Task.sleep(for: .seconds(1))
        let answer = try client.call("speech.say", #"{"text":"Somebody who does not see hears what is under the finger","language":"en"}"#)
        let seconds = try #require(answer.split(separator: ":").last.flatMap { Double($0.prefix { "0123456789.".contains($0) }) }, "\(answer)")
        #expect((2...6).contains(seconds), "\(answer)")
        try await Task.sleep(for: .seconds(seconds + 1.5))
        _ = try client.call("touch", #"{"phase":"ended"}"#)
        try await Task.sleep(for: .milliseconds(500))
        recording.signal(SIGINT)
        _ = recording.finish()
        #expect(daemon.terminate() == 0)

        // In blocks of 50 ms: how loud the tone is, and all beside it.
        let heard = try rawFloats(directory.file("heard.raw"))
        let blocks = stride(from: 0, to: heard.count - 2_400, by: 2_400).map { start in
            let part = heard[start..<(start + 2_400)]
            let tone = component(part, near: 5_000).amplitude
            let all = part.reduce(0.0) { $0 + Double($1 * $1) } / 2_400
            return (tone: tone, voice: max(0, all - tone * tone / 2).squareRoot())
        }
        // 10^(−20/20), and 12 dB less. The voice has at most a twentieth of its amplitude at 5 kHz.
        let whole = blocks.indices.filter { abs(blocks[$0].tone - 0.1) < 0.002 }
        // Only between the first and last whole block: the block in which the tone begins, or ends, may have any level.
        let (begins, ends) = (try #require(whole.first), try #require(whole.last))
        let ducked = (begins...ends).filter { abs(blocks[$0].tone - 0.1 * pow(10, -12.0 / 20)) < 0.006 }
        #expect(Double(ducked.count) * 0.05 > 0.8 * seconds && Double(ducked.count) * 0.05 < seconds + 0.3, "\(ducked.count)")
        let (first, last) = (try #require(ducked.first), try #require(ducked.last))
        #expect(!whole.contains { (first...last).contains($0) })
        #expect(blocks[first...last].filter { $0.voice > 0.02 }.count * 2 > ducked.count, "a voice is heard most of the time")
        #expect(whole.allSatisfy { blocks[$0].voice < 0.01 }, "and never while the tone is as loud as ever")

        let sessions = daemon.scratch.file("sessions")
        let journal = try #require(try FileManager.default.contentsOfDirectory(atPath: sessions).first { $0.hasSuffix(".jsonl") })
        let text = try String(contentsOfFile: sessions + "/" + journal, encoding: .utf8)
        #expect(!text.contains("Somebody") && !text.contains("speech"))
    }
}
