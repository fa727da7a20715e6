/// When an event is to be heard.
public enum Moment: Equatable, Sendable {
    /// CLOCK_MONOTONIC in nanoseconds. What has passed is heard a constant time later; what is to come, just then.
    case at(Int64)
    /// So many milliseconds from when it is read.
    case after(Double)

    /// How far ahead it may be, in nanoseconds.
    public static let horizon: Int64 = 600_000_000_000
}
