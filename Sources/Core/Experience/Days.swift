/// Numbers of days by a piece's clock, counted from 1970-01-01, and its moments.
public enum Days {
    /// The last day of the year 9999 is day 4,222,770,000 where a day has one minute.
    public static let numbers = -10_000_000_000...10_000_000_000
    /// In the piece's seconds. The last of the year 9999 is 364,899,365,900,000 where a day has one minute.
    public static let moments = -1_000_000_000...1_000_000_000_000_000

    /// Returns the day `days` after `day`. One beyond `numbers` stays at their edge: a household that has lived fast for years has such days
    /// behind it.
    public static func moved(_ day: Int, by days: Int) -> Int { min(max(day + days, numbers.lowerBound), numbers.upperBound) }
}
