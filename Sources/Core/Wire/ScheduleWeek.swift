/// The answer to `schedule.week`: which preset the schedule has for when, from the last midnight on, for seven days.
public struct ScheduleWeek: Codable, Equatable, Sendable {
    public struct Span: Codable, Equatable, Sendable {
        /// Seconds since 1970-01-01 in UTC.
        public var start: Int
        public var until: Int
        public var preset: String
        /// The schedule's entry; nil outside of all.
        public var entry: String?
        /// Whether the preset is more than silence.
        public var isOpen: Bool

        public init(start: Int, until: Int, preset: String, entry: String?, isOpen: Bool) {
            self.start = start
            self.until = until
            self.preset = preset
            self.entry = entry
            self.isOpen = isOpen
        }
    }

    /// One after the other; none while the clock is obviously wrong.
    public var spans: [Span]
    /// The preset that somebody has chosen, until the schedule changes; nil where the schedule decides.
    public var chosen: String?

    public init(spans: [Span], chosen: String?) {
        self.spans = spans
        self.chosen = chosen
    }
}
