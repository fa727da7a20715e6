import Files
import Foundation
import Journal
import JournalFile
import Offline
import Registry
import SystemPackage
import Testing
import TestSupport
import Units

private let locked = repository + "/Tests/Fixtures/locked.jsonl"

/// Parts of a session's WAV. What they must be is the file that `Rendering` writes.
@Suite struct SessionSoundTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func rendered(_ journal: String) throws -> [UInt8] {
        let path = scratch.file("rendered.wav")
        let output = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        try output.closeAfter { _ = try Rendering.render(FilePath(journal), to: output, Rendering.Options(Registry.pieces)) }
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The bytes, however often they have to be asked for.
    private func bytes(_ sound: SessionSound, _ range: Range<Int64>) throws -> [UInt8] {
        for _ in 0..<100 {
            if let bytes = try sound.bytes(range) { return bytes }
        }
        Issue.record("the way to \(range) has no end")
        return []
    }

    @Test func `the whole is the file that is rendered, in pieces of any size`() throws {
        let whole = try rendered(locked)
        for size: Int64 in [997, 65_536, 1 << 20] {
            let sound = try SessionSound(FilePath(locked), Registry.pieces)
            #expect(sound.bytes == whole.count)
            var found: [UInt8] = []
            while found.count < whole.count {
                found += try bytes(sound, Int64(found.count)..<min(Int64(found.count) + size, sound.bytes))
            }
            #expect(found == whole, "\(size)")
        }
    }

