import CSndfile
import Glibc
import Synth
import SystemPackage
import Units

/// What a sound file will hold, known before its first sample.
public struct SoundFileLayout: Sendable {
    public var container: SoundFileContainer
    /// Ignored by a container that has none.
    public var format: SampleFormat
    public var rate: SampleRate
    public var channels: Channels
    public var frames: Int64
    /// Frames of the whole that come before the first in this file: its dither is that of the whole.
    public var framesBefore: Int64
    /// TPDF; ignored for `float32`.
    public var dither: Bool

    /// What becomes of the samples that are written.
    public enum Channels: Sendable {
        case mono
        /// Each goes to two channels.
        case doubled
        /// They come for two channels in turn.
        case interleaved

        var count: Int { self == .mono ? 1 : 2 }
        /// Channels that each sample goes to.
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

    /// Of the samples, before they are compressed.
    public var dataBytes: Int64 { frames * Int64(channels.count * format.bytes) }

    /// As what samples are handed to libsndfile: it compresses fractions to Vorbis and Opus.
    var delivered: SampleFormat { container.formats.isEmpty ? .float32 : format }

    /// As libsndfile has it.
    var sndfileFormat: Int {
        switch container {
        case .wav: (isRF64 ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | format.subtype
        case .flac: SF_FORMAT_FLAC | format.subtype
        case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
        case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
        }
    }

    /// RIFF counts bytes in 32 bits; beyond that the file is an RF64. The margin is for the header.
    public var isRF64: Bool { dataBytes > Int64(UInt32.max) - 4096 }
}

public enum SoundFileError: Error, Equatable, CustomStringConvertible {
    /// libsndfile's words.
    case refused(String)
    case disk(Errno)
    /// In bytes.
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
    /// In the largest unit of which there is one.
    public static func rounded(_ bytes: Int64) -> String {
        let units: [(Int64, String)] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
        return units.first { bytes >= $0.0 }.map { "\(bytes / $0.0) \($0.1)" } ?? "\(bytes) bytes"
    }
}

extension SoundFileLayout {
    /// What is to be said if `descriptor` is that of a file on a disk that has not enough room for all of it.
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

/// Writes a sound file from front to back: a WAV into a file or a pipe, any other into a file. Owns libsndfile's handle, not the
/// descriptor.
///
/// libsndfile goes back to a WAV's header when it closes the file; a pipe cannot. So it writes through `ForwardOnlyFile`, which
/// lets the header be written once, with the length that was planned.
public struct SoundFileWriter: ~Copyable {
    /// Nil once it is closed.
    private var handle: OpaquePointer?
    /// Of a WAV.
    private let file: ForwardOnlyFile?
    private let layout: SoundFileLayout
    private var quantizer: Quantizer
    private var written: Int64 = 0
    /// Interleaved, reused from call to call.
    private var shorts: [Int16] = []
    private var ints: [Int32] = []
    private var floats: [Float] = []

    /// Throws, too, if the descriptor's disk has no room for it.
    public init(_ descriptor: FileDescriptor, _ layout: SoundFileLayout) throws(SoundFileError) {
        self.layout = layout
        quantizer = Quantizer(bits: layout.format == .pcm24 ? 24 : 16, dither: layout.dither)
        quantizer.skip(layout.framesBefore * Int64(layout.channels.count / layout.channels.copies))
        file = layout.container == .wav ? ForwardOnlyFile(descriptor, dataBytes: layout.dataBytes) : nil
        var info = SF_INFO()
        info.samplerate = layout.rate.hertz
        info.channels = Int32(layout.channels.count)
        info.format = Int32(layout.sndfileFormat)
        if let rates = layout.container.rates, !rates.contains(Int(layout.rate.hertz)) {
            let known = rates.map { "\($0)" }.joined(separator: ", ")
            throw .refused("expected a rate of \(known) Hz for .\(layout.container.rawValue), found \(layout.rate.hertz)")
        }
        guard let file else {
            handle = sf_open_fd(descriptor.rawValue, Int32(SFM_WRITE), &info, 0)
            guard handle != nil else { throw .refused(String(cString: sf_strerror(nil))) }
            return
        }
        var callbacks = ForwardOnlyFile.callbacks
        if let lack = layout.lackOfRoom(descriptor) { throw lack }
        handle = sf_open_virtual(&callbacks, Int32(SFM_WRITE), &info, file.userData)
        guard handle != nil else { throw .refused(String(cString: sf_strerror(nil))) }
        // The peak chunk holds the time of day, and is written last: not reproducible, not for pipes.
        sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        // libsndfile takes the length from the last frame written: pretend to have written it.
        file.startPlanning()
        if layout.frames > 0 {
            sf_seek(handle, layout.frames - 1, Int32(SEEK_SET))
            sf_writef_float(handle, [Float](repeating: 0, count: layout.channels.count), 1)
        }
        sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        sf_seek(handle, 0, Int32(SEEK_SET))
        file.startStreaming()
    }

    /// The next frames: a sample each, or one for each channel, interleaved.
    public mutating func write(_ samples: Span<Float>) throws(SoundFileError) {
        let copies = layout.channels.copies
        let count = samples.count * copies
        let items: Int64
        // A copy, because a span of one property keeps all the others shut.
        var quantizer = self.quantizer
        defer { self.quantizer = quantizer }
        switch layout.delivered {
        case .float32:
            resize(&floats, to: count)
            for index in samples.indices {
                for copy in 0..<copies { floats[index * copies + copy] = samples[index] }
            }
            items = sf_write_float(handle, floats, sf_count_t(count))
        case .pcm16:
            resize(&shorts, to: count)
            var out = shorts.mutableSpan
            quantizer.quantize(samples, channels: copies, shift: 0, into: &out)
            items = sf_write_short(handle, shorts, sf_count_t(count))
        case .pcm24:
            // libsndfile takes the upper 24 of 32 bits.
            resize(&ints, to: count)
            var out = ints.mutableSpan
            quantizer.quantize(samples, channels: copies, shift: 8, into: &out)
            items = sf_write_int(handle, ints, sf_count_t(count))
        }
        if let errno = file?.failure { throw .disk(errno) }
        guard items == Int64(count) else { throw .refused(String(cString: sf_strerror(handle))) }
        written += Int64(count / layout.channels.count)
    }

    /// Completes the file. Throws when it does not have as many frames as planned, or when its end cannot be written.
    public consuming func finish() throws(SoundFileError) {
        guard written == layout.frames else { throw .wrongLength(planned: layout.frames, written: written) }
        // The end of what is compressed is written only now.
        let problem = sf_close(handle)
        handle = nil
        if let errno = file?.failure { throw .disk(errno) }
        guard file != nil || problem == 0 else { throw .refused(String(cString: sf_error_number(problem))) }
    }

    deinit {
        if let handle { sf_close(handle) }
    }
}

private func resize<Element: Numeric>(_ buffer: inout [Element], to count: Int) {
    if buffer.count != count { buffer = [Element](repeating: 0, count: count) }
}
