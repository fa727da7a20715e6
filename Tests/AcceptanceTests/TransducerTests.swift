import Foundation
import Testing
import TestSupport

extension RevisionTests {
    /// On a sink of four channels, of which the last two have exciters, as a DualSense pad's are.
    @Test func `on a sink with transducers, hands feel what is rendered, in step with the sound to the sample`() async throws {
        let directory = try Scratch()
        let pulse = try await PrivatePulse(in: directory.path, channels: 4)
        var issues: [String] = []
        for _ in 1...6 {
            let daemon = try await Daemon(["--seed", "3", "--transducer", "3,4"], environment: pulse.environment)
            #expect(try await eventually { try daemon.outputState() == "connected" })
            let recording = try pulse.record(to: daemon.scratch.file("heard.raw"), latencyMilliseconds: 50, channels: 4)
            usleep(3_000_000)
            let client = try LineSocket(daemon.socket)
            var visitor = Visitor(seed: 5)
            for _ in 1...40 {
                let (method, parameters) = visitor.act()
                _ = try client.call(method, parameters)
                usleep(UInt32(visitor.random(200_000)))
            }
            #expect(try daemon.status()["issues"] as? [String] == [])
            #expect(daemon.terminate() == 0)
            usleep(500_000)
            recording.signal(SIGINT)
            _ = recording.finish()

            let journal = try #require(daemon.journals.first)
            let rendered = daemon.scratch.file("rendered.wav")
            #expect(try thrum("render", journal, "-o", rendered, "--bits", "float", "--haptics").status == 0)
            let expected = try WaveFile(path: rendered)
            #expect(expected.channels == 2)
            let heard = try rawFloats(daemon.scratch.file("heard.raw"))
            let channels = (0..<4).map { channel in (0..<heard.count / 4).map { heard[4 * $0 + channel].bitPattern } }
            #expect(channels[0] == channels[1] && channels[2] == channels[3])
            // Both in one, so that one that is off against the other is seen.
            let both = zip(channels[0], channels[2]).flatMap { [$0, $1] }
            let discontinuities = try Comparison.discontinuities(in: journal)
            let comparison = Comparison(heard: both, expected: expected.samples.map(\.bitPattern),
                                        discontinuities: discontinuities.map { 2 * $0.lowerBound..<2 * $0.upperBound })
            #expect(channels[2].contains { $0 != 0 })
            #expect(comparison.faults.allSatisfy { if case .unaligned = $0.kind { true } else { false } }, "discontinuities \(discontinuities)")
            // A change that came late on a busy machine lies in a discontinuity; what is excused by one is little.
            let excused = discontinuities.reduce(0) { $0 + $1.count }
            if comparison.faults.isEmpty, excused < expected.samples.count / 2 / 20 {
                pulse.kill()
                return
            }
            issues.append("discontinuities \(discontinuities), faults \(comparison.faults)")
        }
        Issue.record("no run went undisturbed: \(issues.joined(separator: "; "))")
    }
}
