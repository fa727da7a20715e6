import Units

/// The dose of one local day. It is stored, so that a restart does not lose it.
public struct HearingDay: Encodable, Equatable, Sendable {
    /// The local day, counted from 1970-01-01.
    public var number: Int
    /// The dose in percent of the day's allowance.
    public var dose: Double

    public init(number: Int, dose: Double = 0) {
        self.number = number
        self.dose = dose
    }
}

extension HearingDay {
    /// Returns the dose to assume for a day whose dose is unknown: half of the allowance. A higher dose would turn down an installation
    /// that may have been silent all day. With a lower dose, the guard would begin too late to turn the sound down. From half of the
    /// allowance on, the guard turns the sound down as the dose grows. So a visitor who has had a whole allowance gets at most half of
    /// another.
    public static func assumed(on number: Int) -> HearingDay { HearingDay(number: number, dose: 50) }
}

/// The state of the hearing guard, for `status`.
public struct HearingReadings: Equatable, Sendable {
    /// The latest level that was added to the dose; nil for less than 0 dBA, which counts as silence.
    public var level: SoundLevel?
    /// The current visitor's dose; `dayDose` is the dose of the day. Both are in percent of the day's allowance.
    public var sessionDose: Double
    public var dayDose: Double
    /// The level that would give the day's dose in 8 hours; nil where the dose is 0.
    public var equivalent: SoundLevel?
    /// The gain by which the sound is to be turned down, 0 dB or less.
    public var volume: Decibels
}

/// Adds up the dose of sound that visitors get, and turns the sound down before the limit is reached. It is a plain value. Thread: any.
public struct HearingGuard: Equatable, Sendable {
    public var settings: HearingSettings
    /// The dose of the latest known day; nil before any sound was counted for a known day.
    public private(set) var day: HearingDay?
    private var sessionDose = 0.0
    private var level: SoundLevel?
    /// The dose and the seconds that were counted while nobody knew which day it was.
    private var undatedDose = 0.0
    private var undatedTime = 0.0

    /// The longest time from a sound until the volume has changed because of it. Sound is counted in pieces of 1 s, the fade takes 2 s, and
    /// there is some delay.
    public static let reaction = Seconds(4)
    /// The step of volumes in dB. Volumes are multiples of this step, so that they do not change all the time.
    static let step = 0.5
    /// Where the volume would be lower than this, the sound is silenced.
    static let lowest = Decibels(-60)
    /// The largest difference, in dB, between the A-weighted level of sound and that of a full-scale sine of 1 kHz. A square wave has 3.01
    /// dB more, and A-weighting adds 1.27 dB at 2.5 kHz.
    private static let loudest = 4.3

    /// Creates a guard. `day` is the day's dose that an earlier run of the daemon stored; nil when none was stored.
    public init(_ settings: HearingSettings, day: HearingDay? = nil) {
        self.settings = settings
        self.day = day
    }

    /// Starts the dose of another visitor.
    public mutating func beginSession() {
        sessionDose = 0
        level = nil
    }

    /// Adds the sound heard during `time`: its A-weighted mean square, and the number of the local day, which is nil while the clock cannot
    /// be right. NaN is ignored. Call this at least once a second: `reaction` relies on that.
    public mutating func account(weightedMeanSquare: Float, for time: Seconds, on number: Int?) {
        if let number { turn(to: number) }
        guard time.rawValue > 0, time.rawValue < .infinity else { return }
        level = settings.level(ofMeanSquare: weightedMeanSquare)
        let dose = level.map { settings.dose(of: $0, for: time) } ?? 0
        sessionDose += dose
        day?.dose += dose
        if number == nil { addUndated(dose, time) }
    }

    /// Adds a dose while the day is unknown. It counts for the latest known day, and for the next day that becomes known. After 24 hours,
    /// the latest known day is certainly over.
    private mutating func addUndated(_ dose: Double, _ time: Seconds) {
        undatedDose += dose
        undatedTime += time.rawValue
        guard undatedTime >= 86_400 else { return }
        day = nil
        (undatedDose, undatedTime) = (0, 0)
    }

