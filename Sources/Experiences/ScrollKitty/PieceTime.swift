import Calendar

/// The one map between real time and the piece's own civil time. All rules count in the piece's seconds.
///
/// At 1,440 minutes a day the two are the same, with the house's zone and its daylight saving. At any other number the piece has a clock of
/// its own: it shows the real seconds since 1970 in UTC, times 1,440 ÷ `dayMinutes`, and has no zone.
struct PieceTime: Equatable, Sendable {
    /// Real minutes of one of the piece's days, 1…1,440.
    let dayMinutes: Double

    static let realDay = 1_440.0

    var isReal: Bool { dayMinutes == Self.realDay }

    func moment(_ civilTime: CivilTime) -> Moment {
        guard !isReal else { return Moment(seconds: Int(civilTime.instant.rounded(.down)), offset: civilTime.utcOffset) }
        // An instant of today is exact to 0.24 µs, which at most 1,440-fold is less than a millisecond.
        let seconds = civilTime.instant * Self.realDay / dayMinutes
        return Moment(seconds: Int((seconds + 1e-3).rounded(.down)), offset: 0)
    }

    /// The real instant at which the piece's clock has come to `seconds`, in seconds since 1970-01-01 in UTC, rounded up to a millisecond.
    func instant(_ seconds: Int) -> Double {
        isReal ? Double(seconds) : (Double(seconds) * dayMinutes / Self.realDay * 1_000).rounded(.up) / 1_000
    }

    /// How many real seconds so many of the piece's last.
    func realSeconds(_ seconds: Int) -> Double { isReal ? Double(seconds) : Double(seconds) * dayMinutes / Self.realDay }
}

/// A moment by the piece's clock.
struct Moment: Equatable, Sendable {
    static let day = 86_400

    /// Since 1970-01-01 in UTC: what lasts is counted by these.
    var seconds: Int
    /// By how much the local clock is ahead of UTC.
    var offset: Int

    private var local: Int { seconds + offset }

    /// The local day, counted from 1970-01-01.
    var dayNumber: Int { local >= 0 ? local / Self.day : (local - Self.day + 1) / Self.day }
    /// 0…86,399.
    var secondOfDay: Int { local - dayNumber * Self.day }

    /// When the local clock shows so many seconds of its day `day`, if its offset stays as it is.
    func seconds(of secondOfDay: Int, on day: Int) -> Int { day * Self.day + secondOfDay - offset }
}
