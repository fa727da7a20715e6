import CAlsa
import Synth

/// The formats of a card's samples, the best first. Floats are written as they are. All others come from the quantizer that also writes
/// files, so that the card gets exactly what `thrum render` writes.
enum CardFormat: CaseIterable {
    case float32
    /// Signed samples in the upper 24 of 32 bits.
    case s32
    /// Signed samples in the lower 24 of 32 bits.
    case s24
    /// Signed samples of 24 bits in three bytes each, as many USB cards use them.
    case s24in3
    case s16

    var alsa: snd_pcm_format_t {
        switch self {
        case .float32: SND_PCM_FORMAT_FLOAT
        case .s32: SND_PCM_FORMAT_S32
        case .s24: SND_PCM_FORMAT_S24
        case .s24in3: SND_PCM_FORMAT_S24_3LE
        case .s16: SND_PCM_FORMAT_S16
        }
    }

    var name: String {
        switch self {
        case .float32: "float"
        case .s32: "S32"
        case .s24: "S24"
        case .s24in3: "S24_3LE"
        case .s16: "S16"
        }
    }
}

/// Writes frames into a card's ring. Thread: render.
final class CardRing {
    /// The largest number of frames that are converted at once.
    static let piece = 512

    /// The length of the ring, in frames.
    let size: Int64
    private let format: CardFormat
    private let areas: UnsafePointer<snd_pcm_channel_area_t>
    private let channels: Int
    /// The channels with sound, each with the addresses of its samples in the card's memory.
    private let lanes: UnsafeMutableBufferPointer<Lane>
    private var narrow: Quantizer
    private var wide: Quantizer
    private let shorts: UnsafeMutableBufferPointer<Int16>
    private let longs: UnsafeMutableBufferPointer<Int32>

    private struct Lane {
        /// The address of the channel's sample in the first frame of the ring.
        var first: UnsafeMutableRawPointer
        /// The distance to the channel's next sample, in bytes.
        var step: Int
        /// The index, within a rendered frame, of the sample for this channel.
        var feed: Int
    }

    /// Makes a ring over a card's memory. `feeds` holds, for each of the card's channels, the index of its sample within a rendered frame;
    /// nil for a channel without sound. `areas` is libasound's description of each channel, and must outlive the ring.
    init(size: Int64, format: CardFormat, feeds: [Int?], areas: UnsafePointer<snd_pcm_channel_area_t>) {
        self.size = size
        self.format = format
        self.areas = areas
        channels = feeds.count
        let lanes = feeds.enumerated().compactMap { channel, feed -> Lane? in
            guard let feed, let memory = areas[channel].addr else { return nil }
            return Lane(first: memory + Int(areas[channel].first) / 8, step: Int(areas[channel].step) / 8, feed: feed)
        }
        self.lanes = .allocate(capacity: lanes.count)
        _ = self.lanes.initialize(from: lanes)
        narrow = Quantizer(bits: 16, dither: false)
        wide = Quantizer(bits: 24, dither: false)
        shorts = .allocate(capacity: 2 * Self.piece)
        shorts.initialize(repeating: 0)
        longs = .allocate(capacity: 2 * Self.piece)
        longs.initialize(repeating: 0)
    }

    deinit {
        lanes.deallocate()
        shorts.deallocate()
        longs.deallocate()
    }

    /// Writes the frames in `samples` into the ring from `position` on (in frames), wrapping around at the ring's end. `samples` has
    /// `channels` samples for each frame, and at most `piece` frames.
    func put(_ samples: UnsafeBufferPointer<Float>, channels: Int, at position: Int64) {
        switch format {
        case .float32: lay(samples, channels: channels, at: position)
        case .s16: lay(quantized(samples, in: shorts, by: &narrow, shift: 0), channels: channels, at: position)
        case .s24: lay(quantized(samples, in: longs, by: &wide, shift: 0), channels: channels, at: position)
        case .s24in3: lay(quantized(samples, in: longs, by: &wide, shift: 0), channels: channels, at: position, as: ThreeBytes.init)
        case .s32: lay(quantized(samples, in: longs, by: &wide, shift: 8), channels: channels, at: position)
        }
    }

    /// Writes `count` frames of silence into the ring from `position` on (in frames).
    func clear(_ count: Int64, from position: Int64) {
        for (start, length, _) in pieces(Int(count), from: position) {
            snd_pcm_areas_silence(areas, snd_pcm_uframes_t(start), UInt32(channels), snd_pcm_uframes_t(length), format.alsa)
        }
    }

    private func quantized<Whole: FixedWidthInteger>(_ samples: UnsafeBufferPointer<Float>, in scratch: UnsafeMutableBufferPointer<Whole>,
                                                     by quantizer: inout Quantizer, shift: Int) -> UnsafeBufferPointer<Whole> {
        let part = UnsafeMutableBufferPointer(rebasing: scratch[..<samples.count])
        var out = part.mutableSpan
        quantizer.quantize(samples.span, channels: 1, shift: shift, into: &out)
        return UnsafeBufferPointer(part)
    }

    /// Writes whole frames, one after the other, so that all speakers get the same frame even where the card reads close behind.
    private func lay<Sample: BitwiseCopyable>(_ samples: UnsafeBufferPointer<Sample>, channels: Int, at position: Int64) {
        lay(samples, channels: channels, at: position) { $0 }
    }

    /// Writes whole frames as the other `lay` does, after `stored` has converted each sample to the form that it has in the ring.
    @inline(__always)
    private func lay<Sample, Stored: BitwiseCopyable>(_ samples: UnsafeBufferPointer<Sample>, channels: Int, at position: Int64,
                                                      as stored: (Sample) -> Stored) {
        for (start, length, done) in pieces(samples.count / channels, from: position) {
            for frame in 0..<length {
                for lane in lanes {
                    (lane.first + (start + frame) * lane.step)
                        .storeBytes(of: stored(samples[(done + frame) * channels + lane.feed]), as: Stored.self)
                }
            }
        }
    }

    /// The lower three bytes of a sample, in little-endian order.
    private struct ThreeBytes: BitwiseCopyable {
        private let low: UInt16
        private let high: UInt8

        init(_ sample: Int32) {
            low = UInt16(truncatingIfNeeded: sample).littleEndian
            high = UInt8(truncatingIfNeeded: sample >> 16)
        }
    }

    /// Returns the one or two contiguous parts of the ring that `count` frames from `position` on occupy: each part's first frame in
    /// the ring, its length, and how many of the `count` frames precede it (`done`).
    private func pieces(_ count: Int, from position: Int64) -> [(start: Int, length: Int, done: Int)] {
        let start = Int(position % size)
        let first = min(count, Int(size) - start)
        return first == count ? [(start, count, 0)] : [(start, first, 0), (0, count - first, first)]
    }
}
