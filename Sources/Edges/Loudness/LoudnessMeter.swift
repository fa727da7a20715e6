import CEbur128
import Units

/// How loud sound was, as `LoudnessMeter` has it.
public struct LoudnessFigures: Sendable {
    public var integrated: Double?
    public var range: Double
    public var truePeak: Magnitude
}

/// Loudness by EBU R 128 and ITU-R BS.1770-4, measured by libebur128, but for the true peak. Owns the library's state, which grows by some
/// 30 MB for each day of sound.
///
/// Thread: whichever owns it.
public struct LoudnessMeter: ~Copyable {
    public static let mostChannels = 64

    private let state: UnsafeMutablePointer<ebur128_state>
    private let channels: Int
    /// Frames of silence after which nothing of what came before is left in libebur128's filters and its 3 s: 10 s.
    private let settled: Int
    /// After so many frames of silence its state is the same again, but for how much it has counted: ten times the 3 s that it keeps, in
    /// whole parts of 100 ms.
    private let period: Int
    /// Frames of silence that it has been given last, and those that it has not been given.
    private var quiet = 0
    private var withheld = 0
    /// Nil where nobody asks for it.
    private var peaks: TruePeakMeter?

    /// `isDoubled`: the one channel counts twice, because both speakers play it. `findsTruePeak` false leaves the true peak at 0.
    public init(rate: SampleRate, channels: Int, isDoubled: Bool = false, findsTruePeak: Bool = true) {
        precondition((1...Self.mostChannels).contains(channels) && (!isDoubled || channels == 1), "as many channels as libebur128 takes")
        let modes = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue
        guard let state = ebur128_init(UInt32(channels), UInt(rate.hertz), Int32(modes)) else {
            preconditionFailure("libebur128 takes every rate and so many channels")
        }
        // By itself it takes the fourth of four channels and the like for surround, which count more.
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

    /// The next frames, interleaved. Long silence costs next to nothing: what it comes to is known.
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

    /// Gives libebur128 as much of the silence that was withheld as its state depends on.
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

    /// Of everything so far, gated, in LUFS; nil for silence: no 400 ms above −70 LUFS.
    public var integrated: Double? { level(ebur128_loudness_global) }

    /// The loudness range of everything so far (EBU Tech 3342), in LU; 0 for what is shorter than 3 s.
    public var range: Double { level(ebur128_loudness_range) ?? 0 }

    /// What all of it has come to so far.
    public var figures: LoudnessFigures { LoudnessFigures(integrated: integrated, range: range, truePeak: truePeak) }

    /// Of the last 400 ms, in LUFS; nil for silence.
    public var momentary: Double? { quiet < settled ? level(ebur128_loudness_momentary) : nil }

    /// Of the last 3 s, in LUFS; nil for silence.
    public var shortTerm: Double? { quiet < settled ? level(ebur128_loudness_shortterm) : nil }

    /// Between the samples, as BS.1770-4 interpolates them, of all channels: 1 is full scale.
    public var truePeak: Magnitude { Magnitude(peaks?.peak ?? 0) }

    private func level(_ measure: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32) -> Double? {
        var level = 0.0
        guard measure(state, &level) == EBUR128_SUCCESS.rawValue, level.isFinite else { return nil }
        return level
    }
}
