import ColorScroller
import Fields
import Foundation
import Journal
import Offline
import Registry
import Signals
import SoundFile
import SystemPackage
import Testing
import TestSupport
import Units

/// Whether a journal has the cues that its rules give, and a WAV a session's sound.
@Suite struct VerificationTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// With sums that are right, whatever was changed.
    private func write(_ entries: [JournalEntry], to name: String) throws -> FilePath {
        var sum = JournalSum()
        return FilePath(try scratch.write(entries.map { String(decoding: sum.seal(JournalLine.encode($0)), as: UTF8.self) }.joined(), to: name))
    }

    private func visit() throws -> [JournalEntry] {
        let visitor = try #require(ColorScroller.declaration.visitors.first { $0.name == "frantic" })
        var simulation = Simulation(ColorScroller.self, visitor, seed: 3, turns: 18, idle: Seconds(45))
        var entries: [JournalEntry] = []
        while let step = simulation.next() { entries.append(step.entry) }
        return entries
    }

    @Test func `cues are those of the rules, and the first line that has others is named`() throws {
        let good = try visit()
        let rules = ColorScroller.declaration.rulesVersion
        #expect(try RulesCheck(write(good, to: "good.jsonl"), Registry.pieces) == .same(experience: "colorscroller", rules: rules))
        let indices = good.indices.filter { if case .event(_, _, _, let gave?) = good[$0] { !gave.cues.isEmpty } else { false } }
        for index in indices {
            guard case .event(let event, let frame, let due, let gave?) = good[index] else { continue }
            for others in [Array(gave.cues.dropLast()), gave.cues + [.chime("ding")]] {
                var changed = good
                changed[index] = .event(event, at: frame, due: due, cues: others)
                #expect(try RulesCheck(write(changed, to: "changed.jsonl"), Registry.pieces) == .different(line: index + 1))
            }
        }
        var opened = good
        if case .header(var header) = good[0] {
            header.rules?.opening.append(.chime("ding"))
            opened[0] = .header(header)
        }
        #expect(try RulesCheck(write(opened, to: "opened.jsonl"), Registry.pieces) == .different(line: 1))
    }

    @Test func `other rules, a piece that is not here and format version 1 are said and not compared, and losses end the comparison`() throws {
        let good = try visit()
        func check(_ change: (inout JournalHeader) -> Void) throws -> RulesCheck {
            guard case .header(var header) = good[0] else { return .unchecked("") }
            change(&header)
            return try RulesCheck(write([.header(header)] + good.dropFirst(), to: "a.jsonl"), Registry.pieces)
        }
        #expect(try check { $0.rules?.version = 99 } == .unchecked("they are by version 99 of the rules of colorscroller, and this Thrum has "
            + "version \(ColorScroller.declaration.rulesVersion)"))
        #expect(try check { $0.experience = "metronome" } == .unchecked("this Thrum does not have the piece metronome"))
        #expect(try RulesCheck(FilePath(repository + "/Tests/Fixtures/locked.jsonl"), Registry.pieces)
            == .unchecked("a journal of format version 1 has none"))
        let lost = Array(good[..<6]) + [JournalEntry.discontinuity(.lost(entries: 3), at: good[5].frame)] + Array(good[9...])
        #expect(try RulesCheck(write(lost, to: "lost.jsonl"), Registry.pieces) == .unknown(line: 7))
    }

    private func render(_ journal: FilePath, _ change: (inout Rendering.Options) -> Void) throws -> FilePath {
        let path = scratch.file("a.wav")
        let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        var options = Rendering.Options(Registry.pieces)
        change(&options)
        _ = try Rendering.render(journal, to: descriptor, options)
        return FilePath(path)
    }

    @Test(arguments: [SampleFormat.pcm16, .pcm24, .float32], [SoundFileLayout.Channels.mono, .doubled, .interleaved])
    func `a WAV is its session's sound in each format, and one bit makes it another at that frame`(
        format: SampleFormat, channels: SoundFileLayout.Channels) throws {
        let journal = FilePath(repository + "/Tests/Fixtures/locked.jsonl")
        for (rate, dither) in [(48_000, false), (44_100, format != .float32)] {
            let wave = try render(journal) { options in
                options.format = format
                options.channels = channels
                options.dither = dither
                options.rate = SampleRate(rate)
            }
            // The session has two seconds.
            #expect(try SoundIdentity(wave, of: journal, Registry.pieces) == .same(frames: Int64(2 * rate)))
            guard rate == 48_000 else { continue }
            var bytes = try Data(contentsOf: URL(fileURLWithPath: wave.string))
            let size = (format == .pcm16 ? 2 : format == .pcm24 ? 3 : 4) * (channels == .mono ? 1 : 2)
            let frame = 70_123
            // Behind the samples there is nothing.
            bytes[bytes.count - (96_000 - frame) * size] ^= 1
            let other = scratch.file("b.wav")
            try bytes.write(to: URL(fileURLWithPath: other))
            #expect(try SoundIdentity(FilePath(other), of: journal, Registry.pieces) == .different(frame: Int64(frame), rate: .standard))
        }
    }

    @Test func `a WAV that ends sooner or later differs where one has no more, and what is no WAV is refused`() throws {
        let journal = FilePath(repository + "/Tests/Fixtures/locked.jsonl")
        let header = try String(contentsOfFile: journal.string, encoding: .utf8)
        for end in [72_000, 120_000] {
            let text = header.split(separator: "\n").filter { line in
                guard let frame = line.firstMatch(of: /"frame":(\d+)/).flatMap({ Int($0.1) }) else { return true }
                return frame < min(end, 96_000) && !line.contains("\"end\"")
            } + ["{\"frame\":\(end),\"end\":\"idle\"}"]
            let other = FilePath(try scratch.write(text.joined(separator: "\n") + "\n", to: "other.jsonl"))
            let wave = try render(other) { $0.format = .float32 }
            guard case .different(let frame, _) = try SoundIdentity(wave, of: journal, Registry.pieces) else {
                Issue.record("\(end) frames are not 96,000")
                continue
            }
            #expect(frame <= Int64(min(end, 96_000)))
        }
        // The chunk of samples of an odd length has a byte more, which is no sample.
        let lines = try String(contentsOfFile: journal.string, encoding: .utf8).split(separator: "\n")
        let odd = FilePath(try scratch.write(lines[0] + "\n{\"frame\":4801,\"end\":\"idle\"}\n", to: "odd.jsonl"))
        let wave = try render(odd) { ($0.format, $0.channels) = (.pcm24, .mono) }
        #expect(try SoundIdentity(wave, of: odd, Registry.pieces) == .same(frames: 4_801))
        let notes = FilePath(try scratch.write("my notes", to: "notes.wav"))
        #expect(throws: Fault.self) { try SoundIdentity(notes, of: journal, Registry.pieces) }
    }
}
