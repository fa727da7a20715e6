import Testing
import TestSupport
import Units

@testable import AudioOutput

/// A server whose clock is off by `drift`, read with an error of up to `noise` nanoseconds.
private func learn(_ clock: inout ClockModel, from begin: Int64, seconds: Double, drift: Double, offset: Double = 0,
                   noise: Int64 = 0, every period: Int64 = 50_000_000) -> Double {
    var generator = SplitMix64(seed: 5)
    var worst = 0.0
    var now = begin
    var lastPosition = clock.position(at: begin)
    while now < begin + Int64(seconds * 1e9) {
        now += period
        let truth = Double(now) * 48e3 / 1e9 * (1 + drift) + offset
        let error = noise == 0 ? 0 : Int64.random(in: -noise...noise, using: &generator)
        let position = clock.position(at: now)
        #expect(position > lastPosition, "time goes on")
        if now > begin + Int64(seconds * 0.7e9) { worst = max(worst, abs(position - truth)) }
        let told = truth + Double(error) * 48e3 / 1e9
        clock.observe(told...told, at: now, now: now + 20_000)
        lastPosition = position
    }
    return worst
}

@Suite struct ClockModelTests {
    @Test(arguments: [-1e-3, -1e-4, 0, 5e-5, 1.5e-3])
    func `a server's own rate is learned`(drift: Double) {
        var clock = ClockModel(rate: .standard, frame: .zero, now: 0)
        // Within 20 µs, one frame, in ten seconds.
        #expect(learn(&clock, from: 0, seconds: 30, drift: drift) < 1)
        #expect(abs(clock.drift - drift) < 2e-5)
        #expect(clock.errorNanoseconds < 100_000)
    }

    @Test func `asked once a second, it settles all the same`() {
        var clock = ClockModel(rate: .standard, frame: .zero, now: 0)
        let worst = learn(&clock, from: 0, seconds: 120, drift: 1e-4, noise: 30_000, every: 1_000_000_000)
        // 0.1 ms.
        #expect(worst < 4.8)
    }

    @Test(arguments: [128.0, 2_048])
    func `a server that tells whole steps only is followed to a small part of one`(step: Double) {
        var clock = ClockModel(rate: .standard, frame: .zero, now: 0)
        var generator = SplitMix64(seed: 7)
        var now: Int64 = 0
        var worst = 0.0
        while now < 60_000_000_000 {
            now += .random(in: 5_000_000...90_000_000, using: &generator)
            let truth = Double(now) * 48e3 / 1e9 * (1 + 5e-5) + 700
            if now > 30_000_000_000 { worst = max(worst, abs(clock.position(at: now) - truth)) }
            let taken = (truth / step).rounded(.up) * step
            clock.observe((taken - step)...taken, at: now, now: now)
        }
        #expect(worst < step / 16)
    }

    @Test func `readings that scatter by 200 µs are smoothed`() {
        var clock = ClockModel(rate: .standard, frame: .zero, now: 0)
        let worst = learn(&clock, from: 0, seconds: 60, drift: 1e-4, noise: 200_000)
        // 200 µs are 9.6 frames.
        #expect(worst < 9.6)
        #expect((70_000...170_000).contains(clock.errorNanoseconds), "uniform within ±200 µs: 115 µs")
    }

    @Test func `one reading that is off by 100 ms is ignored, three move the clock forward`() {
        var clock = ClockModel(rate: .standard, frame: .zero, now: 0)
        _ = learn(&clock, from: 0, seconds: 5, drift: 0)
        let now: Int64 = 5_100_000_000
        let before = clock.line
        let odd = clock.position(at: now) + 4_800
        clock.observe(odd...odd, at: now, now: now)
        #expect(clock.line == before)
        for index in 1...2 {
            let moment = now + Int64(index) * 50_000_000
            let told = before.position(at: moment) + 4_800
            clock.observe(told...told, at: moment, now: moment)
        }
        let error = clock.position(at: now + 200_000_000) - (before.position(at: now + 200_000_000) + 4_800)
        #expect(abs(error) < 1)
    }

    @Test func `a server that falls back by 200 ms is waited for, and time does not go back`() {
        var clock = ClockModel(rate: .standard, frame: .zero, now: 0)
        _ = learn(&clock, from: 0, seconds: 5, drift: 0)
        #expect(learn(&clock, from: 5_000_000_000, seconds: 15, drift: 0, offset: -9_600) < 24)
    }

    @Test func `left alone, it goes on at the rate it has learned`() {
        var clock = ClockModel(rate: .standard, frame: .zero, now: 0)
        _ = learn(&clock, from: 0, seconds: 30, drift: 1e-4)
        clock.runFree(now: 30_000_000_000)
        // In ten minutes, 1e-4 are 60 ms; what is left is the error of the rate, below 2e-5.
        let truth = 630 * 48e3 * (1 + 1e-4)
        #expect(abs(clock.position(at: 630_000_000_000) - truth) < 600 * 48e3 * 2e-5)
    }
}
