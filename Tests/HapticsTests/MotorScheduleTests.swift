@testable import Haptics
import Signals
import Testing
import Units

@Suite struct MotorScheduleTests {
    private func effect(_ level: UInt16, length: UInt16 = 10) -> MotorEffect { MotorEffect(drive: .constant(level: level), length: length) }

    /// Taps of these strengths, so many milliseconds apart.
    private func score(_ strengths: [Double], every milliseconds: Double = 0) -> MotorScore {
        MotorScore(HapticPattern(events: strengths.enumerated().map { index, strength in
            HapticEvent(time: .milliseconds(Double(index) * milliseconds), kind: .transient, intensity: strength, sharpness: 1)
        }), for: .constant)
    }

    private func effects(_ score: MotorScore) -> [MotorEffect] { score.steps.map(\.effect) }

    /// Does what it asks for until it asks for nothing.
    private func serve(_ schedule: inout MotorSchedule, now: Int64, nextID: inout Int16) -> [MotorEffect] {
        var started: [MotorEffect] = []
        while true {
            while let start = schedule.start(now: now) { started.append(start.effect) }
            guard let upload = schedule.upload(now: now) else { return started }
            if upload.over == nil { nextID += 1 }
            schedule.uploaded(upload.effect, id: upload.over ?? nextID)
        }
    }

    @Test func `the stock is had ready, the most urgent first, as far as there is room`() {
        let stock = effects(score([0.1, 0.2, 0.3]))
        var schedule = MotorSchedule(capacity: 2, stock: stock)
        #expect(schedule.upload(now: 0) == .init(effect: stock[0], over: nil))
        schedule.uploaded(stock[0], id: 7)
        #expect(schedule.upload(now: 0) == .init(effect: stock[1], over: nil))
        schedule.uploaded(stock[1], id: 8)
        #expect(schedule.upload(now: 0) == nil && schedule.wake(now: 0) == nil && schedule.isStocked(now: 0))
        // Of what was never played the least urgent goes first.
        schedule.play(score([0.9]), at: 0)
        #expect(schedule.upload(now: 0)?.over == 8)
    }

    @Test func `each effect is started at its time, and the touch it answers is timed by the first`() {
        let swipe = score([0.7, 0.5], every: 60)
        var schedule = MotorSchedule(capacity: 16, stock: effects(swipe))
        var id: Int16 = 0
        _ = serve(&schedule, now: 0, nextID: &id)
        schedule.play(swipe, at: 1_000, stamp: 400)
        #expect(schedule.start(now: 999) == nil && schedule.wake(now: 999) == 1_000)
        #expect(schedule.start(now: 1_500)?.delay == 1_100)
        #expect(schedule.start(now: 1_500) == nil && schedule.wake(now: 1_500) == 60_001_000)
        let second = schedule.start(now: 60_001_000)
        #expect(second?.effect == swipe.steps[1].effect && second != nil && second?.delay == nil)
        #expect(schedule.isEmpty || schedule.start(now: 60_001_001) == nil)
    }

    @Test func `two slots do for any number of patterns, one after the other`() {
        var schedule = MotorSchedule(capacity: 2, stock: [])
        var id: Int16 = 0
        for number in 1...20 {
            let now = Int64(number) * 1_000_000_000
            let pattern = score([Double(number) / 20])
            schedule.play(pattern, at: now)
            #expect(serve(&schedule, now: now, nextID: &id) == effects(pattern))
        }
        #expect(id == 2 && schedule.missed == 0)
    }

    @Test func `a pattern of more effects than slots is made ready as it goes`() {
        var schedule = MotorSchedule(capacity: 2, stock: [])
        var id: Int16 = 0
        let pattern = score([0.1, 0.2, 0.3, 0.4, 0.5], every: 40)
        schedule.play(pattern, at: 0)
        var started: [MotorEffect] = []
        for moment in stride(from: Int64(0), through: 200_000_000, by: 1_000_000) { started += serve(&schedule, now: moment, nextID: &id) }
        #expect(started == effects(pattern) && schedule.missed == 0)
    }

    @Test func `what comes too late is left out, ready or not`() {
        let tap = score([0.5])
        var schedule = MotorSchedule(capacity: 4, stock: effects(tap))
        var id: Int16 = 0
        _ = serve(&schedule, now: 0, nextID: &id)
        schedule.play(tap, at: 0)
        schedule.play(score([0.6]), at: 0)
        #expect(schedule.start(now: MotorSchedule.longestDelay + 1) == nil)
        #expect(schedule.missed == 2 && schedule.isEmpty)
    }

    @Test func `while it waits for an upload it asks for nothing before that could be given up`() {
        var schedule = MotorSchedule(capacity: 1, stock: [])
        schedule.play(score([0.5]), at: 0)
        schedule.rest(until: 500)
        #expect(schedule.start(now: 100) == nil && schedule.upload(now: 100) == nil)
        #expect(schedule.wake(now: 100) == 500)
        #expect(schedule.wake(now: 600) == MotorSchedule.longestDelay + 1)
    }

