import Foundation
import SoundFile
import SystemPackage
import Testing
import TestSupport
import Units

/// WAVs as other programs expect them. `wave_chunks.py` is written by the specifications.
@Suite struct WaveFormatTests {
    private let scratch: Scratch
    private let journal: String
    private let chunks = repository + "/Tests/AcceptanceTests/wave_chunks.py"

    /// Of 4,801 frames, which is an odd number of bytes in 24 bits.
    init() throws {
        scratch = try Scratch()
        let locked = try String(contentsOfFile: repository + "/Tests/Fixtures/locked.jsonl", encoding: .utf8)
        let header = try #require(locked.split(separator: "\n").first)
        journal = try scratch.write("""
            \(header)
            {"client":1,"event":"tone","frame":0,"frequency":440,"on":true}
            {"end":"idle","frame":4801}

            """, to: "visit.jsonl")
    }

    private static let readers = """
        import sys, warnings
        warnings.simplefilter("error")
        import scipy.io.wavfile, soundfile
        path = sys.argv[1]
        rate, samples = scipy.io.wavfile.read(path)
        info = soundfile.info(path)
        data, _ = soundfile.read(path, dtype="float64", always_2d=True)
        full = 1.0 if samples.dtype.kind == "f" else 2.0 ** (8 * samples.dtype.itemsize - 1)
        assert abs(samples.reshape(data.shape) / full - data).max() == 0
        assert data.max() > 0.001
        print(rate, info.frames, info.channels, info.format, info.subtype)
        """

    @Test(arguments: SampleFormat.allCases, ["1", "2"])
    func `readers of other people take a WAV without a warning`(format: SampleFormat, channels: String) throws {
        let path = scratch.file("visit.wav")
        let options = ["--bits", format.rawValue, "--channels", channels]
        #expect(try run(Programs.thrum, ["render", journal, "-o", path] + options).status == 0)
        let (names, tag, bits) = format == .float32 ? ("fmt fact data", 3, 32) : ("fmt data", 1, format == .pcm16 ? 16 : 24)
        let walked = try run("/usr/bin/python3", [chunks, path])
        #expect(walked.text == "\(names) \(tag) \(channels) 48000 \(bits) 4801\n", "\(walked.errors)")

        let subtype = switch format {
        case .pcm16: "PCM_16"
        case .pcm24: "PCM_24"
        case .float32: "FLOAT"
        }
        let read = try run("/usr/bin/python3", ["-c", Self.readers, path])
        #expect(read.text == "48000 4801 \(channels) WAV \(subtype)\n" && read.errors.isEmpty, "\(read.errors)")
        let sox = try run("/usr/bin/sox", ["-V2", path, "-n"])
        #expect(sox.status == 0 && sox.errors.isEmpty, "\(sox.errors)")
        let probed = try run("/usr/bin/ffprobe", ["-v", "warning", "-of", "csv=p=0", "-show_entries", "stream=duration_ts,channels", path])
        #expect(probed.text == "\(channels),4801\n" && probed.errors.isEmpty, "\(probed.text) \(probed.errors)")

        let piped = try run(Programs.thrum, ["render", journal, "-o", "-"] + options)
        #expect(piped.output == FileManager.default.contents(atPath: path))
    }

    @Test(arguments: SampleFormat.allCases)
    func `what passes 4 GiB is an RF64 by its specification, the same each time`(format: SampleFormat) throws {
        let frames: Int64 = 2_500_000_001
        let files = try ["a.wav", "b.wav"].map { name in
            // Into a pipe, whose disk nobody asks for room.
            let (read, write) = try FileDescriptor.pipe()
            _ = try? SoundFileWriter(write, SoundFileLayout(format: format, rate: .standard, frames: frames)).finish()
            try write.close()
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = try bytes.withUnsafeMutableBytes { try read.read(into: $0) }
            try read.close()
            try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: scratch.file(name)))
            return bytes.prefix(count)
        }
        #expect(files[0] == files[1])
        let walked = try run("/usr/bin/python3", [chunks, scratch.file("a.wav"), "beginning"])
        let (names, tag, bits) = format == .float32 ? ("ds64 fmt fact data", 3, 32) : ("ds64 fmt data", 1, format == .pcm16 ? 16 : 24)
        #expect(walked.text == "\(names) \(tag) 1 48000 \(bits) \(frames)\n", "\(walked.errors)")
    }
}
