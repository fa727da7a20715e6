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

private let locked = repository + "/Tests/Fixtures/locked.jsonl"

/// A bit-exactness lock, not a golden value: what `locked.jsonl` sounds like in this version of the engine, as raw
/// little-endian floats. It may change only with a change of the sound that is meant.
let lockedSamples = "3d3b737f2aadf9c08e5c1be02b333853296db91d1b2bcb40a09541dda7e0a625"

private func render(_ journal: String, _ change: (inout Rendering.Options) -> Void = { _ in }) throws
    -> (file: WaveFile, result: Rendering.Result) {
    let scratch = try Scratch()
    let path = scratch.file("a.wav")
    let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create], permissions: .ownerReadWrite)
    defer { try? descriptor.close() }
    var options = Rendering.Options(Registry.pieces)
    options.format = .float32
    change(&options)
    let result = try Rendering.render(FilePath(journal), to: descriptor, options)
    return (try WaveFile(path: path), result)
}

@Suite struct RenderingTests {
    @Test(arguments: [1, 7, 64, 480, 4096])
    func `samples are the locked bits whatever the block size`(block: Int) throws {
        let (file, _) = try render(locked) { $0.block = block }
        #expect(try sha256(file.data) == lockedSamples)
    }

    @Test func `a file has exactly as many frames as the session`() throws {
        let (file, result) = try render(locked)
        #expect(file.samples.count == 96_000)
        #expect(result.summary.frames == FrameCount(96_000))
        #expect(result.notes.cutLine == nil)
        let (stereo, _) = try render(locked) { $0.channels = .doubled; $0.format = .pcm16 }
        #expect(stereo.samples.count == 192_000)
    }

    @Test func `an event is heard at its own frame: the engine's latency is left out`() throws {
        let text = try String(contentsOfFile: locked, encoding: .utf8)
        let header = text.prefix { $0 != "\n" }
        let scratch = try Scratch()
        let journal = try scratch.write("""
            \(header)
            {"frame":0,"event":"tone","level":-6}
            {"frame":1000,"event":"touch","phase":"began"}
            {"frame":3000,"end":"idle"}\n
            """, to: "a.jsonl")
        let samples = try render(journal).file.samples
        #expect(samples[..<1000].allSatisfy { $0 == 0 })
        #expect(samples[1000] != 0)
    }

    @Test(arguments: [(44_100, 88_200), (8_000, 16_000), (192_000, 384_000)])
    func `another rate keeps the duration and the pitch`(rate: Int, frames: Int) throws {
        let (file, _) = try render(locked) { $0.rate = SampleRate(rate) }
        #expect(file.rate == rate)
        #expect(file.samples.count == frames)
        // 1 kHz from 1.6 s on, alone but for chimes that die away; upward crossings around it.
        let (original, _) = try render(locked)
        func crossings(_ file: WaveFile) -> Int {
            let part = file.samples[Int(0.12 * Double(file.rate))..<Int(0.18 * Double(file.rate))]
            return zip(part, part.dropFirst()).count { $0 < 0 && $1 >= 0 }
        }
        #expect(abs(crossings(file) - crossings(original)) <= 1)
    }

    @Test func `no sample passes the theme's ceiling, and the summary says what was limited`() throws {
        let (file, result) = try render(locked)
        // 10^(−3/20) = 0.7079458.
        #expect(file.samples.allSatisfy { $0.magnitude <= 0.7079458 })
        #expect(result.limitedFrames > 0)
        #expect(result.summary.chimes == ["ding": 20, "unlock": 21])
        #expect(result.summary.startPitch == Hertz(240))
    }

    /// Every byte is tried elsewhere, on a shorter session; here some dozens, and the samples.
    @Test func `a journal that was cut off renders up to the cut`() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: locked))
        let whole = try render(locked).file.samples
        let scratch = try Scratch()
        let header = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        for cut in stride(from: 0, to: bytes.count - 1, by: 331) {
            try bytes[..<cut].write(to: URL(fileURLWithPath: scratch.file("cut.jsonl")))
            guard cut >= header else {
                #expect(throws: cut == 0 ? JournalReader.noHeader : JournalReader.cutHeader) { try render(scratch.file("cut.jsonl")) }
                continue
            }
            let (file, result) = try render(scratch.file("cut.jsonl")) { $0.block = 4096 }
            #expect(result.notes.cutLine != nil)
            // The same as the whole session's, but for the last 10 ms, in which it is let down, and for the limiter's
            // millisecond of look-ahead.
            let samples = file.samples
            let same = max(0, samples.count - 480 - 48)
            let isPrefix = samples[..<same].elementsEqual(whole[..<same])
            #expect(isPrefix, "cut at \(cut)")
            #expect(samples.last.map { $0.magnitude < 1e-3 } ?? true)
        }
    }

    @Test func `a fault after the last frame is found too`() throws {
        let scratch = try Scratch()
        let text = try String(contentsOfFile: locked, encoding: .utf8)
        let journal = try scratch.write(text + #"{"frame":96001,"end":"idle"}"# + "\n", to: "a.jsonl")
        let fault = #expect(throws: JournalFault.self) { try render(journal) }
        #expect(fault?.fault.field == "frame")
        #expect(throws: JournalFault.self) { try Rendering.check(FilePath(journal), Registry.pieces) }
        #expect(throws: Never.self) { try Rendering.check(FilePath(locked), Registry.pieces) }
    }
}