    @Test func `an effect that is refused is missed at once, tried again later, and keeps no other from being taken`() {
        let (bad, good) = (score([0.1]), score([0.2]))
        var schedule = MotorSchedule(capacity: 4, stock: effects(bad) + effects(good))
        #expect(schedule.upload(now: 0)?.effect == bad.steps[0].effect)
        schedule.refused(bad.steps[0].effect, now: 0)
        #expect(schedule.upload(now: 0)?.effect == good.steps[0].effect)
        schedule.uploaded(good.steps[0].effect, id: 1)
        schedule.play(bad, at: 10)
        #expect(schedule.start(now: 10) == nil && schedule.missed == 1 && schedule.isEmpty && schedule.hasRefusals(now: 10))
        #expect(schedule.wake(now: 10) == MotorSchedule.refusalTime)
        #expect(schedule.upload(now: MotorSchedule.refusalTime)?.effect == bad.steps[0].effect)
        schedule.uploaded(bad.steps[0].effect, id: 2)
        #expect(!schedule.hasRefusals(now: MotorSchedule.refusalTime))
    }

    @Test func `an effect that is felt is not overwritten for another`() {
        let (long, other) = (MotorScore(HapticPattern(events: [HapticEvent(
            time: .zero, kind: .continuous(duration: Seconds(0.05)), intensity: 1, sharpness: 1)]), for: .constant), score([0.3]))
        var schedule = MotorSchedule(capacity: 1, stock: [])
        var id: Int16 = 0
        schedule.play(long, at: 0)
        #expect(serve(&schedule, now: 0, nextID: &id).count == 1)
        schedule.play(other, at: 1)
        #expect(serve(&schedule, now: 1, nextID: &id).isEmpty)
        // 50 ms and a release of 5.
        #expect(schedule.wake(now: 1) == 55_000_000)
        #expect(serve(&schedule, now: 55_000_000, nextID: &id).count == 1)
    }

    /// A pulse each 40 ms, for half a second a round.
    private func purr(_ strength: Double = 1) -> MotorScore {
        MotorScore(Texture(level: Decibels(-20), noise: .init(low: Hertz(120), high: Hertz(400)), pulse: .init(rate: Hertz(25), depth: 1),
                           breath: .init(period: Seconds(0.8), depth: 0), touch: .init(intensity: strength, sharpness: 0)), for: .rumble)
    }

    @Test func `a texture's pulses go on at their rate, in one slot, until it is ended, and what is felt ends then`() {
        var schedule = MotorSchedule(capacity: 1, stock: [])
        var id: Int16 = 0
        schedule.begin("purr", purr(), at: 0, stamp: -7)
        // Begun already: nothing changes.
        schedule.begin("purr", purr(), at: 5)
        var moments: [Int64] = []
        for moment in stride(from: Int64(0), through: 10_000_000_000, by: 1_000_000) where !serve(&schedule, now: moment, nextID: &id).isEmpty {
            moments.append(moment)
        }
        #expect(moments == (0...250).map { $0 * 40_000_000 } && id == 1 && schedule.missed == 0)
        schedule.end("purr", now: 10_001_000_000)
        #expect(schedule.stop() == 1 && schedule.stop() == nil && schedule.isEmpty && schedule.wake(now: 10_001_000_000) == nil)
        schedule.end("purr", now: 10_002_000_000)
        #expect(schedule.stop() == nil)
    }

    @Test func `a texture that was held up goes on where it would be, and not with a heap of what was missed`() {
        var schedule = MotorSchedule(capacity: 1, stock: [])
        var id: Int16 = 0
        schedule.begin("purr", purr(), at: 0)
        #expect(serve(&schedule, now: 0, nextID: &id).count == 1)
        // An hour later: of the round that is under way, what is not too late.
        let late = serve(&schedule, now: 3_600_000_000_000, nextID: &id).count
        #expect(late <= 1 + Int(MotorSchedule.longestDelay / 40_000_000) && schedule.missed <= 20)
    }

    @Test func `silence ends textures and patterns alike, and each of two textures ends by itself`() {
        var schedule = MotorSchedule(capacity: 4, stock: [])
        var id: Int16 = 0
        schedule.begin("one", purr(1), at: 0)
        schedule.begin("two", purr(0.5), at: 0)
        #expect(serve(&schedule, now: 0, nextID: &id).count == 2)
        schedule.end("one", now: 1)
        #expect(schedule.stop() == 1 && schedule.stop() == nil && !schedule.isEmpty)
        schedule.play(score([0.9]), at: 2)
        #expect(serve(&schedule, now: 2, nextID: &id).count == 1)
        schedule.silence(now: 3)
        #expect(Set([schedule.stop(), schedule.stop()]) == [2, 3] && schedule.stop() == nil && schedule.isEmpty)
    }

    @Test func `a flood of patterns has a bound, and is counted`() {
        var schedule = MotorSchedule(capacity: 4, stock: [])
        for _ in 0..<1_000 { schedule.play(score([0.1, 0.2], every: 50), at: 1_000_000_000) }
        #expect(schedule.missed == 2 * (1_000 - 32))
        schedule.silence(now: 0)
        #expect(schedule.isEmpty)
    }
}
