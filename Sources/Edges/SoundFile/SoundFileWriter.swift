import CSndfile
import Glibc
import Synth
import SystemPackage
import Units

/// The format of the samples in a file.
public enum SampleFormat: String, CaseIterable, Sendable {
    case pcm16 = "16"
    case pcm24 = "24"
    case float32 = "float"

    var bytes: Int {
        switch self {
        case .pcm16: 2
        case .pcm24: 3
        case .float32: 4
        }
    }
}

/// The kinds of sound files, by the extension of their names.
public enum SoundFileContainer: String, CaseIterable, Sendable {
    case wav
    case flac
    /// Vorbis in Ogg: lossy, and smaller.
    case ogg
    /// Opus in Ogg: lossy, like `ogg`.
    case opus

    /// The sample formats that the container can store. Empty for lossy containers, which do not store the samples themselves.
    public var formats: [SampleFormat] {
        switch self {
        case .wav: SampleFormat.allCases
        case .flac: [.pcm16, .pcm24]
        case .ogg, .opus: []
        }
    }

    /// The first four bytes of files of all kinds: RIFF and RF64 for WAV; OggS for both kinds in Ogg.
    public static let beginnings: Set<String> = ["RIFF", "RF64", "fLaC", "OggS"]

    /// The rates that the container supports, in Hz; nil where it supports all. For Opus, see RFC 6716, section 2.1.3.
    var rates: [Int]? { self == .opus ? [8_000, 12_000, 16_000, 24_000, 48_000] : nil }
}

/// The layout of a sound file, which is known before its first sample.
public struct SoundFileLayout: Sendable {
    public var container: SoundFileContainer
    /// The format of the samples; ignored by lossy containers.
    public var format: SampleFormat
    public var rate: SampleRate
    public var channels: Channels
    public var frames: Int64
    /// The number of frames that precede this file, if it is a part of a longer sound. With it, the dither of the part equals that of the
    /// whole.
    public var framesBefore: Int64
    /// Whether samples get TPDF dither; ignored for `float32`.
    public var dither: Bool

    /// How the given samples are assigned to channels.
    public enum Channels: Sendable {
        case mono
        /// Each sample goes to both of two channels.
        case doubled
        /// The samples are alternately for the first and the second channel.
        case interleaved

        var count: Int { self == .mono ? 1 : 2 }
        /// The number of channels to which each sample goes.
        var copies: Int { self == .doubled ? 2 : 1 }
    }

    public init(container: SoundFileContainer = .wav, format: SampleFormat = .pcm16, rate: SampleRate, channels: Channels = .mono,
                frames: Int64, framesBefore: Int64 = 0, dither: Bool = false) {
        self.container = container
        self.format = format
        self.rate = rate
        self.channels = channels
        self.frames = frames
        self.framesBefore = framesBefore
        self.dither = dither
    }

    /// The number of bytes of all samples, before compression.
    public var dataBytes: Int64 { frames * Int64(channels.count * format.bytes) }

    /// The format in which samples are passed to libsndfile. For Vorbis and Opus it takes floating-point numbers.
    var delivered: SampleFormat { container.formats.isEmpty ? .float32 : format }

    /// The format as a code of libsndfile; nil for a WAV, which libsndfile does not write here.
    var sndfileFormat: Int? {
        switch container {
        case .wav: nil
        case .flac: SF_FORMAT_FLAC | (format == .pcm24 ? SF_FORMAT_PCM_24 : SF_FORMAT_PCM_16)
        case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
        case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
        }
    }

    /// Whether the WAV must be an RF64, because RIFF counts bytes in 32 bits. Up to 4,096 bytes are left for the header.
    public var isRF64: Bool { dataBytes > Int64(UInt32.max) - 4096 }
}

public enum SoundFileError: Error, Equatable, CustomStringConvertible {
    /// libsndfile refused the file, for this reason in its words.
    case refused(String)
    case disk(Errno)
    /// The disk has too little room; both numbers are in bytes.
    case noRoom(needed: Int64, free: Int64)
    case wrongLength(planned: Int64, written: Int64)

    public var description: String {
        switch self {
        case .refused(let words): words
        case .disk(let errno): "\(errno)"
        case .noRoom(let needed, let free):
            "expected room for \(Self.rounded(needed)), found \(Self.rounded(free))"
        case .wrongLength(let planned, let written): "planned \(planned) frames, wrote \(written)"
        }
    }
}

