import Foundation
import SoundFile
import SystemPackage
import Testing
import TestSupport
import Units

/// Writes `samples` and reads the file back with an independent reader.
private func write(_ samples: [Float], _ format: SampleFormat, channels: Int = 1, dither: Bool = false,
                   rate: SampleRate = .standard, piece: Int = 1000) throws -> WaveFile {
    let scratch = try Scratch()
    let path = scratch.file("a.wav")
    let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create], permissions: .ownerReadWrite)
    defer { try? descriptor.close() }
    var file = try SoundFileWriter(descriptor, SoundFileLayout(
        format: format, rate: rate, channels: channels == 2 ? .doubled : .mono, frames: Int64(samples.count), dither: dither))
    for start in stride(from: 0, to: samples.count, by: piece) {
        let part = Array(samples[start..<min(samples.count, start + piece)])
        try file.write(part.span)
    }
    try file.finish()
    return try WaveFile(path: path)
}

private let ramp = (0..<2500).map { Float($0 - 1250) / 1250 }

@Suite struct SoundFileWriterTests {
    @Test(arguments: SampleFormat.allCases)
    func `samples come back as written, in every format`(format: SampleFormat) throws {
        let file = try write(ramp, format)
        let step: Float = format == .pcm16 ? 1 / 32_768 : format == .pcm24 ? 1 / 8_388_608 : 0
        #expect(file.samples.count == ramp.count)
        // Full scale is 32,767 of 32,768: a sample is at most one and a half steps off.
        #expect(zip(file.samples, ramp).allSatisfy { ($0 - $1).magnitude <= step * 1.5 })
        #expect(file.rate == 48_000 && file.channels == 1)
        #expect(file.encoding == (format == .float32 ? 3 : 1))
        #expect(file.dataBytes == Int64(file.data.count))
    }

    @Test func `16 bits round to the nearest even step`() throws {
        let steps: [Float] = [0, 0.5, 1.5, 2.5, -0.5, -1.5, 0.49, 0.51, 32_767, -32_767]
        let file = try write(steps.map { $0 / 32_767 }, .pcm16)
        #expect(file.samples.map { $0 * 32_768 } == [0, 0, 2, 2, 0, -2, 0, 1, 32_767, -32_767])
    }

    @Test func `what is beyond full scale is clipped, never wrapped`() throws {
        for format in [SampleFormat.pcm16, .pcm24] {
            let samples = try write([2, -2, 1, -1, 1000, -1000], format).samples
            #expect(samples.enumerated().allSatisfy { $0.offset.isMultiple(of: 2) ? $0.element > 0.99 : $0.element < -0.99 })
        }
    }

    @Test(arguments: SampleFormat.allCases)
    func `both channels of a stereo file are the one`(format: SampleFormat) throws {
        let mono = try write(ramp, format).samples
        let stereo = try write(ramp, format, channels: 2)
        #expect(stereo.channels == 2)
        #expect(stereo.samples == mono.flatMap { [$0, $0] })
    }

    @Test func `dither is triangular, of one step either way, and the same every time`() throws {
        let quiet = [Float](repeating: 0.3 / 32_767, count: 60_000)
        let first = try write(quiet, .pcm16, dither: true).samples.map { $0 * 32_768 }
        let second = try write(quiet, .pcm16, dither: true).samples.map { $0 * 32_768 }
        #expect(first == second)
        #expect(Set(first) == [-1, 0, 1])
        // Its mean is the signal's, which plain rounding would lose; the standard error of the mean is 0.003.
        let mean = first.reduce(0, +) / Float(first.count)
        #expect((mean - 0.3).magnitude < 0.015, "\(mean)")
    }

    @Test func `files are the same bytes on every run`() throws {
        let scratch = try Scratch()
        var files: [Data] = []
        for name in ["a", "b"] {
            let path = scratch.file(name)
            let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create], permissions: .ownerReadWrite)
            var file = try SoundFileWriter(descriptor, SoundFileLayout(format: .float32, rate: .standard, frames: 2500))
            try file.write(ramp.span)
            try file.finish()
            try descriptor.close()
            files.append(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        #expect(files[0] == files[1])
    }

    @Test func `a file that would pass 4 GiB is an RF64, with its length in 64 bits`() throws {
        let scratch = try Scratch()
        let path = scratch.file("long.wav")
        let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        let frames: Int64 = 3_000_000_000
        var file = try SoundFileWriter(descriptor, SoundFileLayout(rate: .standard, frames: frames))
        try file.write(ramp.span)
        do throws(SoundFileError) {
            try file.finish()
            Issue.record("a file shorter than planned must not pass for whole")
        } catch {
            #expect(error == .wrongLength(planned: frames, written: 2500))
        }
        let header = try WaveFile(path: path)
        #expect(header.isRF64)
        #expect(header.dataBytes == frames * 2)
        #expect(header.samples.count == 2500)
        #expect(!SoundFileLayout(rate: .standard, frames: 2_000_000_000).isRF64)
    }

