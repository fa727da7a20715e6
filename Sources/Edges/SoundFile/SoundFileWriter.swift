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

/// The kinds of sound files, by the end of their names.
public enum SoundFileContainer: String, CaseIterable, Sendable {
    case wav
    case flac
    /// Vorbis in Ogg: smaller, and not with the same samples.
    case ogg
    /// Opus in Ogg: as `ogg`.
    case opus

    /// The formats in which it can keep samples. Empty where it keeps none of them, but what they sound like.
    public var formats: [SampleFormat] {
        switch self {
        case .wav: SampleFormat.allCases
        case .flac: [.pcm16, .pcm24]
        case .ogg, .opus: []
        }
    }

    /// The first four bytes of files of these kinds: RIFF and RF64 for a WAV; Ogg has two kinds.
    public static let beginnings: Set<String> = ["RIFF", "RF64", "fLaC", "OggS"]

    /// The rates that it supports, in Hz; nil where it has all. Opus: RFC 6716, section 2.1.3.
    var rates: [Int]? { self == .opus ? [8_000, 12_000, 16_000, 24_000, 48_000] : nil }
}

/// The layout of a sound file, known before its first sample.
public struct SoundFileLayout: Sendable {
    public var container: SoundFileContainer
    /// The format of its samples; ignored by a container that has none.
    public var format: SampleFormat
    public var rate: SampleRate
    public var channels: Channels
    public var frames: Int64
    /// The frames of the whole that come before the first in this file: its dither is that of the whole.
    public var framesBefore: Int64
    /// Whether samples get TPDF dither; ignored for `float32`.
    public var dither: Bool

    /// The way in which samples become channels.
    public enum Channels: Sendable {
        case mono
        /// Each sample goes to two channels.
        case doubled
        /// Samples come for two channels in turn.
        case interleaved

        var count: Int { self == .mono ? 1 : 2 }
        /// The number of channels that each sample goes to.
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

    /// The bytes of all samples, before they are compressed.
    public var dataBytes: Int64 { frames * Int64(channels.count * format.bytes) }

    /// The format in which samples are handed to libsndfile: it compresses fractions to Vorbis and Opus.
    var delivered: SampleFormat { container.formats.isEmpty ? .float32 : format }

    /// The format as libsndfile has it; nil for a WAV, which it does not write.
    var sndfileFormat: Int? {
        switch container {
        case .wav: nil
        case .flac: SF_FORMAT_FLAC | (format == .pcm24 ? SF_FORMAT_PCM_24 : SF_FORMAT_PCM_16)
        case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
        case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
        }
    }

    /// Whether the file is an RF64, because RIFF counts bytes in 32 bits. The margin is for the header.
    public var isRF64: Bool { dataBytes > Int64(UInt32.max) - 4096 }
}

public enum SoundFileError: Error, Equatable, CustomStringConvertible {
    /// The library refuses, in libsndfile's words.
    case refused(String)
    case disk(Errno)
    /// The disk has too little room, in bytes.
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
    /// The bytes in the largest unit of which there is one.
    public static func rounded(_ bytes: Int64) -> String {
        let units: [(Int64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
        return units.first { bytes >= $0.0 }.map { "\(bytes / $0.0) \($0.1)" } ?? "\(bytes) bytes"
    }
}

extension SoundFileLayout {
    /// The error if `descriptor` is that of a file on a disk that has not enough room for all of it.
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

/// Writes a sound file from front to back: a WAV into a file or a pipe, any other into a file. Does not own the descriptor.
///
/// A WAV is written here, not by libsndfile, which goes back to the header when it closes a file; a pipe cannot. What compresses is
/// libsndfile's, whose handle this owns.
public struct SoundFileWriter: ~Copyable {
    private let descriptor: FileDescriptor
    /// The handle of libsndfile; nil for a WAV, and once it is closed.
    private var handle: OpaquePointer?
    private let layout: SoundFileLayout
    private var quantizer: Quantizer
    private var written: Int64 = 0
    /// The samples as 16-bit numbers, interleaved, reused from call to call.
    private var shorts: [Int16] = []
    private var ints: [Int32] = []
    private var floats: [Float] = []
    /// The samples as numbers of three bytes.
    private var bytes: [UInt8] = []

    /// Begins a file. Throws, too, if the descriptor's disk has no room for it.
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

    /// Writes the next frames: a sample each, or one for each channel, interleaved.
    public mutating func write(_ samples: Span<Float>) throws(SoundFileError) {
        let copies = layout.channels.copies
        let count = samples.count * copies
        // A copy, because a span of one property keeps all the others shut.
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
            // libsndfile takes the upper 24 of 32 bits.
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

    /// Hands samples to libsndfile, or writes them as they are in memory: the machines that Thrum runs on have a WAV's order of bytes.
    private func deliver<Sample>(_ samples: [Sample], _ write: (OpaquePointer?, UnsafePointer<Sample>?, sf_count_t) -> sf_count_t)
        throws(SoundFileError) {
        guard let handle else { return try descriptor.write(whole: samples) }
        guard write(handle, samples, sf_count_t(samples.count)) == sf_count_t(samples.count) else {
            throw .refused(String(cString: sf_strerror(handle)))
        }
    }

    /// The upper three bytes of each of `ints`, the lowest first.
    private mutating func pack() {
        resize(&bytes, to: 3 * ints.count)
        bytes.withUnsafeMutableBufferPointer { bytes in
            for (index, value) in ints.enumerated() {
                for place in 0..<3 { bytes[3 * index + place] = UInt8(truncatingIfNeeded: value >> Int32(8 * (place + 1))) }
            }
        }
    }

    /// Completes the file. Throws when it does not have as many frames as planned, or when its end cannot be written.
    public consuming func finish() throws(SoundFileError) {
        guard written == layout.frames else { throw .wrongLength(planned: layout.frames, written: written) }
        guard handle != nil else { return try descriptor.write(whole: WAVHeader(layout).padding) }
        // The end of what is compressed is written only now.
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
