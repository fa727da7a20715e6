import CSamplerate
import CSndfile
import Files
import SystemPackage
import Units

/// Reads a short sound file, of any kind that libsndfile knows.
public enum SoundFileReader {
    /// The longest that is read.
    public static let longest = Seconds(60)

    /// Throws `SoundFileError` if it cannot be read.
    public static func check(_ path: String) throws(SoundFileError) { try reading(path) { _, _, _ in } }

    /// All of it at `rate`, its channels mixed to one. Throws `SoundFileError`.
    public static func samples(of path: String, at rate: SampleRate) throws(SoundFileError) -> [Float] {
        try sound(of: path, at: rate).samples
    }

    /// The same, and SHA-256 of the file's bytes as they are read now. Throws `SoundFileError`.
    public static func sound(of path: String, at rate: SampleRate) throws(SoundFileError) -> (samples: [Float], digest: [UInt8]) {
        let (mono, fileRate, digest) = try reading(path) { file, handle, info in
            let channels = Int(info.channels)
            var samples = [Float](repeating: 0, count: Int(info.frames) * channels)
            let frames = Int(sf_readf_float(handle, &samples, info.frames))
            let mono = (0..<frames).map { frame in
                (0..<channels).reduce(Float(0)) { $0 + samples[frame * channels + $1] } / Float(channels)
            }
            return (mono, info.samplerate, try FileDigest.of(file))
        }
        return (fileRate == rate.hertz ? mono : try resampled(mono, by: Double(rate.hertz) / Double(fileRate)), digest)
    }

    /// What `body` makes of the open file, unless it does not answer in time.
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

    private static func resampled(_ samples: [Float], by ratio: Double) throws(SoundFileError) -> [Float] {
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
                return src_simple(&data, Int32(SRC_SINC_BEST_QUALITY), 1)
            }
        }
        guard failure == 0 else { throw .refused(String(cString: src_strerror(failure))) }
        return Array(result.prefix(written))
    }
}
