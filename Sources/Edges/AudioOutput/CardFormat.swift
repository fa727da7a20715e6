import CAlsa
import Synth

/// What a card's samples are, the best first. Floats are handed on; all others come from the quantizer that writes files, so that what
/// leaves the card is what `thrum render` writes.
enum CardFormat: CaseIterable {
    case float32
    /// 24 bits, the upper ones of 32.
    case s32
    /// 24 bits, the lower ones of 32.
    case s24
    /// 24 bits in three bytes, as many USB cards have them.
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

/// Lays frames out in a card's ring. Thread: render.
final class CardRing {
    /// Frames that are converted at once.
    static let piece = 512

    /// Frames.
    let size: Int64
    private let format: CardFormat
    private let areas: UnsafePointer<snd_pcm_channel_area_t>
    private let channels: Int
    /// Of the channels that get something.
    private let lanes: UnsafeMutableBufferPointer<Lane>
    private var narrow: Quantizer
    private var wide: Quantizer
    private let shorts: UnsafeMutableBufferPointer<Int16>
    private let longs: UnsafeMutableBufferPointer<Int32>

    private struct Lane {
        /// The channel's sample of the ring's first frame.
        var first: UnsafeMutableRawPointer
        /// Bytes to the next.
        var step: Int
        /// Which sample of a rendered frame it gets.
        var feed: Int
    }

    /// `feeds`: for each of the card's channels, which sample of a rendered frame it gets; nil for none. `areas`: of each channel, as
    /// libasound says; they outlive the ring.
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

    /// Puts frames where `place` of the ring is: `samples` has `channels` of each, at most `piece` frames.
    func put(_ samples: UnsafeBufferPointer<Float>, channels: Int, at place: Int64) {
        switch format {
        case .float32: lay(samples, channels: channels, at: place)
        case .s16: lay(quantized(samples, in: shorts, by: &narrow, shift: 0), channels: channels, at: place)
        case .s24: lay(quantized(samples, in: longs, by: &wide, shift: 0), channels: channels, at: place)
        case .s24in3: lay(quantized(samples, in: longs, by: &wide, shift: 0), channels: channels, at: place, as: ThreeBytes.init)
        case .s32: lay(quantized(samples, in: longs, by: &wide, shift: 8), channels: channels, at: place)
        }
    }

    /// Silences `count` frames from `place` on.
    func clear(_ count: Int64, from place: Int64) {
        for (start, length, _) in pieces(Int(count), from: place) {
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

    /// A whole frame after the other, so that speakers do not differ where the card is close behind.
    private func lay<Sample: BitwiseCopyable>(_ samples: UnsafeBufferPointer<Sample>, channels: Int, at place: Int64) {
        lay(samples, channels: channels, at: place) { $0 }
    }

    /// The same, of samples that lie otherwise in the ring.
    @inline(__always)
    private func lay<Sample, Stored: BitwiseCopyable>(_ samples: UnsafeBufferPointer<Sample>, channels: Int, at place: Int64,
                                                      as stored: (Sample) -> Stored) {
        for (start, length, done) in pieces(samples.count / channels, from: place) {
            for frame in 0..<length {
                for lane in lanes {
                    (lane.first + (start + frame) * lane.step)
                        .storeBytes(of: stored(samples[(done + frame) * channels + lane.feed]), as: Stored.self)
                }
            }
        }
    }

    /// The lower three bytes, the lowest first.
    private struct ThreeBytes: BitwiseCopyable {
        private let low: UInt16
        private let high: UInt8

        init(_ sample: Int32) {
            low = UInt16(truncatingIfNeeded: sample).littleEndian
            high = UInt8(truncatingIfNeeded: sample >> 16)
        }
    }

    /// Frames that lie one after the other: where they begin in the ring, how many they are, and how many come before.
    private func pieces(_ count: Int, from place: Int64) -> [(start: Int, length: Int, done: Int)] {
        let start = Int(place % size)
        let first = min(count, Int(size) - start)
        return first == count ? [(start, count, 0)] : [(start, first, 0), (0, count - first, first)]
    }
}
