import Signals
import Units

extension MotorScore {
    /// One breath of `texture`, or some seconds of one that does not breathe, again and again. Without a `touch` it has no steps.
    ///
    /// Even pulses are a device's own sine of the pulses' rate: an effect for each half of a breath, which rises and falls with it. Pulses
    /// that are uneven or slow, and all those of devices without a sine, are effects of their own, as strong as at the crest of the breath.
    /// All pulses of a texture are the same effect, so that a device has it ready in one slot. `gain` as for patterns.
    public init(_ texture: Texture, for drive: MotorAbilities.Drive, gain: Double = 1) {
        self.init(for: drive, gain: gain)
        guard let touch = texture.touch, touch.intensity > 0 else { return }
        let half = texture.breath.map { $0.period.rawValue / 2 } ?? Self.steadyRound
        if let pulse = texture.pulse, drive != .sine || pulse.jitter > 0 || pulse.gaps > 0 || pulse.isSlow {
            addPulses(pulse, touch, for: texture.breath == nil ? [half] : [half, half])
        } else {
            addHalf(texture.pulse?.rate, touch, texture.breath, at: 0, for: half)
            if texture.breath != nil { addHalf(texture.pulse?.inhaled, touch, texture.breath, at: half, for: half) }
            round = Seconds(texture.breath == nil ? half : 2 * half)
        }
    }

    /// Of a texture that does not breathe, in seconds: none of its effects lasts longer.
    private static let steadyRound = 10.0

    /// One half of a breath: a sine of the pulses' rate, or what does not pulse, as sharp as it is to be felt.
    private mutating func addHalf(_ rate: Hertz?, _ touch: Texture.Feel, _ breath: Texture.Breath?, at time: Double, for half: Double) {
        let strength = if let rate, drive == .sine {
            MotorEffect.Drive.sine(period: milliseconds(1 / rate.rawValue), magnitude: Self.scaled(touch.intensity * gain, 32_767))
        } else {
            drive(touch.intensity, touch.sharpness)
        }
        var effect = MotorEffect(drive: strength, length: milliseconds(half))
        if let breath, drive != .rumble {
            let turn = Self.scaled(touch.intensity * gain * (1 - breath.depth), 32_767)
            effect.attack = .init(length: milliseconds(half / 2), level: turn)
            effect.fade = effect.attack
        }
        steps.append(Step(time: Seconds(time), effect: effect))
    }

    /// Whole pulses for about as long as each of `halves`, in seconds: out, then in.
    private mutating func addPulses(_ pulse: Texture.Pulse, _ touch: Texture.Feel, for halves: [Double]) {
        let effect = pulseEffect(pulse, touch)
        var time = 0.0
        var cycle = 0
        for (half, rate) in zip(halves, [pulse.rate.rawValue, pulse.inhaled.rawValue]) {
            for _ in 0..<max(1, Int((half * rate).rounded())) {
                if Self.spread(cycle, by: 0.6180339887) >= pulse.gaps { steps.append(Step(time: Seconds(time), effect: effect)) }
                time += 1 / (rate * (1 + pulse.jitter * (2 * Self.spread(cycle, by: 0.7548776662) - 1)))
                cycle += 1
            }
        }
        round = Seconds(time)
    }

    /// One pulse: a whole turn of a sine, or a push that is the longer, the less deep the pulses are.
    private func pulseEffect(_ pulse: Texture.Pulse, _ touch: Texture.Feel) -> MotorEffect {
        let cycle = 1 / max(pulse.rate.rawValue, pulse.inhaled.rawValue)
        let push = milliseconds(cycle * (1 - pulse.depth / 2))
        switch drive {
        case .sine where !pulse.isSlow:
            let length = milliseconds(cycle)
            return MotorEffect(drive: .sine(period: length, magnitude: Self.scaled(touch.intensity * gain, 32_767)), length: length)
        case .rumble: return MotorEffect(drive: drive(touch.intensity, touch.sharpness), length: push)
        case .sine, .constant:
            let slope = MotorEffect.Slope(length: push / 2, level: 0)
            return MotorEffect(drive: drive(touch.intensity, touch.sharpness), length: push, attack: slope, fade: slope)
        }
    }

    /// 0…1, evenly spread over any stretch of `index`: multiples of an irrational number, without their whole part (Weyl).
    private static func spread(_ index: Int, by step: Double) -> Double {
        let value = Double(index) * step
        return value - value.rounded(.down)
    }
}

extension Texture.Pulse {
    /// A hand feels each of so slow pulses by itself, and a sine as slow would hardly be felt: below 10 Hz. Ours.
    fileprivate var isSlow: Bool { max(rate.rawValue, inhaled.rawValue) < 10 }
}
