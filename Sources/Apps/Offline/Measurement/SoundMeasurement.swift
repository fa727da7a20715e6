import Glibc
import Loudness
import Synth
import Units
import Venue

/// The result of measuring sound. Where a value is nil, the sound was silent, unless the value's comment says otherwise.
public struct MeasuredSound: Encodable, Equatable, Sendable {
    public struct LevelTime: Encodable, Equatable, Sendable {
        /// The lower edge of the class of levels, in dB in the same way as `weighted`; nil for the class that begins at silence.
        public var from: Double?
        public var to: Double
        public var seconds: Double
    }

    /// A third of an octave.
    public struct Band: Encodable, Equatable, Sendable {
        /// The nominal middle frequency of the band, in Hz.
        public var middle: Double
        /// The level of the band's mean square, in dBFS, as `rms`.
        public var level: Double?
    }

    public var seconds: Double
    public var sampleRate: Int
    public var channels: Int
    /// The integrated loudness, in LUFS.
    public var integrated: Double?
    /// The loudness range, in LU.
    public var range: Double
    /// The true peak, in dBTP.
    public var truePeak: Double?
    /// The largest sample, in dBFS.
    public var peak: Double?
    /// The root mean square in dBFS: a square wave of full scale has 0, a sine −3.01.
    public var rms: Double?
    /// Whether the settings say how loud full scale is at the listener.
    public var isCalibrated: Bool
    /// The equivalent A-weighted level of all the sound, in dBA. Without calibration it is relative to a sine of full scale at 1 kHz.
    public var weighted: Double?
    /// The A-weighted level of the loudest second, in dBA as `weighted`.
    public var loudestSecond: Double?
    /// The noise dose in percent of what is allowed in a day; nil without calibration.
    public var dose: Double?
    /// The durations of the level classes, from loud to quiet; each second counts in the class of its level `weighted`.
    public var levels: [LevelTime]
    /// The bands from 25 Hz up.
    public var spectrum: [Band]

    /// Whether sound of this length has no integrated loudness, however loud it is: that is measured in blocks of 0.4 s (EBU R 128).
    public static func isTooShort(_ length: Seconds) -> Bool { length < Seconds(0.4) }

    /// The strongest bands, the strongest first: at most three, and none that is more than 20 dB below the strongest.
    public var dominant: [Band] {
        let sounding = spectrum.compactMap { band in band.level.map { (band, $0) } }.sorted { $0.1 > $1.1 }
        guard let top = sounding.first else { return [] }
        return sounding.prefix(3).filter { $0.1 > top.1 - 20 }.map(\.0)
    }
}

/// Measures sound from its beginning to its end, in constant memory. Loudness is measured by `LoudnessMeter`, which may run on another
/// thread.
public struct SoundMeasurement: ~Copyable {
    private let rate: SampleRate
    private let channels: Int
    private let hearing: HearingSettings
    private let isCalibrated: Bool
    private var spectrum: ThirdOctaves
    private let weighting: AWeighting
    private var memories: [AWeighting.Memory]
    private var frames: Int64 = 0
    private var squares = 0.0
    private var peak: Float = 0
    /// The sums over the present second, which is not complete yet. Levels are measured by the second, as by the hearing guard.
    private var second = (frames: Int64(0), weighted: 0.0)
    private var levels: LevelTimes
    private var dose = 0.0
    private var weighted = 0.0
    private var loudestSecond: SoundLevel?

    /// Starts a measurement. `hearing` says how loud full scale is; where it is nil, levels are relative to a sine of full scale at 1 kHz,
    /// and there is no dose.
    public init(rate: SampleRate, channels: Int, hearing: HearingSettings?) {
        self.rate = rate
        self.channels = channels
        isCalibrated = hearing != nil
        self.hearing = hearing ?? HearingSettings(calibration: SoundLevel(0))
        spectrum = ThirdOctaves(rate: rate)
        weighting = AWeighting(rate: rate)
        memories = Array(repeating: AWeighting.Memory(), count: channels)
        levels = LevelTimes(fullScale: self.hearing.calibration)
    }

