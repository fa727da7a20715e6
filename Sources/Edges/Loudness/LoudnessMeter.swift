import CEbur128
import Glibc
import Units

/// The loudness of a sound, with the units of `LoudnessMeter`.
public struct LoudnessFigures: Sendable {
    public var integrated: Double?
    public var range: Double
    public var truePeak: Magnitude
}

/// Measures loudness by EBU R 128 and ITU-R BS.1770-4, with libebur128; the true peak is measured here. Owns the library's state, which
/// grows by about 30 MB for each day of sound.
///
/// Thread: that of its owner.
public struct LoudnessMeter: ~Copyable {
    public static let mostChannels = 64

    private let state: UnsafeMutablePointer<ebur128_state>
    private let channels: Int
    /// The number of frames of silence, 10 s, after which nothing of earlier sound is left in libebur128's filters and in its buffer of 3
    /// s.
    private let settled: Int
    /// The number of frames of silence after which libebur128's state repeats, except for its counters. It is ten times its 3 s, in whole
    /// steps of 100 ms.
    private let period: Int
    /// The number of silent frames that libebur128 got last. `withheld` is the number of further silent frames that it did not get.
    private var quiet = 0
    private var withheld = 0
    /// The meter of the true peak; nil where the true peak is not wanted.
    private var peaks: TruePeakMeter?

    /// Begins a measurement. With `isDoubled`, the single channel counts twice, because both speakers play it. Without `findsTruePeak`, the
    /// true peak stays 0.
    public init(rate: SampleRate, channels: Int, isDoubled: Bool = false, findsTruePeak: Bool = true) {
        precondition((1...Self.mostChannels).contains(channels) && (!isDoubled || channels == 1), "as many channels as libebur128 takes")
        let modes = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue
        guard let state = ebur128_init(UInt32(channels), UInt(rate.hertz), Int32(modes)) else {
            preconditionFailure("libebur128 takes every rate and so many channels")
        }
        // By default, libebur128 counts the fourth of four channels as surround, which has more weight, and so on.
        if isDoubled { ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
        self.state = state
        self.channels = channels
        peaks = findsTruePeak ? TruePeakMeter(rate: rate, channels: channels) : nil
        settled = 10 * Int(rate.hertz)
        let part = (Int(rate.hertz) + 5) / 10
        period = 10 * part * ((3 * Int(rate.hertz) + part - 1) / part)
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
    }

    /// Adds the next frames, interleaved. Long silence costs almost nothing, because its effect is known without measuring it.
    public mutating func add(_ samples: Span<Float>) {
        peaks?.add(samples)
        guard samples.isSilent else {
            catchUp()
            quiet = 0
            return give(samples)
        }
        let frames = samples.count / channels
        if quiet < settled {
            quiet += frames
            give(samples)
        } else {
            withheld += frames
        }
    }

    /// Gives libebur128 as much of the withheld silence as makes a difference to its state.
    private mutating func catchUp() {
        var rest = withheld % period
        withheld = 0
        let zeros = [Float](repeating: 0, count: min(rest, 4_800) * channels)
        while rest > 0 {
            let frames = min(rest, 4_800)
            give(zeros.span.extracting(0..<(frames * channels)))
            rest -= frames
        }
    }

    private func give(_ samples: Span<Float>) {
        samples.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            guard ebur128_add_frames_float(state, start, buffer.count / channels) == EBUR128_SUCCESS.rawValue else {
                preconditionFailure("libebur128 only fails here without memory")
            }
        }
    }

    /// The gated integrated loudness of everything so far, in LUFS; nil if no 400 ms were louder than −70 LUFS.
    public var integrated: Double? { level(ebur128_loudness_global) }

    /// The loudness range of everything so far (EBU Tech 3342), in LU; 0 for sound shorter than 3 s.
    public var range: Double { level(ebur128_loudness_range) ?? 0 }

    /// All figures of everything so far.
    public var figures: LoudnessFigures { LoudnessFigures(integrated: integrated, range: range, truePeak: truePeak) }

    /// The loudness of the last 400 ms, in LUFS; nil for silence.
    public var momentary: Double? { quiet < settled ? level(ebur128_loudness_momentary) : nil }

    /// The loudness of the last 3 s, in LUFS; nil for silence.
    public var shortTerm: Double? { quiet < settled ? level(ebur128_loudness_shortterm) : nil }

    /// The largest magnitude on any channel, between the samples, too, as BS.1770-4 interpolates them. 1 is full scale.
    public var truePeak: Magnitude { Magnitude(peaks?.peak ?? 0) }