    /// Microsoft & IBM, "New Multimedia Data Types and Data Techniques", revision 3.0: other than PCM has the size of an extension, and
    /// `fact`.
    @Test func `floating point has an extension and the number of its frames, whole numbers have neither`() throws {
        func header(_ format: SampleFormat) throws -> [UInt8] {
            let (read, write) = try FileDescriptor.pipe()
            var file = try SoundFileWriter(write, SoundFileLayout(format: format, rate: .standard, frames: 3))
            try file.write([0, 1, -1].span)
            try file.finish()
            try write.close()
            var bytes = [UInt8](repeating: 0, count: 1_000)
            let count = try bytes.withUnsafeMutableBytes { try read.read(into: $0) }
            try read.close()
            return Array(bytes.prefix(count))
        }
        #expect(try header(.float32) == Array("RIFF".utf8) + [62, 0, 0, 0] + Array("WAVEfmt ".utf8) + [18, 0, 0, 0, 3, 0, 1, 0]
            + [0x80, 0xBB, 0, 0, 0, 0xEE, 2, 0, 4, 0, 32, 0, 0, 0] + Array("fact".utf8) + [4, 0, 0, 0, 3, 0, 0, 0]
            + Array("data".utf8) + [12, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0x80, 0xBF])
        // Nine bytes and one that makes them even: full scale is 8,388,607.
        #expect(try header(.pcm24) == Array("RIFF".utf8) + [46, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
            + [0x80, 0xBB, 0, 0, 0x80, 0x32, 2, 0, 3, 0, 24, 0] + Array("data".utf8) + [9, 0, 0, 0]
            + [0, 0, 0, 0xFF, 0xFF, 0x7F, 1, 0, 0x80, 0])
    }

    @Test func `a disk that is full is an error, not a shorter file`() throws {
        // /dev/full refuses every write with ENOSPC.
        let descriptor = try FileDescriptor.open("/dev/full", .writeOnly)
        defer { try? descriptor.close() }
        let error = #expect(throws: SoundFileError.self) {
            var file = try SoundFileWriter(descriptor, SoundFileLayout(rate: .standard, frames: 2500))
            try file.write(ramp.span)
            try file.finish()
        }
        #expect(error == .disk(.noSpace))
    }
}

@Suite struct PendingFileTests {
    @Test func `a file has its name only when it is published`() throws {
        let scratch = try Scratch()
        let path = FilePath(scratch.file("a.wav"))
        do {
            let file = try PendingFile(path, replaces: false)
            try file.descriptor.writeAll("half".utf8)
            // Not even under another name: a process that is killed leaves nothing.
            #expect(try scratch.contents.isEmpty)
        }
        #expect(try scratch.contents.isEmpty)
        let file = try PendingFile(path, replaces: false)
        try file.descriptor.writeAll("whole".utf8)
        try file.publish()
        #expect(try scratch.contents == ["a.wav"])
        #expect(try String(contentsOfFile: path.string, encoding: .utf8) == "whole")
    }

    @Test func `an existing file is replaced only when that was asked for`() throws {
        let scratch = try Scratch()
        let path = FilePath(try scratch.write("old", to: "a.wav"))
        #expect(throws: Errno.fileExists) { _ = try PendingFile(path, replaces: false) }
        let file = try PendingFile(path, replaces: true)
        try file.descriptor.writeAll("new".utf8)
        #expect(try String(contentsOfFile: path.string, encoding: .utf8) == "old")
        try file.publish()
        #expect(try String(contentsOfFile: path.string, encoding: .utf8) == "new")
    }

    @Test func `a link stands for what it points to, and what is no regular file is refused`() throws {
        let scratch = try Scratch()
        let target = try scratch.write("old", to: "target.wav")
        try FileManager.default.createSymbolicLink(atPath: scratch.file("link.wav"), withDestinationPath: target)
        let file = try PendingFile(FilePath(scratch.file("link.wav")), replaces: true)
        try file.descriptor.writeAll("new".utf8)
        try file.publish()
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.file("link.wav")) == target)
        #expect(mkfifo(scratch.file("pipe"), 0o600) == 0)
        #expect(throws: Errno.invalidArgument) { _ = try PendingFile(FilePath(scratch.file("pipe")), replaces: true) }
        #expect(throws: Errno.invalidArgument) { _ = try PendingFile(FilePath(scratch.path), replaces: true) }
    }

    @Test func `a file that came about meanwhile is not replaced`() throws {
        let scratch = try Scratch()
        let file = try PendingFile(FilePath(scratch.file("a.wav")), replaces: false)
        _ = try scratch.write("theirs", to: "a.wav")
        do {
            try file.publish()
            Issue.record("published over another file")
        } catch {
            #expect(error as? Errno == .fileExists)
        }
        #expect(try scratch.contents == ["a.wav"])
    }
}
