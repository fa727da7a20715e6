import Units

/// The average level that a country's rules allow for an audience. The raw value is the word in the settings. `-children` is for houses to
/// which children come, and for events for children. The sources are in docs/hearing.md.
public enum SoundLimit: String, CaseIterable, Sendable {
    case switzerland = "CH", swissChildren = "CH-children"
    case germany = "DE"
    case france = "FR", frenchChildren = "FR-children"
    case britain = "GB"
    case netherlands = "NL"
    case sweden = "SE", swedishChildren = "SE-children"
    case unitedStates = "US"
    case worldHealthOrganization = "WHO"

    /// The highest allowed average level in dBA, and the minutes over which the average is taken. The rules of Sweden and Britain take the
    /// average over the whole event. For these two, the shortest time of the other rules is used, 15 minutes: the strictest reading.
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

    /// The level for 8 hours a day that keeps the average, at most 85 dBA. It keeps the average even if somebody hears the allowances of
    /// two days, before and after midnight, within the time of one average. The limit for workplaces (US) holds for a single day, and is
    /// returned unchanged.
    ///
    /// A dose of 2 days at the level L lasts 2·T = 16 h / 2^((L − limit) / 3), so limit = L − 3·log2(16 h / time). Of all sounds with that
    /// dose a steady one has the most energy, because the exchange rate of 3 dB is less than the 3.01 dB that double the energy.
    public var daily: SoundLevel {
        guard self != .unitedStates else { return average.level }
        let (level, minutes) = average
        return min(SoundLevel(85), SoundLevel(level.rawValue - HearingSettings.exchange * log2(16 * 60 / minutes)))
    }
}