    /// Adds the next frames, interleaved.
    public mutating func add(_ samples: Span<Float>) {
        var start = 0
        while start < samples.count {
            let count = min(Int(Int64(rate.hertz) - second.frames) * channels, samples.count - start)
            addPart(samples.extracting(start..<(start + count)))
            start += count
            if second.frames == Int64(rate.hertz) { endSecond() }
        }
    }

    /// Adds frames that all belong to the present second.
    private mutating func addPart(_ samples: Span<Float>) {
        let count = samples.count / channels
        var mixed = [Float](repeating: 0, count: count)
        // Once the weighting has forgotten what came before, silence adds nothing.
        let isOver = memories.allSatisfy { $0 == AWeighting.Memory() } && samples.isSilent
        for channel in 0..<channels where !isOver {
            let own = [Float](unsafeUninitializedCapacity: count) { own, filled in
                for frame in 0..<count { own.initializeElement(at: frame, to: samples[frame * channels + channel]) }
                filled = count
            }
            second.weighted += weighting.energy(of: own.span, memory: &memories[channel]) / Double(channels)
            memories[channel] = memories[channel].settled
            for (frame, sample) in own.enumerated() {
                peak = max(peak, sample.magnitude)
                squares += Double(sample) * Double(sample) / Double(channels)
                mixed[frame] += sample / Float(channels)
            }
        }
        spectrum.add(mixed)
        frames += Int64(count)
        second.frames += Int64(count)
    }

    private mutating func endSecond() {
        guard second.frames > 0 else { return }
        let time = rate.seconds(in: FrameCount(second.frames))
        let level = hearing.level(ofMeanSquare: Float(second.weighted / Double(second.frames)))
        levels.add(level, for: time)
        if let level {
            dose += hearing.dose(of: level, for: time)
            loudestSecond = max(loudestSecond ?? level, level)
        }
        weighted += second.weighted
        second = (0, 0)
    }

    /// Ends the measurement and returns its result. `loudness` was measured elsewhere.
    public consuming func finish(_ loudness: LoudnessFigures) -> MeasuredSound {
        endSecond()
        func decibels(_ meanSquare: Double) -> Double? { meanSquare > 1e-20 ? 10 * log10(meanSquare) : nil }
        let mean = frames > 0 ? squares / Double(frames) : 0
        let weightedMean = frames > 0 ? weighted / Double(frames) : 0
        return MeasuredSound(
            seconds: rate.seconds(in: FrameCount(frames)).rawValue, sampleRate: Int(rate.hertz), channels: channels,
            integrated: loudness.integrated, range: loudness.range, truePeak: loudness.truePeak.decibels?.rawValue,
            peak: Magnitude(peak).decibels?.rawValue, rms: decibels(mean), isCalibrated: isCalibrated,
            weighted: hearing.level(ofMeanSquare: Float(weightedMean))?.rawValue, loudestSecond: loudestSecond?.rawValue,
            dose: isCalibrated ? dose : nil, levels: levels.times,
            spectrum: spectrum.bands().map { MeasuredSound.Band(middle: $0.middle, level: decibels($0.meanSquare)) })
    }
}

/// The durations for which sound had each level, in classes of 5 dB.
private struct LevelTimes {
    private static let width = 5.0
    /// The depth below a sine of full scale, in dB, under which all levels are one class.
    private static let depth = 70.0

    private let quietest: Double
    private var seconds: [Int: Double] = [:]
    private var quieter = 0.0

    /// Starts without sound. `fullScale` is the level of a sine of full scale at 1 kHz.
    init(fullScale: SoundLevel) {
        quietest = ((fullScale.rawValue - Self.depth) / Self.width).rounded(.down) * Self.width
    }