    /// Up to there, the sound follows from the lines that are there already.
    @Test func `the first second has the samples that it has in the whole, also while lines are added`() throws {
        let lines = try String(contentsOfFile: locked, encoding: .utf8).split(separator: "\n").map { $0 + "\n" }
        let second = try #require(lines.firstIndex { line in
            line.firstMatch(of: /"frame":(\d+)/).flatMap { Int($0.1) }.map { $0 > 48_500 } ?? false
        })
        let journal = try scratch.write(lines[...second].joined(), to: "running.jsonl")
        let sound = try SessionSound(FilePath(journal), until: Seconds(1), Registry.pieces)
        #expect(sound.bytes == 44 + 96_000)
        let middle = try bytes(sound, 40_000..<60_000)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: journal))
        try file.seekToEnd()
        try file.write(contentsOf: Data(lines[(second + 1)...].joined().utf8))
        try file.close()
        #expect(try sound.isOf(FileState(at: FilePath(journal))))
        let whole = try rendered(locked)
        #expect(middle == Array(whole[40_000..<60_000]))
        #expect(try bytes(sound, 44..<sound.bytes) == Array(whole[44..<44 + 96_000]))
    }

    @Test func `where no line is so late, the sound up to there is not known yet`() throws {
        #expect(throws: SessionSound.NotYet.self) { try SessionSound(FilePath(locked), until: Seconds(3), Registry.pieces) }
        let header = try #require(try String(contentsOfFile: locked, encoding: .utf8).split(separator: "\n").first)
        let journal = try scratch.write("\(header)\n", to: "begun.jsonl")
        #expect(throws: SessionSound.NotYet.self) { try SessionSound(FilePath(journal), until: Seconds(1), Registry.pieces) }
    }

    @Test func `any part is that of the whole, after any other`() throws {
        let whole = try rendered(locked)
        let sound = try SessionSound(FilePath(locked), Registry.pieces)
        var dice = Dice(7)
        for _ in 0..<300 {
            let first = dice.roll(whole.count), count = 1 + dice.roll(9_000)
            let range = first..<min(first + count, whole.count)
            #expect(try bytes(sound, Int64(range.lowerBound)..<Int64(range.upperBound)) == Array(whole[range]), "\(range)")
        }
        for range in [0..<0, 0..<1, 43..<45, 44..<44, whole.count - 1..<whole.count, whole.count..<whole.count] {
            #expect(try bytes(sound, Int64(range.lowerBound)..<Int64(range.upperBound)) == Array(whole[range]), "\(range)")
        }
    }

    /// A session of ten minutes, of which most is silent: longer than one call goes, and than places are apart.
    @Test func `the end of a long session is reached in several calls, and then is near`() throws {
        let header = try #require(try String(contentsOfFile: locked, encoding: .utf8).split(separator: "\n").first)
        let events = (0..<60).map { #"{"client":1,"event":"chime","frame":\#($0 * 480_000),"name":"ding"}"# + "\n" }
        let journal = try scratch.write("\(header)\n" + events.joined() + #"{"end":"idle","frame":28800000}"# + "\n", to: "long.jsonl")
        let whole = try rendered(journal)
        let sound = try SessionSound(FilePath(journal), Registry.pieces)
        let end = sound.bytes - 1_000..<sound.bytes
        #expect(try sound.bytes(end) == nil, "ten minutes are too far for one call")
        #expect(try bytes(sound, end) == whole.suffix(1_000))
        var dice = Dice(11)
        for _ in 0..<60 {
            let first = dice.roll(whole.count - 2_000)
            // Every place is known by now, so each part is there at once.
            #expect(try sound.bytes(Int64(first)..<Int64(first + 2_000)) == Array(whole[first..<first + 2_000]), "\(first)")
        }
    }

    /// Two hours are more than places every ten seconds are kept of. Alone in silence a chime has the same samples whenever it is played.
    @Test func `where places would be too many they lie further apart, and parts stay as they are`() throws {
        let header = try #require(try String(contentsOfFile: locked, encoding: .utf8).split(separator: "\n").first)
        let frames = (0..<12).map { $0 * 28_800_000 + 1_000 }
        let events = frames.map { #"{"client":1,"event":"chime","frame":\#($0),"name":"ding"}"# + "\n" }
        let journal = try scratch.write("\(header)\n" + events.joined() + #"{"end":"idle","frame":345600000}"# + "\n", to: "day.jsonl")
        let sound = try SessionSound(FilePath(journal), Registry.pieces)
        func part(_ frame: Int) -> Range<Int64> { Int64(44 + 2 * frame)..<Int64(44 + 2 * frame + 20_000) }
        let chime = try bytes(sound, part(frames[0]))
        #expect(chime.contains { $0 != 0 })
        #expect(try bytes(sound, sound.bytes - 2_000..<sound.bytes).allSatisfy { $0 == 0 })
        for index in [11, 3, 7, 1, 10, 0, 5, 2, 9, 4, 8, 6] { #expect(try bytes(sound, part(frames[index])) == chime, "\(index)") }
    }

    @Test func `a journal that was cut off sounds as it renders, with its last line's newline and without`() throws {
        let lines = try Data(contentsOf: URL(fileURLWithPath: locked))
        let newlines = lines.indices.filter { lines[$0] == UInt8(ascii: "\n") }
        for cut in [newlines[0] + 1, newlines[1], newlines[3] + 1, newlines[5], newlines[7] + 9] {
            try lines[..<cut].write(to: URL(fileURLWithPath: scratch.file("cut.jsonl")))
            let whole = try rendered(scratch.file("cut.jsonl"))
            let sound = try SessionSound(FilePath(scratch.file("cut.jsonl")), Registry.pieces)
            #expect(sound.bytes == whole.count, "\(cut)")
            // Backwards, so that each part goes on from another place.
            for first in stride(from: Int64(whole.count) / 700 * 700, through: 0, by: -700) {
                let range = first..<min(first + 700, sound.bytes)
                #expect(try bytes(sound, range) == Array(whole[Int(range.lowerBound)..<Int(range.upperBound)]), "\(cut), \(range)")
            }
        }
    }

    /// The line before the bad one is at frame 9,000: what comes then, nobody knows.
    @Test func `a session with a bad line in the middle sounds up to the event before it`() throws {
        let whole = try rendered(locked)
        var lines = try String(contentsOfFile: locked, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[4].contains(#""frame":9000"#))
        lines.insert("nothing", at: 5)
        let sound = try SessionSound(FilePath(try scratch.write(lines.joined(separator: "\n"), to: "bad.jsonl")), Registry.pieces)
        #expect(sound.bytes == whole.count)
        #expect(try bytes(sound, 0..<44 + 2 * 7_000) == Array(whole[..<(44 + 2 * 7_000)]))
        #expect(throws: JournalFault.self) { try bytes(sound, 44..<44 + 2 * 9_100) }
    }

    @Test func `a fault is found with the last sample, and a journal that changes gives no more parts`() throws {
        let text = try String(contentsOfFile: locked, encoding: .utf8)
        let journal = try scratch.write(text + #"{"end":"idle","frame":96000}"# + "\n", to: "a.jsonl")
        let sound = try SessionSound(FilePath(journal), Registry.pieces)
        #expect(try bytes(sound, 0..<1_000).count == 1_000)
        #expect(throws: (any Error).self) { try bytes(sound, sound.bytes - 10..<sound.bytes) }
        _ = try scratch.write(text + "\n", to: "a.jsonl")
        #expect(throws: JournalScan.OtherFile.self) { try bytes(sound, 0..<1_000) }
    }
}
