import CSamplerate
import CSndfile
import Files
import SystemPackage
import Units

/// Reads a short sound file, of any kind that libsndfile knows.
public enum SoundFileReader {
    /// The length of the longest sound that is read.
    public static let longest = Seconds(60)

    /// Checks that the file can be read. Throws `SoundFileError` if it cannot.
    public static func check(_ path: String) throws(SoundFileError) { try reading(path) { _, _, _ in } }

    /// Reads the whole file, resampled to `rate`, with its channels mixed to one. Throws `SoundFileError`.
    public static func samples(of path: String, at rate: SampleRate) throws(SoundFileError) -> [Float] {
        try sound(of: path, at: rate).samples
    }

    /// Reads a file as `samples` does, and also returns the SHA-256 of the same bytes. Throws `SoundFileError`.
    public static func sound(of path: String, at rate: SampleRate) throws(SoundFileError) -> (samples: [Float], digest: [UInt8]) {
        let (samples, fileRate, digest) = try reading(path) { file, handle, info in
            (mono(handle, info, atMost: info.frames), info.samplerate, try FileDigest.of(file))
        }
        return (try resampled(samples, from: fileRate, to: rate, SRC_SINC_BEST_QUALITY), digest)
    }

    /// Reads the sound that a program has written to `file`, resampled to `rate`, with its channels mixed to one. What comes after the
    /// first `longest` is left out. Somebody waits for the result, so the resampling is fast and less exact: its noise is at −97 dB. Does
    /// not close the file. Throws `SoundFileError`.
    public static func samples(writtenTo file: FileDescriptor, at rate: SampleRate, atMost longest: Seconds)
        throws(SoundFileError) -> [Float] {
        do {
            try file.seek(offset: 0, from: .start)
        } catch let errno as Errno {
            throw .disk(errno)
        } catch {
            throw .refused("\(error)")
        }
        var info = SF_INFO()
        guard let handle = sf_open_fd(file.rawValue, Int32(SFM_READ), &info, 0) else {
            throw .refused(String(cString: sf_strerror(nil)))
        }
        defer { sf_close(handle) }
        let frames = min(info.frames, sf_count_t(longest.rawValue * Double(info.samplerate)))
        return try resampled(mono(handle, info, atMost: frames), from: info.samplerate, to: rate, SRC_SINC_FASTEST)
    }

    private static func mono(_ handle: OpaquePointer, _ info: SF_INFO, atMost most: sf_count_t) -> [Float] {
        let channels = Int(info.channels)
        var samples = [Float](repeating: 0, count: Int(most) * channels)
        let frames = Int(sf_readf_float(handle, &samples, most))
        return (0..<frames).map { frame in
            (0..<channels).reduce(Float(0)) { $0 + samples[frame * channels + $1] } / Float(channels)
        }
    }

    /// Opens the file, and returns the result of `body`. Throws where the file does not answer in time.
    private static func reading<Value: Sendable>(
        _ path: String, _ body: @escaping @Sendable (FileDescriptor, OpaquePointer, SF_INFO) throws -> Value
    ) throws(SoundFileError) -> Value {
        do {
            return try BlockingWork.wait {
                let file = try PlainFile.open(FilePath(path))
                return try file.closeAfter {
                    var info = SF_INFO()
                    guard let handle = sf_open_fd(file.rawValue, Int32(SFM_READ), &info, 0) else {
                        throw SoundFileError.refused(String(cString: sf_strerror(nil)))
                    }
                    defer { sf_close(handle) }
                    guard Double(info.frames) <= longest.rawValue * Double(info.samplerate) else {
                        throw SoundFileError.refused("it is longer than \(Int(longest.rawValue)) s")
                    }
                    return try body(file, handle, info)
                }
            }
        } catch let error as SoundFileError {
            throw error
        } catch let errno as Errno {
            throw .disk(errno)
        } catch {
            throw .refused("\(error)")
        }
    }

    private static func resampled(_ samples: [Float], from fileRate: Int32, to rate: SampleRate,
                                  _ quality: Int) throws(SoundFileError) -> [Float] {
        guard fileRate != rate.hertz else { return samples }
        let ratio = Double(rate.hertz) / Double(fileRate)
        var result = [Float](repeating: 0, count: Int(Double(samples.count) * ratio) + 1)
        var written = 0
        let failure = samples.withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                var data = SRC_DATA()
                data.data_in = input.baseAddress
                data.input_frames = input.count
                data.data_out = output.baseAddress
                data.output_frames = output.count
                data.src_ratio = ratio
                defer { written = data.output_frames_gen }
                return src_simple(&data, Int32(quality), 1)
            }
        }
        guard failure == 0 else { throw .refused(String(cString: src_strerror(failure))) }
        return Array(result.prefix(written))
    }
}

/// A sound file of any kind that libsndfile knows, read from front to back. Owns the open file.
///
/// Thread: that of its owner.
public struct SoundFileStream: ~Copyable {
    public let rate: SampleRate
    public let channels: Int
    public let frames: Int64
    private let handle: OpaquePointer

    /// Opens a file. Throws `SoundFileError` for a file that is no sound file or has a rate that Thrum does not support, and `Errno`.
    public init(_ path: FilePath) throws {
        let file = try FileDescriptor.open(path, .readOnly)
        var info = SF_INFO()
        // libsndfile closes the descriptor, even when it fails.
        guard let handle = sf_open_fd(file.rawValue, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
            throw SoundFileError.refused(String(cString: sf_strerror(nil)))
        }
        guard let rate = SampleRate(Int(info.samplerate)) else {
            sf_close(handle)
            let known = SampleRate.supported
            throw SoundFileError.refused("expected a rate from \(known.lowerBound) to \(known.upperBound) Hz, found \(info.samplerate)")
        }
        self.rate = rate
        channels = Int(info.channels)
        frames = Int64(info.frames)
        self.handle = handle
    }

    deinit { sf_close(handle) }

    /// Reads the next frames into `block`, interleaved. Returns the number of frames; 0 at the end.
    public mutating func read(into block: inout [Float]) -> Int {
        let most = block.count / channels
        return block.withUnsafeMutableBufferPointer { Int(sf_readf_float(handle, $0.baseAddress, sf_count_t(most))) }
    }
}
