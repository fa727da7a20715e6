import Foundation
import SoundFile
import SystemPackage
import Testing
import TestSupport
import Units

@Suite struct SoundFileReaderTests {
    private func write(_ samples: [Float], rate: Int, channels: Int = 1, to path: String) throws {
        let file = try FileDescriptor.open(path, .writeOnly, options: .create, permissions: .ownerReadWrite)
        defer { try? file.close() }
        let rate = try #require(SampleRate(rate))
        let layout = SoundFileLayout(format: .float32, rate: rate, channels: channels == 2 ? .interleaved : .mono, frames: Int64(samples.count / channels))
        var writer = try SoundFileWriter(file, layout)
        try writer.write(samples.span)
        try writer.finish()
    }

    @Test func `a file at the rate is read as it is, and several channels are mixed to one`() throws {
        let scratch = try Scratch()
        try write([0.5, -0.25, 1], rate: 48_000, to: scratch.file("mono.wav"))
        #expect(try SoundFileReader.samples(of: scratch.file("mono.wav"), at: .standard) == [0.5, -0.25, 1])
        try write([0.5, 0, -1, 0.5], rate: 48_000, channels: 2, to: scratch.file("stereo.wav"))
        #expect(try SoundFileReader.samples(of: scratch.file("stereo.wav"), at: .standard) == [0.25, -0.25])
    }

    @Test func `a file of another rate keeps its pitch and its length`() throws {
        let scratch = try Scratch()
        let sine = (0..<22_050).map { Float(sin(2 * Double.pi * 1_000 * Double($0) / 22_050)) * 0.5 }
        try write(sine, rate: 22_050, to: scratch.file("sine.wav"))
        let samples = try SoundFileReader.samples(of: scratch.file("sine.wav"), at: .standard)
        #expect(abs(samples.count - 48_000) <= 1)
        let found = component(samples[9_600..<38_400], near: 1_000)
        #expect(abs(found.frequency - 1_000) < 0.1 && abs(found.amplitude - 0.5) < 1e-3)
    }

    /// As espeak-ng writes it to a pipe: a header with a length that is none, and 1 kHz at 22,050 Hz, 16 bits.
    @Test func `what a program has written is read up to a limit, though its header does not know the length`() throws {
        let scratch = try Scratch()
        let file = try FileDescriptor.open(scratch.file("piped.wav"), .readWrite, options: .create, permissions: .ownerReadWrite)
        defer { try? file.close() }
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let header = Array("RIFF".utf8) + word(0x7FFF_F024) + Array("WAVEfmt ".utf8) + word(16) + [1, 0, 1, 0] + word(22_050) + word(44_100)
            + [2, 0, 16, 0] + Array("data".utf8) + word(0x7FFF_F000)
        let sine = (0..<22_050).map { Int16(16_384 * sin(2 * Double.pi * 1_000 * Double($0) / 22_050)) }
        try file.writeAll(header + sine.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
        let samples = try SoundFileReader.samples(writtenTo: file, at: .standard, atMost: Seconds(20))
        #expect(abs(samples.count - 48_000) <= 200)
        let found = component(samples[9_600..<38_400], near: 1_000)
        #expect(abs(found.frequency - 1_000) < 0.1 && abs(found.amplitude - 0.5) < 1e-3)
        let first = try SoundFileReader.samples(writtenTo: file, at: .standard, atMost: Seconds(0.5))
        #expect(abs(first.count - 24_000) <= 200)
    }

    @Test func `what is no sound file is refused in words`() throws {
        let scratch = try Scratch()
        let path = try scratch.write("no sound", to: "text.wav")
        #expect(throws: SoundFileError.self) { try SoundFileReader.samples(of: path, at: .standard) }
        #expect(throws: SoundFileError.self) { try SoundFileReader.samples(of: scratch.file("none.wav"), at: .standard) }
    }
}
