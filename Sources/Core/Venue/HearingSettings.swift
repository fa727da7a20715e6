import Units

/// An A-weighted sound level, in dB over 20 µPa.
public struct SoundLevel: RawRepresentable, Comparable, Hashable, Sendable {
    public var rawValue: Double

    public init(rawValue: Double) { self.rawValue = rawValue }
    public init(_ value: Double) { rawValue = value }

    public static func < (a: SoundLevel, b: SoundLevel) -> Bool { a.rawValue < b.rawValue }
}

/// The calibration and the limits of the hearing guard.
///
/// Doses are percentages of a day's allowance, as in NIOSH publication 98-126, "Criteria for a Recommended Standard: Occupational Noise
/// Exposure", 1.1: D = 100·Σ C/T, with T = 8 h / 2^((L − 85)/3) for a time C at the level L.
public struct HearingSettings: Equatable, Sendable {
    /// What a sine of full scale at 1 kHz is at the listener, 40…140 dB.
    public var calibration: SoundLevel
    /// Allowed for 8 hours a day, 60…90 dB.
    public var limit: SoundLevel
    /// Of the day's allowance, what one visitor may have, 1…100 %. A quarter, because the rest of the day is loud as well.
    public var session: Double

    /// Decibels that halve the time.
    static let exchange = 3.0
    static let day = 100.0
    private static let workday = Seconds(8 * 3600)

    public init(calibration: SoundLevel, limit: SoundLevel = SoundLevel(85), session: Double = 25) {
        self.calibration = calibration
        self.limit = limit
        self.session = session
    }

    /// The level of sound with this A-weighted mean square, 0.5 being a full sine's; nil for silence.
    public func level(ofMeanSquare meanSquare: Float) -> SoundLevel? {
        Magnitude((2 * meanSquare).squareRoot()).decibels.map { SoundLevel(calibration.rawValue + $0.rawValue) }
    }

    /// In percent.
    public func dose(of level: SoundLevel, for time: Seconds) -> Double {
        Self.day * time.rawValue / Self.workday.rawValue * exp2((level.rawValue - limit.rawValue) / Self.exchange)
    }

    /// The level that in 8 hours makes a dose of so many percent; nil for none.
    public func level(ofDose dose: Double) -> SoundLevel? {
        dose > 0 ? SoundLevel(limit.rawValue + Self.exchange * log2(dose / Self.day)) : nil
    }
}
