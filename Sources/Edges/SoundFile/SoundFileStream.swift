import CSndfile
import SystemPackage
import Units

/// A sound file of any kind that libsndfile knows, read front to back. Owns the open file.
///
/// Thread: whichever owns it.
public struct SoundFileStream: ~Copyable {
    public let rate: SampleRate
    public let channels: Int
    public let frames: Int64
    private let handle: OpaquePointer

    /// Throws `SoundFileError` for what is no sound file or has a rate that Thrum has not, and `Errno`.
    public init(_ path: FilePath) throws {
        let file = try FileDescriptor.open(path, .readOnly)
        var info = SF_INFO()
        // libsndfile closes the descriptor, also when it fails.
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

    /// Reads the next frames into `block`, interleaved, and returns how many; 0 at the end.
    public mutating func read(into block: inout [Float]) -> Int {
        let most = block.count / channels
        return block.withUnsafeMutableBufferPointer { Int(sf_readf_float(handle, $0.baseAddress, sf_count_t(most))) }
    }
}
