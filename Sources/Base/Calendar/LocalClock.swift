/// Days and times of day at some place. Instants are seconds since 1970-01-01 UTC; `utcOffset` says by how many seconds local time is ahead
/// of UTC at an instant.
public enum LocalClock {
    /// Whether a clock can be right that says it is `instant`: not before 2024. One without a battery begins in 1970 when the power comes
    /// back, or when its system was built, and goes on from there until somebody tells it the time.
    public static func isBelievable(_ instant: Int) -> Bool { instant >= 1_704_067_200 }

    /// The local day, counted from 1970-01-01.
    public static func day(at instant: Int, utcOffset: (Int) -> Int) -> Int {
        (instant + utcOffset(instant)).whole(86_400)
    }

    /// When it is `time` on `day`. Of a time that there is twice it is the first, and of one that the clock leaves out the moment at which
    /// it does so: later times never come to lie before earlier ones.
    public static func instant(_ time: LocalTime, on day: Int, utcOffset: (Int) -> Int) -> Int {
        let local = day * 86_400 + time.minutes * 60
        // No place is a day from UTC, so these lie before and after; and no clock is changed twice in between.
        let (before, after) = (utcOffset(local - 86_400), utcOffset(local + 86_400))
        for offset in [max(before, after), min(before, after)] where utcOffset(local - offset) == offset { return local - offset }
        return change(between: local - max(before, after), and: local - min(before, after), utcOffset: utcOffset)
    }

    /// The next time after `instant` that it is `time`, which is once on each local day: by the rules of `instant(_:on:utcOffset:)`.
    public static func next(_ time: LocalTime, after instant: Int, utcOffset: (Int) -> Int) -> Int {
        // Of yesterday's, 24:00 is still to come.
        var day = day(at: instant, utcOffset: utcOffset) - 1
        while true {
            let next = Self.instant(time, on: day, utcOffset: utcOffset)
            if next > instant { return next }
            day += 1
        }
    }

    /// How many local midnights lie after `start`, up to and with `end`; negative where `end` is earlier.
    public static func days(from start: Int, to end: Int, utcOffset: (Int) -> Int) -> Int {
        day(at: end, utcOffset: utcOffset) - day(at: start, utcOffset: utcOffset)
    }

    /// The first second with another offset than `low` has, which `high` is or lies after; there is one change between them.
    private static func change(between low: Int, and high: Int, utcOffset: (Int) -> Int) -> Int {
        let before = utcOffset(low)
        var (low, high) = (low, high)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if utcOffset(middle) == before { low = middle } else { high = middle }
        }
        return high
    }
}

extension Int {
    /// How often `divisor` fits in, rounded down; so also before 1970.
    func whole(_ divisor: Int) -> Int {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
