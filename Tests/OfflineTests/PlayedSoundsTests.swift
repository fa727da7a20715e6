import Journal
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@testable import Offline

/// Which sound files a signed journal was played with, by its header and its checkpoints.
@Suite struct PlayedSoundsTests {
    private let scratch: Scratch
    /// Digests of nothing in particular.
    private let first = String(repeating: "a", count: 64), second = String(repeating: "b", count: 64), other = String(repeating: "c", count: 64)

    init() throws { scratch = try Scratch() }

    private func sounds(_ signed: JournalProvenance?, _ checkpoints: [[String: String]]) throws -> PlayedSounds {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "metronome", started: "then", theme: .standard,
                                   rules: JournalHeader.Rules(version: 1, opening: []), signed: signed)
        let entries = [.header(header)] + checkpoints.enumerated().map { JournalEntry.checkpoint(sounds: $1, at: Frame(Int64($0))) }
        let text = entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined()
        return try PlayedSounds(of: FilePath(scratch.write(text, to: "a.jsonl")), header)
    }

    private func signed(_ sounds: [String: String]) -> JournalProvenance {
        JournalProvenance(box: other, key: other, theme: other, sounds: sounds)
    }

    @Test func `a file is the one that was played by any digest that the header or a checkpoint has of it`() throws {
        let sounds = try sounds(signed(["bell.wav": first, "drum.wav": first]), [["bell.wav": second], [:], ["late.wav": second]])
        #expect(sounds.verdict(on: "bell.wav", digest: first) == .playedInPart && sounds.verdict(on: "bell.wav", digest: second) == .playedInPart)
        #expect(sounds.verdict(on: "bell.wav", digest: other) == .exchanged)
        #expect(sounds.verdict(on: "drum.wav", digest: first) == .played && sounds.verdict(on: "drum.wav", digest: second) == .exchanged)
        #expect(sounds.verdict(on: "late.wav", digest: second) == .played && sounds.verdict(on: "late.wav", digest: first) == .exchanged)
    }

    @Test func `of a file without a digest, and of a journal that is not signed, nothing is known`() throws {
        #expect(try sounds(signed([:]), []).verdict(on: "bell.wav", digest: first) == .played)
        #expect(try sounds(nil, [["bell.wav": second]]).verdict(on: "bell.wav", digest: first) == .played)
    }
}
