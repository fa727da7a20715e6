import Calendar

extension HouseReport {
    /// The notices with times in UTC, for machines.
    public var notices: [String] { notices { CivilTime(instant: Double($0), utcOffset: 0).iso8601 } }

    /// The notices without who it was: `/health` answers anybody, and names are for operators.
    public var anonymousNotices: [String] {
        var report = self
        report.mute?.by = Self.somebody
        report.ceiling.byHand?.by = Self.somebody
        return report.notices
    }

    private static let somebody = "a front end"

    /// What somebody has set by hand and everybody should know, in words; empty as a rule. It is meant, and so no issue. `time` is how an
    /// instant is written, in seconds since 1970-01-01 in UTC.
    public func notices(_ time: (Int) -> String) -> [String] {
        func origin(_ hand: ByHand) -> String { "by \(hand.by)" + (hand.since.map { " since \(time($0))" } ?? "") }
        var notices: [String] = []
        if let mute { notices.append("muted \(origin(mute)): nothing is heard until output.mute is sent with on=false") }
        if let hand = ceiling.byHand {
            notices.append("the ceiling is \(decibels(ceiling.level)) dBFS \(origin(hand)), that of settings, theme and preset is "
                + "\(decibels(ceiling.setting)) dBFS")
        }
        return notices
    }

    private func decibels(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}