    /// Adds `time` at `level`; nil stands for silence.
    mutating func add(_ level: SoundLevel?, for time: Seconds) {
        guard let level, level.rawValue >= quietest else {
            quieter += time.rawValue
            return
        }
        seconds[Int((level.rawValue / Self.width).rounded(.down)), default: 0] += time.rawValue
    }

    /// The classes from loud to quiet; those without sound are left out.
    var times: [MeasuredSound.LevelTime] {
        let known = seconds.sorted { $0.key > $1.key }.map { number, seconds in
            MeasuredSound.LevelTime(from: Double(number) * Self.width, to: Double(number + 1) * Self.width, seconds: seconds)
        }
        return known + (quieter > 0 ? [MeasuredSound.LevelTime(from: nil, to: quietest, seconds: quieter)] : [])
    }
}

/// Sums up the mean squares of sound in bands of a third of an octave, from 25 Hz to 20 kHz (IEC 61260-1, base ten).
private struct ThirdOctaves {
    /// The bands' nominal middles, in Hz (IEC 61260-1, annex E).
    static let middles = [
        25.0, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1_000, 1_250, 1_600, 2_000, 2_500, 3_150, 4_000,
        5_000, 6_300, 8_000, 10_000, 12_500, 16_000, 20_000,
    ]

    private let rate: SampleRate
    private var transform: FourierTransform
    /// The samples that have not been transformed yet. Half a window of silence comes first, so that the first samples weigh as much as
    /// later ones.
    private var pending: [Float]
    /// The number of silent samples at the end of `pending`. A window that has only silent samples need not be transformed.
    private var quiet: Int
    /// The sums of mean squares over all windows, by bin.
    private var sums: [Double]
    private var frames: Int64 = 0

    init(rate: SampleRate) {
        self.rate = rate
        // A third of a second as a rule, which tells the lowest bands apart.
        transform = FourierTransform(size: rate.hertz > 96_000 ? 65_536 : rate.hertz > 24_000 ? 16_384 : 4_096)
        pending = [Float](repeating: 0, count: transform.size / 2)
        quiet = transform.size / 2
        sums = [Double](repeating: 0, count: transform.size / 2 + 1)
    }

    mutating func add(_ samples: [Float]) {
        pending += samples
        quiet = samples.span.isSilent ? quiet + samples.count : 0
        frames += Int64(samples.count)
        transformPending()
    }

    /// Returns the mean square of each band with its nominal middle frequency, in Hz, from low to high. Bands above half of the rate are
    /// left out.
    func bands() -> [(middle: Double, meanSquare: Double)] {
        var whole = self
        whole.pending += [Float](repeating: 0, count: transform.size)
        whole.quiet += transform.size
        whole.transformPending()
        // Windows overlap by half: each frame is in two.
        let share = frames > 0 ? Double(transform.size / 2) / Double(frames) : 0
        let width = Double(rate.hertz) / Double(transform.size)
        return Self.middles.enumerated().compactMap { index, nominal in
            // 25 Hz is 10^1.4.
            let middle = pow(10, Double(14 + index) / 10)
            let (low, high) = (middle * pow(10, -0.05), middle * pow(10, 0.05))
            guard high <= Double(rate.hertz) / 2 else { return nil }
            var sum = 0.0
            // Each bin is half a bin wide to both sides.
            for bin in Int(low / width)...Int(high / width + 1) where bin < whole.sums.count {
                let part = min(high, (Double(bin) + 0.5) * width) - max(low, (Double(bin) - 0.5) * width)
                sum += whole.sums[bin] * min(1, max(0, part / width))
            }
            return (nominal, sum * share)
        }
    }

    private mutating func transformPending() {
        var start = 0
        while pending.count - start >= transform.size {
            defer { start += transform.size / 2 }
            guard quiet < pending.count - start else { continue }
            for (bin, meanSquare) in transform.meanSquares(of: pending[start..<(start + transform.size)]).enumerated() {
                sums[bin] += meanSquare
            }
        }
        pending.removeFirst(start)
    }
}