    /// Turns to the day `number`. A later day than before starts with the dose that was counted while the day was unknown, which is usually
    /// none. If `number` is the same day or the day before, the clock was set back, and the current day goes on. If it is earlier still,
    /// the clock had been wrong, and days are counted from `number` on.
    private mutating func turn(to number: Int) {
        defer { (undatedDose, undatedTime) = (0, 0) }
        guard let known = day?.number, number <= known else {
            day = HearingDay(number: number, dose: undatedDose)
            return
        }
        if number < known - 1 { day?.number = number }
    }

    /// The gain for the sound, 0 dB or less. It never rises, except for another visitor or another day.
    public var volume: Decibels {
        min(volume(after: sessionDose, of: settings.session), volume(after: dayDose, of: HearingSettings.day))
    }

    public var readings: HearingReadings {
        HearingReadings(level: level.flatMap { $0.rawValue < 0 ? nil : $0 },
                        sessionDose: sessionDose, dayDose: dayDose, equivalent: settings.level(ofDose: dayDose),
                        volume: volume)
    }

    private var dayDose: Double { day?.dose ?? undatedDose }

    /// Returns the volume after a dose. Until half of an allowance is used up, it is 0 dB. From there on, it is 3 dB·log2(2r), where r is
    /// the part of the allowance that is left: the dose then grows in proportion to r, and so approaches the allowance without reaching it.
    ///
    /// The factor is less than 2 where the loudest possible sound could use up much of the allowance before the volume answers.
    /// (dr/dt = −a·r(t − τ) never takes r below zero while a·τ ≤ 1/e: Győri and Ladas, Oscillation Theory of Delay Differential
    /// Equations, chapter 2.)
    private func volume(after dose: Double, of allowance: Double) -> Decibels {
        let loudest = SoundLevel(settings.calibration.rawValue + Self.loudest)
        let slope = min(2, allowance / (e * settings.dose(of: loudest, for: Self.reaction)))
        let share = slope * (1 - dose / allowance)
        guard share > 0 else { return .silence }
        guard share < 1 else { return Decibels(0) }
        let level = Decibels((HearingSettings.exchange * log2(share) / Self.step).rounded(.down) * Self.step)
        return level < Self.lowest ? .silence : level
    }
}

/// Euler's number, OEIS A001113.
private let e = 2.718281828459045

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
    /// The level of a full-scale sine of 1 kHz at the listener, 40…140 dB.
    public var calibration: SoundLevel
    /// The level that is allowed for 8 hours a day, 60…90 dBA.
    public var limit: SoundLevel
    /// The part of the day's allowance that one visitor may use up, 1…100 %. The default is a quarter, because the rest of a visitor's
    /// day is loud as well.
    public var session: Double
    /// The country whose limit the settings name; nil when they name none. `limit` already keeps within that country's limit.
    public var country: SoundLimit?

    /// The number of decibels that halve the allowed time.
    static let exchange = 3.0
    static let day = 100.0
    private static let workday = Seconds(8 * 3600)

    public init(calibration: SoundLevel, limit: SoundLevel = SoundLevel(85), session: Double = 25, country: SoundLimit? = nil) {
        self.calibration = calibration
        self.limit = limit
        self.session = session
        self.country = country
    }

    /// Returns the level of sound that has this A-weighted mean square (a full-scale sine of 1 kHz has 0.5); nil for silence, which has no
    /// level in decibels.
    public func level(ofMeanSquare meanSquare: Float) -> SoundLevel? {
        Magnitude((2 * meanSquare).squareRoot()).decibels.map { SoundLevel(calibration.rawValue + $0.rawValue) }
    }

    /// Returns the dose that a level gives in a time, in percent of the day's allowance.
    public func dose(of level: SoundLevel, for time: Seconds) -> Double {
        Self.day * time.rawValue / Self.workday.rawValue * exp2((level.rawValue - limit.rawValue) / Self.exchange)
    }

    /// Returns the level that gives this dose (in percent of the day's allowance) in 8 hours; nil for a dose of 0.
    public func level(ofDose dose: Double) -> SoundLevel? {
        dose > 0 ? SoundLevel(limit.rawValue + Self.exchange * log2(dose / Self.day)) : nil
    }
}
