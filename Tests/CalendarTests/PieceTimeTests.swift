import Calendar
import Testing

/// A day of three minutes has 480 seconds in each real one.
@Suite struct PieceTimeTests {
    private let clock = PieceTime(dayMinutes: 3)
    /// 48,000 s by the clock: 13:20 on day 0.
    private let now = CivilTime(instant: 100, utcOffset: 0)

    @Test func `a clock is put back to the second of a day that it is to begin at, and keeps its speed`() {
        let begun = clock.beginning(at: 21_600, on: -5, now)
        #expect(begun.phase == 21_600 - 48_000 && begun.moment(now) == Moment(seconds: 21_600, offset: 0))
        #expect(begun.instant(21_600) == 100 && begun.instant(86_400) == 235)
        #expect(begun.moment(CivilTime(instant: 235, utcOffset: 0)) == Moment(seconds: 86_400, offset: 0))
        #expect(begun.realSeconds(480) == 1 && begun != clock)
    }

    @Test func `it begins on no day before the one that is asked for, and from anew without its last phase`() {
        let later = clock.beginning(at: 0, on: 7, now)
        #expect(later.moment(now).dayNumber == 7 && later.moment(now).secondOfDay == 0)
        #expect(later.beginning(at: 21_600, on: 0, now) == clock.beginning(at: 21_600, on: 0, now))
    }

    @Test func `a clock of real days stays as it is`() {
        let real = PieceTime(dayMinutes: PieceTime.realDay)
        #expect(real.beginning(at: 21_600, on: 0, now) == real)
    }
}
