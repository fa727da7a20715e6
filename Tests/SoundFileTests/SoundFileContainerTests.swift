import Foundation
import SoundFile
import SystemPackage
import Testing
import TestSupport
import Units

@Suite struct SoundFileContainerTests {
    private func write(_ samples: [Float], _ layout: SoundFileLayout, to path: String) throws {
        let file = try FileDescriptor.open(path, .readWrite, options: .create, permissions: .ownerReadWrite)
        defer { try? file.close() }
        var writer = try SoundFileWriter(file, layout)
        try writer.write(samples.span)
        try writer.finish()
    }

    private let sine = (0..<24_000).map { Float(sin(2 * Double.pi * 1_000 * Double($0) / 48_000)) * 0.5 }

    @Test(arguments: [SampleFormat.pcm16, .pcm24])
    func `a FLAC has the samples of the WAV`(format: SampleFormat) throws {
        let scratch = try Scratch()
        for container in [SoundFileContainer.wav, .flac] {
            try write(sine, SoundFileLayout(container: container, format: format, rate: .standard, frames: 24_000),
                      to: scratch.file("a.\(container.rawValue)"))
        }
        let wave = try SoundFileReader.samples(of: scratch.file("a.wav"), at: .standard)
        #expect(wave.count == 24_000)
        #expect(try SoundFileReader.samples(of: scratch.file("a.flac"), at: .standard) == wave)
        let head = try #require(FileManager.default.contents(atPath: scratch.file("a.flac"))).prefix(4)
        // RFC 9639, section 6.
        #expect(head == Data("fLaC".utf8))
    }

    @Test(arguments: [SoundFileContainer.ogg, .opus])
    func `Vorbis and Opus sound like it, and are smaller`(container: SoundFileContainer) throws {
        let scratch = try Scratch()
        let path = scratch.file("a.\(container.rawValue)")
        try write(sine, SoundFileLayout(container: container, rate: .standard, frames: 24_000), to: path)
        let samples = try SoundFileReader.samples(of: path, at: .standard)
        #expect(samples.count == 24_000)
        let found = component(samples[4_800..<19_200], near: 1_000)
        #expect(abs(found.frequency - 1_000) < 0.5 && abs(found.amplitude - 0.5) < 0.02)
        let bytes = try #require(FileManager.default.contents(atPath: path)).count
        #expect(bytes < 24_000)
    }

    @Test func `a rate that Opus does not have is refused by name`() throws {
        let scratch = try Scratch()
        let rate = try #require(SampleRate(44_100))
        #expect(throws: SoundFileError.refused("expected a rate of 8000, 12000, 16000, 24000, 48000 Hz for .opus, found 44100")) {
            try write([0], SoundFileLayout(container: .opus, rate: rate, frames: 1), to: scratch.file("a.opus"))
        }
    }

    @Test func `a full disk is told, though the last samples are written only when the file is closed`() throws {
        let full = try FileDescriptor.open("/dev/full", .writeOnly)
        defer { try? full.close() }
        #expect(throws: SoundFileError.self) {
            var writer = try SoundFileWriter(full, SoundFileLayout(container: .flac, rate: .standard, frames: 24_000))
            try writer.write(sine.span)
            try writer.finish()
        }
    }
}