    private func level(_ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32) -> Double? {
        var level = 0.0
        guard measure(state, &level) == EBUR128_SUCCESS.rawValue, level.isFinite else { return nil }
        return level
    }
}

/// Finds the largest magnitude of sound, between its samples, too, with the same result to the last bit as libebur128 (ITU-R BS.1770-4,
/// annex 2). Sound that is too quiet for a larger magnitude than before is not interpolated.
///
/// Thread: any; this is a plain value.
struct TruePeakMeter {
    /// The sum that gives one of the interpolated samples between two frames. Each term is the frame `before` frames earlier, times
    /// `value`.
    private struct Branch {
        var coefficients: [(value: Double, before: Int)] = []
    }

    private static let taps = 49
    /// The number of frames that are either interpolated together or not at all.
    private static let share = 64
    /// The magnitude from which on libebur128 uses a coefficient.
    private static let least = 0.000_001

    private let branches: [Branch]
    /// The number of earlier frames that the interpolation of a frame needs.
    private let reach: Int
    /// The largest possible ratio of an interpolated sample to the largest sample.
    private let gain: Float
    /// The samples of each channel: `reach` earlier frames, then a share.
    private var windows: [[Float]]
    private(set) var peak: Float = 0
    /// The number of frames that were interpolated, of all channels together.
    private(set) var interpolatedFrames = 0

    init(rate: SampleRate, channels: Int) {
        let factor = rate.hertz < 96_000 ? 4 : rate.hertz < 192_000 ? 2 : 1
        var branches = [Branch](repeating: Branch(), count: factor)
        // From 192 kHz on there is no interpolation, and the samples themselves are the peaks.
        for tap in 0..<(factor > 1 ? Self.taps : 0) {
            let distance = Double(tap) - Double(Self.taps - 1) / 2
            var value = 1.0
            if distance.magnitude > Self.least { value = sin(distance * .pi / Double(factor)) / (distance * .pi / Double(factor)) }
            value *= 0.5 * (1 - cos(2 * .pi * Double(tap) / Double(Self.taps - 1)))
            guard value.magnitude > Self.least else { continue }
            branches[tap % factor].coefficients.append((value, tap / factor))
        }
        self.branches = factor > 1 ? branches : []
        reach = factor > 1 ? (Self.taps - 1) / factor : 0
        let sums = branches.map { $0.coefficients.reduce(0) { $0 + $1.value.magnitude } }
        // An allowance for rounding errors.
        gain = Float(max(1, sums.max() ?? 1) * 1.001)
        windows = Array(repeating: [Float](repeating: 0, count: reach + Self.share), count: channels)
    }

    /// Adds the next frames, interleaved.
    mutating func add(_ samples: Span<Float>) {
        let channels = windows.count
        let frames = samples.count / channels
        for start in stride(from: 0, to: frames, by: Self.share) {
            let count = min(Self.share, frames - start)
            for channel in windows.indices {
                windows[channel].withUnsafeMutableBufferPointer { [reach] window in
                    for frame in 0..<count { window[reach + frame] = samples[(start + frame) * channels + channel] }
                }
                look(channel, count)
                // The last frames are kept as the earlier frames of the next share.
                windows[channel].withUnsafeMutableBufferPointer { [reach] window in
                    for frame in 0..<reach { window[frame] = window[frame + count] }
                }
            }
        }
    }

    private mutating func look(_ channel: Int, _ count: Int) {
        let reach = reach
        var largest: Float = 0
        windows[channel].withUnsafeBufferPointer { window in
            for index in 0..<(reach + count) { largest = max(largest, window[index].magnitude) }
        }
        guard largest * gain > peak else { return }
        interpolatedFrames += count
        var found = peak
        windows[channel].withUnsafeBufferPointer { window in
            for index in reach..<(reach + count) where window[index].magnitude > found { found = window[index].magnitude }
            withUnsafeTemporaryAllocation(of: Double.self, capacity: count) { sums in
                for branch in branches {
                    sums.initialize(repeating: 0)
                    // The terms are added in libebur128's order, for all frames of the share together.
                    for (value, before) in branch.coefficients {
                        for frame in 0..<count { sums[frame] += Double(window[reach + frame - before]) * value }
                    }
                    for frame in 0..<count {
                        let magnitude = Float(sums[frame]).magnitude
                        if magnitude > found { found = magnitude }
                    }
                }
            }
        }
        peak = found
    }
}
