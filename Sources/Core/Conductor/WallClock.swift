import Calendar

/// The wall clock's time, as the conductor's owner reads it.
public struct WallClock: Equatable, Sendable {
    /// For people.
    public var iso8601: String
    /// Seconds since 1970-01-01 in UTC.
    public var time: Double
    /// Of the local time, in seconds east of UTC.
    public var utcOffset: Int

    public var civilTime: CivilTime { CivilTime(instant: time, utcOffset: utcOffset) }

    public init(iso8601: String, time: Double, utcOffset: Int) {
        self.iso8601 = iso8601
        self.time = time
        self.utcOffset = utcOffset
    }
}
