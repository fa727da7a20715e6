import Calendar

/// The evening's message, once a day. At 0 HP the terminal message has taken its place.
extension Cat {
    /// The second of the day from which the message is told to whoever is there.
    static let evening = 21 * 3_600
    /// When it is told though nobody is there, in seconds of the day.
    static let nightly = 23 * 3_600
    /// The second of the next day until which the message may come late, because the machine was off.
    static let latestNightly = 3_600

    /// Tells the evening's message if its time has come. `isSeen` says that somebody is there.
    mutating func turnToEvening(at now: Moment, isSeen: Bool) -> [Occurrence] {
        now.dayNumber == day && now.secondOfDay >= (isSeen ? Self.evening : Self.nightly) ? sayGoodNight(at: now) : []
    }

    /// Tells the evening's message if it has not been told today.
    mutating func sayGoodNight(at now: Moment) -> [Occurrence] {
        guard !today.hasNightly else { return [] }
        today.hasNightly = true
        return [occurrence(.nightly, at: now)]
    }
}
