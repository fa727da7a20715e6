import Foundation
import Loudness
import Offline
import Testing
import TestSupport
import Units
import Venue

@Suite struct SoundMeasurementTests {
    private func sine(_ frequency: Double, level: Double, seconds: Double, rate: Double = 48_000) -> [Float] {
        (0..<Int(seconds * rate)).map { Float(pow(10, level / 20) * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    private func measured(_ samples: [Float], channels: Int = 1, rate: SampleRate = .standard, hearing: HearingSettings? = nil,
                          block: Int = 10_000) -> MeasuredSound {
        var measurement = SoundMeasurement(rate: rate, channels: channels, hearing: hearing)
        var loudness = LoudnessMeter(rate: rate, channels: channels)
        for start in stride(from: 0, to: samples.count, by: block) {
            let part = samples[start..<min(samples.count, start + block)]
            measurement.add(part.span)
            loudness.add(part.span)
        }
        return measurement.finish(loudness.figures)
    }

    private func isNear(_ found: Double?, _ expected: Double?, within limit: Double) -> Bool {
        guard let found, let expected else { return false }
        return abs(found - expected) < limit
    }

    @Test func `silence after sound takes from its means what its length says, and nothing else`() {
        // Whole windows of the spectrum, and whole seconds.
        let sound = sine(1_000, level: -20, seconds: 4) + [Float](repeating: 0, count: 192_000)
        let (alone, long) = (measured(sound), measured(sound + [Float](repeating: 0, count: 40 * 384_000)))
        let ratio = 10 * log10(41.0)
        #expect(isNear(long.rms, alone.rms.map { $0 - ratio }, within: 1e-9))
        #expect(isNear(long.weighted, alone.weighted.map { $0 - ratio }, within: 1e-4))
        #expect(long.integrated == alone.integrated && long.range == alone.range && long.truePeak == alone.truePeak)
        #expect(long.loudestSecond == alone.loudestSecond && long.peak == alone.peak)
        for (a, b) in zip(long.spectrum, alone.spectrum) where (b.level ?? -200) > -150 {
            #expect(isNear(a.level, b.level.map { $0 - ratio }, within: 1e-6), "\(a.middle) Hz")
        }
    }

    @Test func `a sine has the levels of the closed forms`() throws {
        let hearing = HearingSettings(calibration: SoundLevel(94))
        let sound = measured(sine(1_000, level: -20, seconds: 3.5), hearing: hearing)
        #expect(sound.seconds == 3.5 && sound.channels == 1 && sound.isCalibrated)
        #expect(isNear(sound.peak, -20, within: 0.01))
        // The mean square of a sine is 3.01 dB below its peak's.
        #expect(isNear(sound.rms, -23.01, within: 0.01))
        #expect(isNear(sound.weighted, 74, within: 0.05) && isNear(sound.loudestSecond, 74, within: 0.05))
        // NIOSH 98-126: 100·C/T, T = 8 h / 2^((L − 85)/3).
        let expected = 100 * 3.5 / 28_800 * pow(2.0, (74.0 - 85) / 3)
        #expect(isNear(sound.dose, expected, within: 0.02 * expected))
        #expect(sound.levels.count == 1 && sound.levels[0].from == 70 && sound.levels[0].to == 75 && sound.levels[0].seconds == 3.5)
    }

    @Test func `both channels alike are as loud as one`() throws {
        let mono = sine(300, level: -12, seconds: 1.2)
        let one = measured(mono)
        let two = measured(mono.flatMap { [$0, $0] }, channels: 2, block: 9_998)
        #expect(isNear(one.weighted, two.weighted, within: 1e-4) && isNear(one.rms, two.rms, within: 1e-6))
        #expect(isNear(two.integrated, one.integrated.map { $0 + 3.01 }, within: 0.01))
        for (a, b) in zip(one.spectrum, two.spectrum) { #expect(isNear(a.level ?? 0, b.level ?? 0, within: 1e-3)) }
    }

    @Test(arguments: [(44_100, 29), (48_000, 30), (8_000, 22), (192_000, 30)])
    func `tones are in their thirds of an octave, with their own levels`(rate: Int, bands: Int) throws {
        let hertz = Double(rate)
        let samples = zip(sine(110, level: -12, seconds: 3, rate: hertz), sine(2_000, level: -30, seconds: 3, rate: hertz)).map { $0 + $1 }
        let sound = measured(samples, rate: try #require(SampleRate(rate)))
        func level(_ middle: Double) -> Double? { sound.spectrum.first { $0.middle == middle }?.level }
        func sum(_ levels: [Double?]) -> Double { 10 * log10(levels.reduce(0.0) { $0 + pow(10, ($1 ?? -200) / 10) }) }
        #expect(sound.spectrum.count == bands)
        // 110 Hz is within 89.1…112.2 Hz, near the edge: some of it is beyond.
        #expect(isNear(sum([level(100), level(125)]), -15.01, within: 0.1))
        #expect(isNear(level(2_000), -33.01, within: 0.1))
        #expect((level(500) ?? 0) < -70)
        #expect(sound.dominant.first?.middle == 100 && sound.dominant.contains { $0.middle == 2_000 })
        // What the bands have together is what there is.
        #expect(isNear(sum(sound.spectrum.map(\.level)), sound.rms, within: 0.05))
    }

    @Test func `seconds are counted by their own levels, and silence is the quietest`() {
        let samples = sine(1_000, level: -10, seconds: 2) + sine(1_000, level: -30, seconds: 3) + [Float](repeating: 0, count: 96_000)
        let sound = measured(samples, hearing: HearingSettings(calibration: SoundLevel(96)))
        // 86 and 66 dBA; what is 70 dB under full scale is one class. The weighting rings for a moment into the silence.
        #expect(sound.levels.prefix(2).map(\.from) == [85, 65] && sound.levels.prefix(2).map(\.seconds) == [2, 3])
        #expect(sound.levels.last?.from == nil && sound.levels.last?.to == 25)
        #expect(sound.levels.dropFirst(2).reduce(0) { $0 + $1.seconds } == 2)
    }

    @Test func `silence and nothing at all have no levels`() {
        for samples in [[], [Float](repeating: 0, count: 30_000)] {
            let sound = measured(samples)
            #expect(sound.integrated == nil && sound.rms == nil && sound.weighted == nil && sound.peak == nil && sound.truePeak == nil)
            #expect(sound.dose == nil && sound.dominant.isEmpty && sound.spectrum.allSatisfy { $0.level == nil })
        }
    }
}
