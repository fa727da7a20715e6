/// A time zone by the moments its clocks are changed: (from when, seconds ahead of UTC), as Python's zoneinfo has them for 2026.
public struct Zone: Sendable {
    private let changes: [(instant: Int, offset: Int)]

    public static let berlin = Zone(changes: [(.min, 3_600), (1_774_746_000, 7_200), (1_792_890_000, 3_600)])
    public static let newYork = Zone(changes: [(.min, -18_000), (1_772_953_200, -14_400), (1_793_512_800, -18_000)])
    public static let lordHowe = Zone(changes: [(.min, 39_600), (1_775_314_800, 37_800), (1_791_041_400, 39_600)])
    /// Clocks go back for Ramadan.
    public static let casablanca = Zone(changes: [(.min, 3_600), (1_771_120_800, 0), (1_774_144_800, 3_600)])
    public static let utc = Zone(changes: [(.min, 0)])

    public func offset(_ instant: Int) -> Int { changes.last { $0.instant <= instant }?.offset ?? 0 }
}
