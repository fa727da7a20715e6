import Haptics
import Signals
import Testing
import Units

@Suite struct MotorScoreTests {
    private func tap(_ intensity: Double, _ sharpness: Double, at time: Double = 0) -> HapticPattern {
        HapticPattern(events: [HapticEvent(time: Seconds(time), kind: .transient, intensity: intensity, sharpness: sharpness)])
    }

    private func buzz(_ duration: Double, intensity: Double = 1, sharpness: Double = 0.5, _ envelope: HapticEnvelope = HapticEnvelope(),
                      controls: [HapticControl] = []) -> HapticPattern {
        HapticPattern(events: [HapticEvent(time: .zero, kind: .continuous(duration: Seconds(duration)), intensity: intensity,
                                           sharpness: sharpness, envelope: envelope)], controls: controls)
    }

    @Test func `how sharp a tap is sets its frequency and its length, how intense its strength`() throws {
        // 250 Hz: 4 ms a period; 4.5 periods are 18 ms. 80 Hz: 12.5 ms and 56.25 ms, in whole milliseconds.
        #expect(MotorScore(tap(1, 1, at: 0.5), for: .sine).steps == [.init(time: Seconds(0.5), effect: MotorEffect(
            drive: .sine(period: 4, magnitude: 32_767), length: 18, fade: .init(length: 18, level: 0)))])
        #expect(MotorScore(tap(0.5, 0), for: .sine).steps.map(\.effect) == [MotorEffect(
            drive: .sine(period: 13, magnitude: 16_384), length: 56, fade: .init(length: 56, level: 0))])
        #expect(MotorScore(tap(1, 1), for: .constant).steps.map(\.effect.drive) == [.constant(level: 32_767)])
    }

    @Test func `on two motors what is round is heavy and what is sharp is light`() {
        func drive(_ sharpness: Double) -> MotorEffect.Drive? { MotorScore(tap(0.5, sharpness), for: .rumble).steps.first?.effect.drive }
        #expect(drive(0) == .rumble(strong: 32_768, weak: 0))
        #expect(drive(0.5) == .rumble(strong: 32_768, weak: 32_768))
        #expect(drive(1) == .rumble(strong: 0, weak: 32_768))
        #expect(MotorScore(tap(0.5, 1), for: .rumble).steps.first?.effect.length == 30)
    }

    @Test func `a buzz with its attack and release is one effect`() {
        // An adjuster of 0 is 5 ms, of 1 a second.
        let score = MotorScore(buzz(2, intensity: 0.6, HapticEnvelope(attack: 1, release: 0)), for: .sine)
        #expect(score.steps.map(\.effect) == [MotorEffect(
            drive: .sine(period: 7, magnitude: 19_660), length: 2_005, attack: .init(length: 1_000, level: 0),
            fade: .init(length: 5, level: 0))])
        #expect(MotorScore(buzz(2), for: .rumble).steps.map(\.effect.length) == [2_005])
    }

    @Test func `one that is not sustained falls when its attack is over`() {
        let score = MotorScore(buzz(2, HapticEnvelope(decay: 1, isSustained: false)), for: .constant)
        #expect(score.steps.map(\.effect) == [MotorEffect(
            drive: .constant(level: 32_767), length: 1_005, attack: .init(length: 5, level: 0), fade: .init(length: 1_000, level: 0))])
    }

    @Test func `an intensity curve is kept: in lines where there are envelopes, in steps where there are none`() {
        let fall = HapticControl(.intensity, time: .zero, shape: .curve([
            .init(time: .zero, value: 0), .init(time: Seconds(0.4), value: 1), .init(time: Seconds(0.8), value: 0)]))
        let lines = MotorScore(buzz(0.8, controls: [fall]), for: .sine).steps
        #expect(lines.count == 1)
        #expect(lines.first?.effect.fade == .init(length: 400, level: 0) || lines.first?.effect.attack.level == 0)
        let steps = MotorScore(buzz(0.8, controls: [fall]), for: .rumble).steps
        #expect(steps.count > 8)
        for step in steps {
            let middle = step.time.rawValue + Double(step.effect.length) / 2000
            let expected = 1 - abs(middle - 0.4) / 0.4
            guard case .rumble(let strong, _) = step.effect.drive else { continue }
            #expect(abs(Double(strong) / 65_535 - expected) < 0.11, "\(middle)")
        }
    }

    @Test func `a jump in intensity is two effects, and silence none`() {
        let jumps = [HapticControl(.intensity, time: Seconds(0.2), shape: .jump(0)), HapticControl(.intensity, time: Seconds(0.6), shape: .jump(0.5))]
        let score = MotorScore(buzz(1, controls: jumps), for: .sine)
        #expect(score.steps.map { ($0.time.rawValue * 1000).rounded() } == [0, 600])
        #expect(score.steps.map(\.effect.length) == [200, 405])
    }

    @Test func `a sweep of sharpness is followed by frequencies`() {
        let sweep = HapticControl(.sharpness, time: .zero, shape: .curve([.init(time: .zero, value: -0.5), .init(time: Seconds(1), value: 0.5)]))
        let periods = MotorScore(buzz(1, controls: [sweep]), for: .sine).steps.compactMap { step -> UInt16? in
            if case .sine(let period, _) = step.effect.drive { return period }
            return nil
        }
        #expect(periods.first == 12 && periods.last == 4 && periods == periods.sorted(by: >))
    }

    @Test func `gain makes up for a device that has none`() {
        #expect(MotorScore(tap(1, 1), for: .sine, gain: 0.25).steps.map(\.effect.drive) == [.sine(period: 4, magnitude: 8_192)])
    }

    @Test func `every built-in pattern can be played by every device, and nothing lasts for ever`() {
        for pattern in Theme.standard.haptics.values {
            for drive in [MotorAbilities.Drive.sine, .rumble, .constant] {
                let steps = MotorScore(pattern, for: drive).steps
                #expect(steps.count >= pattern.events.count)
                #expect(steps.allSatisfy { $0.effect.length >= 1 && $0.effect.length <= MotorEffect.longest })
            }
        }
    }
}
