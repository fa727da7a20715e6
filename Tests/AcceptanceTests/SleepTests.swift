import Foundation
import Testing
import TestSupport

/// A machine that is put to sleep while it plays: a whole one, in QEMU, with a sound card and the kernel's own driver.
@Suite struct SleepTests {
    /// QEMU's codec throws buffers away when the host keeps it from running for 43 ms, and what left the card is not written down. So it is
    /// played again, three times at most: what the daemon does wrong is wrong in each, and one is right from its beginning to its end.
    @Test func `a sound card that slept is told and played on, and all else is heard as it is rendered`() throws {
        for _ in 1...3 where try isHeardAsRendered() { return }
        Issue.record("something else was heard in each of three runs")
    }

    private func isHeardAsRendered() throws -> Bool {
        let scratch = try Scratch()
        let guest = try run(repository + "/Tests/VM/Sleep/sleep-in-vm", [Programs.directory, scratch.path])
        try #require(guest.status == 0, "\(guest.errors)")

        let journal = scratch.file("journal")
        let gaps = try Comparison.discontinuities(in: journal)
        let gap = try #require(gaps.max { $0.count < $1.count })
        let (awake, wall) = (try seconds(scratch.file("awake")), try seconds(scratch.file("wall")))
        print("➜ sleep: \(wall) s by the clock, \(awake) s of them awake; \(gap.count) frames not heard")
        #expect(wall - awake > 2, "it slept")

        let log = try String(contentsOfFile: scratch.file("log"), encoding: .utf8)
        let lines = log.split(separator: "\n").drop { !$0.contains("reason=the machine slept [Live] waiting for the sound card") }
        #expect(lines.dropFirst().first?.contains("playing on the sound card") == true, "\(log)")

        let rendered = scratch.file("rendered.wav")
        #expect(try thrum("render", journal, "-o", rendered, "--bits", "16").status == 0)
        let expected = left(try WaveFile(path: rendered).data, channels: 1)
        let heard = left(try Data(contentsOf: URL(fileURLWithPath: scratch.file("card.wav"))).dropFirst(44), channels: 2)
        // A gap lasts as long as the sound was away, less the sleep: the clock of frames stands meanwhile.
        #expect(gap.count < 48_000 * 2 + Int(awake * 48_000))
        var (heardFrom, compared) = (heard.startIndex, 0)
        for (start, end) in zip([0] + gaps.map(\.upperBound), gaps.map(\.lowerBound) + [expected.count]) where end - start > 9_600 {
            let stretch = expected[start..<end].drop { $0 == 0 }
            guard let found = heard[heardFrom...].firstRange(of: stretch) else {
                print("➜ sleep: frames \(start) to \(end) were not heard as they are rendered")
                return false
            }
            (heardFrom, compared) = (found.upperBound, compared + stretch.count)
        }
        #expect(compared > 48_000 * 4)
        #expect(expected[gap.upperBound...].contains { $0.magnitude > 1_000 }, "a chime was played after the sleep")
        return true
    }

    private func seconds(_ file: String) throws -> Double {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        return try #require(Double(text.trimmingCharacters(in: .newlines)), "\(text)")
    }

    /// The first channel's samples, of 16 bits.
    private func left(_ data: Data, channels: Int) -> [Int16] {
        data.withUnsafeBytes { bytes in
            (0..<bytes.count / (2 * channels)).map { frame in
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: frame * 2 * channels, as: Int16.self))
            }
        }
    }
}
