import Glibc
import Loudness
import Synth
import Units
import Venue

/// Sound being measured, front to back, in memory that does not grow. Its loudness is `LoudnessMeter`'s, which may measure the same sound
/// on another thread.
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
    /// Of the second that is not full yet, which is how the hearing guard accounts.
    private var second = (frames: Int64(0), weighted: 0.0)
    private var levels: LevelTimes
    private var dose = 0.0
    private var weighted = 0.0
    private var loudestSecond: SoundLevel?

    /// `hearing` nil: levels are relative to a sine of full scale at 1 kHz, and there is no dose.
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

    /// The next frames, interleaved.
    public mutating func add(_ samples: Span<Float>) {
        var start = 0
        while start < samples.count {
            let count = min(Int(Int64(rate.hertz) - second.frames) * channels, samples.count - start)
            addPart(samples.extracting(start..<(start + count)))
            start += count
            if second.frames == Int64(rate.hertz) { endSecond() }
        }
    }

    /// Within one second.
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

    /// What all of it came to, with its loudness.
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
