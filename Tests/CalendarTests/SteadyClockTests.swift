import Calendar
import Testing

/// A clock that is read once a second from 2026-01-01 00:00 in UTC on; `ahead` says by how much the wall clock is ahead in each second.
private struct Machine {
    static let start = 1_767_225_600.0
    var seconds = 0.0
    var clock = SteadyClock(SteadyClock.Reading(wall: Self.start, steady: 100))

    @discardableResult
    mutating func read(ahead: Double = 0, isSynchronized: Bool = false) -> Double {
        seconds += 1
        return clock.time(at: SteadyClock.Reading(wall: Self.start + seconds + ahead, steady: 100 + seconds, isSynchronized: isSynchronized))
    }

    /// What a clock shows that never jumped.
    var expected: Double { Self.start + seconds }
}

private let day = 86_400.0

struct SteadyClockTests {
    @Test(arguments: [30 * day, -3 * day, 400.0, -301.0])
    func `a wall clock that jumps and comes back changes nothing`(ahead: Double) {
        var machine = Machine()
        #expect(machine.read() == machine.expected)
        for _ in 0..<2 {
            #expect(machine.read(ahead: ahead) == machine.expected)
            #expect(machine.clock.jump == ahead)
        }
        #expect(machine.read() == machine.expected)
        #expect(machine.clock.jump == nil)
    }

    @Test func `a jump counts from when it is accepted`() {
        var machine = Machine()
        machine.read(ahead: 2 * day)
        #expect(machine.clock.accept() == 2 * day)
        #expect(machine.clock.jump == nil)
        #expect(machine.clock.accept() == nil)
        #expect(machine.read(ahead: 2 * day) == machine.expected + 2 * day)
        #expect(machine.read() == machine.expected + 2 * day, "back is a jump, too")
        #expect(machine.clock.jump == -2 * day)
    }

    @Test func `corrections of up to five minutes are followed, as often as they come`() {
        var machine = Machine()
        for step in 1...10 {
            let ahead = Double(step) * SteadyClock.largestCorrection
            #expect(machine.read(ahead: ahead) == machine.expected + ahead)
        }
        #expect(machine.clock.jump == nil)
    }

    @Test func `a machine that slept has not jumped`() {
        var machine = Machine()
        machine.seconds += 3 * day
        #expect(machine.read() == machine.expected)
        #expect(machine.clock.jump == nil)
    }

    @Test func `a clock that stands in 1970 is followed when it is set`() {
        var clock = SteadyClock(SteadyClock.Reading(wall: 60, steady: 60))
        #expect(clock.time(at: SteadyClock.Reading(wall: 61, steady: 61)) == 61)
        #expect(clock.time(at: SteadyClock.Reading(wall: Machine.start, steady: 62)) == Machine.start)
        #expect(clock.jump == nil)
        #expect(clock.time(at: SteadyClock.Reading(wall: 70, steady: 63)) == Machine.start + 1, "once set, it is not believed any more")
        #expect(clock.jump == 70 - Machine.start - 1)
    }

    @Test func `the step with which the network first tells the time is followed, and none after it`() {
        var machine = Machine()
        machine.read()
        #expect(machine.read(ahead: day) == machine.expected, "stepped, and not yet said to be right")
        #expect(machine.read(ahead: day, isSynchronized: true) == machine.expected + day)
        #expect(machine.clock.jump == nil)
        #expect(machine.read(ahead: 3 * day, isSynchronized: true) == machine.expected + day)
        #expect(machine.clock.jump == 2 * day)
    }

    @Test func `a clock that was synchronized from the start on has no first time`() {
        var clock = SteadyClock(SteadyClock.Reading(wall: Machine.start, steady: 0, isSynchronized: true))
        #expect(clock.time(at: SteadyClock.Reading(wall: Machine.start + day, steady: 1)) == Machine.start + 1)
        #expect(clock.time(at: SteadyClock.Reading(wall: Machine.start + day, steady: 2, isSynchronized: true)) == Machine.start + 2)
        #expect(clock.jump != nil)
    }
}
