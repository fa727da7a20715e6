/// What a clock on the wall says, 00:00 to 24:00.
public struct LocalTime: Comparable, Hashable, Sendable {
    /// Since midnight, 0…1440.
    public let minutes: Int

    /// Hours and minutes, as in `09:30`. Nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
              parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
              let hours = Int(parts[0]), let rest = Int(parts[1]), rest < 60, hours * 60 + rest <= 1440 else { return nil }
        minutes = hours * 60 + rest
    }

    public static func < (a: LocalTime, b: LocalTime) -> Bool { a.minutes < b.minutes }

    /// 24:00, at which nothing begins.
    public var isEndOfDay: Bool { minutes == 1440 }
}

/// Days and times of day at some place. Instants are seconds since 1970-01-01 UTC; `utcOffset` says by how many seconds local time is ahead
/// of UTC at an instant.
public enum LocalClock {
    /// Whether a clock can be right that says it is `instant`: not before 2024. One without a battery begins in 1970 when the power comes
    /// back, or when its system was built, and goes on from there until somebody tells it the time.
    public static func isBelievable(_ instant: Int) -> Bool { instant >= 1_704_067_200 }

    /// The local day, counted from 1970-01-01.
    public static func day(at instant: Int, utcOffset: (Int) -> Int) -> Int {
        let (day, rest) = (instant + utcOffset(instant)).quotientAndRemainder(dividingBy: 86_400)
        return rest < 0 ? day - 1 : day
    }

    /// When it is `time` on `day`. Of a time that there is twice it is the first, and of one that the clock leaves out the moment at which
    /// it does so: later times never come to lie before earlier ones.
    public static func instant(_ time: LocalTime, on day: Int, utcOffset: (Int) -> Int) -> Int {
        let local = day * 86_400 + time.minutes * 60
        // No place is a day from UTC, so these lie before and after; and no clock is changed twice in between.
        let (before, after) = (utcOffset(local - 86_400), utcOffset(local + 86_400))
        for offset in [max(before, after), min(before, after)] where utcOffset(local - offset) == offset { return local - offset }
        var (low, high) = (local - max(before, after), local - min(before, after))
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if utcOffset(middle) == before { low = middle } else { high = middle }
        }
        return high
    }
}
