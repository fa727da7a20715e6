import CSamplerate
import CSndfile
import Glibc
import SystemPackage
import Units

/// Reads a short sound file, of any kind that libsndfile knows.
public enum SoundFileReader {
    /// The longest that is read.
    public static let longest = Seconds(60)

    /// Throws `SoundFileError` if it cannot be read.
    public static func check(_ path: String) throws(SoundFileError) { sf_close(try open(path).handle) }

    /// All of it at `rate`, its channels mixed to one. Throws `SoundFileError`.
    public static func samples(of path: String, at rate: SampleRate) throws(SoundFileError) -> [Float] {
        let (handle, info) = try open(path)
        defer { sf_close(handle) }
        let channels = Int(info.channels)
        var samples = [Float](repeating: 0, count: Int(info.frames) * channels)
        let frames = Int(sf_readf_float(handle, &samples, info.frames))
        let mono = (0..<frames).map { frame in
            (0..<channels).reduce(Float(0)) { $0 + samples[frame * channels + $1] } / Float(channels)
        }
        return info.samplerate == rate.hertz ? mono : try resampled(mono, by: Double(rate.hertz) / Double(info.samplerate))
    }

    private static func open(_ path: String) throws(SoundFileError) -> (handle: OpaquePointer, info: SF_INFO) {
        // A pipe would be waited for.
        var status = stat()
        guard stat(path, &status) == 0 else { throw .disk(Errno(rawValue: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .refused("it is no regular file") }
        var info = SF_INFO()
        guard let handle = sf_open(path, Int32(SFM_READ), &info) else { throw .refused(String(cString: sf_strerror(nil))) }
        guard Double(info.frames) <= longest.rawValue * Double(info.samplerate) else {
            sf_close(handle)
            throw .refused("it is longer than \(Int(longest.rawValue)) s")
        }
        return (handle, info)
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
