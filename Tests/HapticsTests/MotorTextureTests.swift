import Haptics
import Signals
import Testing
import Units

@Suite struct MotorTextureTests {
    private func texture(_ pulse: Texture.Pulse?, breath: Texture.Breath? = .init(period: Seconds(3), depth: 0.5),
                         touch: Texture.Feel? = .init(intensity: 0.5, sharpness: 0)) -> Texture {
        Texture(level: Decibels(-26), noise: .init(low: Hertz(120), high: Hertz(400)), pulse: pulse, breath: breath, touch: touch)
    }

    private let even = Texture.Pulse(rate: Hertz(26), inhaled: Hertz(24), depth: 0.8)

    @Test func `even pulses are a device's own sine of their rate, which rises and falls with the breath`() {
        let score = MotorScore(texture(even), for: .sine)
        // 1/26 s and 1/24 s in whole milliseconds; half of 32,767, and half of that at the turns; 1.5 s out, 1.5 s in.
        func half(_ period: UInt16) -> MotorEffect {
            let slope = MotorEffect.Slope(length: 750, level: 8_192)
            return MotorEffect(drive: .sine(period: period, magnitude: 16_384), length: 1_500, attack: slope, fade: slope)
        }
        #expect(score.steps == [.init(time: .zero, effect: half(38)), .init(time: Seconds(1.5), effect: half(42))])
        #expect(score.round == Seconds(3))
    }

    @Test func `a motor without a sine has a push a pulse, at one rate while it breathes out and at another while it breathes in`() {
        for drive in [MotorAbilities.Drive.rumble, .constant] {
            let score = MotorScore(texture(even), for: drive)
            // 1.5 s of each: 39 pulses and 36.
            #expect(score.steps.count == 75 && Set(score.steps.map(\.effect)).count == 1)
            let gaps = zip(score.steps, score.steps.dropFirst()).map { $1.time.rawValue - $0.time.rawValue }
            #expect(gaps.prefix(38).allSatisfy { abs($0 - 1 / 26) < 1e-9 } && gaps.suffix(36).dropFirst().allSatisfy { abs($0 - 1 / 24) < 1e-9 })
            #expect(abs((score.round?.rawValue ?? 0) - 3) < 1e-9)
            // A pulse 0.8 deep is on for 0.6 of its 38.5 ms.
            #expect(score.steps.first?.effect.length == 23)
        }
        #expect(MotorScore(texture(even), for: .rumble, gain: 0.5).steps.first?.effect.drive == .rumble(strong: 16_384, weak: 0))
    }

    @Test func `pulses are left out and off their rate as much as the texture says, on every device`() {
        let uneven = Texture.Pulse(rate: Hertz(20), depth: 0.3, jitter: 0.1, gaps: 0.4)
        for drive in [MotorAbilities.Drive.sine, .rumble, .constant] {
            let score = MotorScore(texture(uneven, breath: .init(period: Seconds(20), depth: 0.5)), for: drive)
            // 400 cycles, of which 40 % are left out, evenly.
            #expect((238...242).contains(score.steps.count))
            let cycles = zip(score.steps, score.steps.dropFirst()).map { $1.time.rawValue - $0.time.rawValue }.filter { $0 < 0.06 }
            #expect(cycles.allSatisfy { (0.05 / 1.1 - 1e-9...0.05 / 0.9 + 1e-9).contains($0) })
            #expect((cycles.min() ?? 1) < 0.0465 && (cycles.max() ?? 0) > 0.0545)
            // One that is longer than half of the rest is not there: nothing lasts into the next pulse.
            #expect(score.steps.allSatisfy { $0.effect.length <= 50 })
        }
    }

    @Test func `slow pulses are felt one by one on a sine, too, as sharp as the touch`() {
        let panting = Texture.Pulse(rate: Hertz(4), depth: 1)
        let score = MotorScore(texture(panting, touch: .init(intensity: 1, sharpness: 1)), for: .sine)
        // Half of 250 ms, rising and falling, at 250 Hz.
        let slope = MotorEffect.Slope(length: 62, level: 0)
        #expect(Set(score.steps.map(\.effect)) == [MotorEffect(drive: .sine(period: 4, magnitude: 32_767), length: 125, attack: slope,
                                                               fade: slope)])
        #expect(score.steps.count == 12)
    }

    @Test func `one that does not pulse is a steady buzz, and one without a touch is not felt`() {
        let buzz = MotorScore(texture(nil, touch: .init(intensity: 1, sharpness: 1)), for: .sine)
        #expect(buzz.steps.map(\.effect.drive) == Array(repeating: .sine(period: 4, magnitude: 32_767), count: 2))
        #expect(MotorScore(texture(nil, breath: nil), for: .rumble).steps.map(\.effect.length) == [10_000])
        #expect(MotorScore(texture(even, touch: nil), for: .sine).steps.isEmpty)
        #expect(MotorScore(texture(even, touch: .init(intensity: 0, sharpness: 0)), for: .rumble).steps.isEmpty)
    }

    @Test func `every texture of the standard theme is at its rate within 1 Hz on every device, in two slots at most, and none is endless`() {
        for (name, texture) in Theme.standard.textures {
            guard let pulse = texture.pulse else { continue }
            let rates = [pulse.rate.rawValue, pulse.inhaled.rawValue]
            for drive in [MotorAbilities.Drive.sine, .rumble, .constant] {
                let score = MotorScore(texture, for: drive)
                let effects = Set(score.steps.map(\.effect))
                #expect((1...2).contains(effects.count), "\(name)")
                #expect(effects.allSatisfy { $0.length >= 1 && $0.length <= MotorEffect.longest })
                guard drive == .sine || effects.count == 1 else { continue }
                // Slower ones are no sine.
                let periods: [Double] = rates[0] < 10 ? [] : effects.compactMap { if case .sine(let period, _) = $0.drive { Double(period) } else { nil } }
                #expect(periods.allSatisfy { period in rates.contains { abs(1_000 / period - $0) < 1 } }, "\(name): \(periods)")
                guard effects.count == 1, drive != .sine, let round = score.round else { continue }
                let mean = Double(score.steps.count) / (1 - pulse.gaps) / round.rawValue
                #expect(abs(mean - (rates[0] + rates[1]) / 2) < 1, "\(name): \(mean)")
            }
        }
    }
}