extension SoundFileError {
    /// Returns a number of bytes as text, in the largest unit in which the number is at least 1.
    public static func rounded(_ bytes: Int64) -> String {
        let units: [(Int64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
        return units.first { bytes >= $0.0 }.map { "\(bytes / $0.0) \($0.1)" } ?? "\(bytes) bytes"
    }
}

extension SoundFileLayout {
    /// Returns an error if the disk with the file of `descriptor` has not enough room for the whole sound file; nil if it has.
    func lackOfRoom(_ descriptor: FileDescriptor) -> SoundFileError? {
        var file = stat()
        var volume = statvfs()
        guard fstat(descriptor.rawValue, &file) == 0, file.st_mode & S_IFMT == S_IFREG, fstatvfs(descriptor.rawValue, &volume) == 0,
              let free = volume.freeBytes else {
            return nil
        }
        return dataBytes <= free ? nil : .noRoom(needed: dataBytes, free: free)
    }
}

/// Writes a sound file from front to back: a WAV to a file or a pipe, any other kind to a file. Does not own the descriptor.
///
/// A WAV is written here and not by libsndfile, which goes back to the header when it closes a file; in a pipe that is impossible.
/// Compressed files are written by libsndfile, whose handle this value owns.
public struct SoundFileWriter: ~Copyable {
    private let descriptor: FileDescriptor
    /// The handle of libsndfile; nil for a WAV, and after it was closed.
    private var handle: OpaquePointer?
    private let layout: SoundFileLayout
    private var quantizer: Quantizer
    private var written: Int64 = 0
    /// The samples as 16-bit numbers, interleaved. The buffers are reused from call to call.
    private var shorts: [Int16] = []
    private var ints: [Int32] = []
    private var floats: [Float] = []
    /// The samples as three-byte numbers.
    private var bytes: [UInt8] = []

    /// Begins a file. Also throws if the disk has no room for the file.
    public init(_ descriptor: FileDescriptor, _ layout: SoundFileLayout) throws(SoundFileError) {
        self.descriptor = descriptor
        self.layout = layout
        quantizer = Quantizer(bits: layout.format == .pcm24 ? 24 : 16, dither: layout.dither)
        quantizer.skip(layout.framesBefore * Int64(layout.channels.count / layout.channels.copies))
        guard let format = layout.sndfileFormat else {
            if let lack = layout.lackOfRoom(descriptor) { throw lack }
            try descriptor.write(whole: WAVHeader(layout).bytes)
            return
        }
        if let rates = layout.container.rates, !rates.contains(Int(layout.rate.hertz)) {
            let known = rates.map { "\($0)" }.joined(separator: ", ")
            throw .refused("expected a rate of \(known) Hz for .\(layout.container.rawValue), found \(layout.rate.hertz)")
        }
        var info = SF_INFO()
        info.samplerate = layout.rate.hertz
        info.channels = Int32(layout.channels.count)
        info.format = Int32(format)
        handle = sf_open_fd(descriptor.rawValue, Int32(SFM_WRITE), &info, 0)
        guard handle != nil else { throw .refused(String(cString: sf_strerror(nil))) }
    }

    /// Writes the next frames: one sample per frame, or one for each channel, interleaved.
    public mutating func write(_ samples: Span<Float>) throws(SoundFileError) {
        let copies = layout.channels.copies
        let count = samples.count * copies
        // A copy is used, because a mutable span of one property locks all others.
        var quantizer = self.quantizer
        defer { self.quantizer = quantizer }
        switch layout.delivered {
        case .float32:
            resize(&floats, to: count)
            for index in samples.indices {
                for copy in 0..<copies { floats[index * copies + copy] = samples[index] }
            }
            try deliver(floats, sf_write_float)
        case .pcm16:
            resize(&shorts, to: count)
            var out = shorts.mutableSpan
            quantizer.quantize(samples, channels: copies, shift: 0, into: &out)
            try deliver(shorts, sf_write_short)
        case .pcm24:
            // libsndfile takes the upper 24 bits of 32.
            resize(&ints, to: count)
            var out = ints.mutableSpan
            quantizer.quantize(samples, channels: copies, shift: 8, into: &out)
            if handle == nil {
                pack()
                try descriptor.write(whole: bytes)
            } else {
                try deliver(ints, sf_write_int)
            }
        }
        written += Int64(count / layout.channels.count)
    }

    /// Passes samples to libsndfile; for a WAV, writes them as they are in memory, because Thrum runs on little-endian machines only.
    private func deliver<Sample>(_ samples: [Sample], _ write: (OpaquePointer?, UnsafePointer<Sample>?, sf_count_t) -> sf_count_t)
        throws(SoundFileError) {
        guard let handle else { return try descriptor.write(whole: samples) }
        guard write(handle, samples, sf_count_t(samples.count)) == sf_count_t(samples.count) else {
            throw .refused(String(cString: sf_strerror(handle)))
        }
    }

    /// Puts the upper three bytes of each of `ints` into `bytes`, the lowest byte first.
    private mutating func pack() {
        resize(&bytes, to: 3 * ints.count)
        bytes.withUnsafeMutableBufferPointer { bytes in
            for (index, value) in ints.enumerated() {
                for byte in 0..<3 { bytes[3 * index + byte] = UInt8(truncatingIfNeeded: value >> Int32(8 * (byte + 1))) }
            }
        }
    }

    /// Completes the file. Throws when the file has not the planned number of frames, or when its end cannot be written.
    public consuming func finish() throws(SoundFileError) {
        guard written == layout.frames else { throw .wrongLength(planned: layout.frames, written: written) }
        guard handle != nil else { return try descriptor.write(whole: WAVHeader(layout).padding) }
        // libsndfile writes the end of a compressed file only now.
        let problem = sf_close(handle)
        handle = nil
        guard problem == 0 else { throw .refused(String(cString: sf_error_number(problem))) }
    }

    deinit {
        if let handle { sf_close(handle) }
    }
}

extension FileDescriptor {
    fileprivate func write<Number>(whole numbers: [Number]) throws(SoundFileError) {
        do {
            _ = try numbers.withUnsafeBytes { try writeAll($0) }
        } catch {
            throw .disk(error as? Errno ?? .ioError)
        }
    }
}

private func resize<Element: Numeric>(_ buffer: inout [Element], to count: Int) {
    if buffer.count != count { buffer = [Element](repeating: 0, count: count) }
}
