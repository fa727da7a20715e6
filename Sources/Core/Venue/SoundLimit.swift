import Units

/// What a country allows an audience as an average level, by the word that stands in the settings. `-children` is for houses that
/// children visit, or events for them. The sources are in docs/hearing.md.
public enum SoundLimit: String, CaseIterable, Sendable {
    case switzerland = "CH", swissChildren = "CH-children"
    case germany = "DE"
    case france = "FR", frenchChildren = "FR-children"
    case britain = "GB"
    case netherlands = "NL"
    case sweden = "SE", swedishChildren = "SE-children"
    case unitedStates = "US"
    case worldHealthOrganization = "WHO"

    /// The highest average level in dBA, and the minutes over which it is taken. Sweden and Britain name the event itself: the shortest
    /// time of the others stands for it, which is the strictest reading.
    public var average: (level: SoundLevel, minutes: Double) {
        switch self {
        case .switzerland: (SoundLevel(100), 60)
        case .swissChildren: (SoundLevel(93), 60)
        case .germany: (SoundLevel(99), 30)
        case .france: (SoundLevel(102), 15)
        case .frenchChildren: (SoundLevel(94), 15)
        case .britain: (SoundLevel(107), 15)
        case .netherlands: (SoundLevel(103), 15)
        case .sweden: (SoundLevel(100), 15)
        case .swedishChildren: (SoundLevel(97), 15)
        case .unitedStates: (SoundLevel(85), 8 * 60)
        case .worldHealthOrganization: (SoundLevel(100), 15)
        }
    }

    /// The level for 8 hours a day that keeps the average, 85 dBA at most: even when the allowances of two days, one before midnight and
    /// one after, are heard in the time of one average. A workplace's limit (US) is for a day as it is.
    ///
    /// A dose of 2 days at the level L lasts 2·T = 16 h / 2^((L − limit) / 3), so limit = L − 3·log2(16 h / time). Of all sounds with that
    /// dose a steady one has the most energy, because the exchange rate of 3 dB is less than the 3.01 dB that double the energy.
    public var daily: SoundLevel {
        guard self != .unitedStates else { return average.level }
        let (level, minutes) = average
        return min(SoundLevel(85), SoundLevel(level.rawValue - HearingSettings.exchange * log2(16 * 60 / minutes)))
    }
}
