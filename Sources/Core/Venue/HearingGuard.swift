import Units

/// The dose of one local day. It outlasts a restart.
public struct HearingDay: Equatable, Sendable {
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
    /// The dose for a day whose dose is unknown: half of the allowance. More would turn an installation down that may have been silent all
    /// day. With less the guard would begin to ease too late: from half on it eases with all that is heard, so that somebody who has had
    /// the whole allowance gets at most half of another.
    public static func assumed(on number: Int) -> HearingDay { HearingDay(number: number, dose: 50) }
}

/// The guard's state, for `status`.
public struct HearingReadings: Equatable, Sendable {
    /// The level that was accounted last; nil for silence, less than 0 dBA.
    public var level: SoundLevel?
    /// The doses of the visitor and of the day, in percent of the day's allowance.
    public var sessionDose: Double
    public var dayDose: Double
    /// The level that would make the day's dose in 8 hours; nil for no dose.
    public var equivalent: SoundLevel?
    /// The gain by which the sound is to be turned down, 0 dB or less.
    public var volume: Decibels
}

/// Accounts the dose that visitors get, and turns the sound down before the limit. A plain value; thread: any.
public struct HearingGuard: Equatable, Sendable {
    public var settings: HearingSettings
    /// The dose of the last known day; nil before anything was accounted on one.
    public private(set) var day: HearingDay?
    private var sessionDose = 0.0
    private var level: SoundLevel?
    /// The dose and the seconds accounted while the day is unknown.
    private var undatedDose = 0.0
    private var undatedTime = 0.0

    /// The longest time from a sound until the volume has followed: pieces of 1 s, a fade of 2 s, and some delay.
    public static let reaction = Seconds(4)
    /// The step of volumes in dB. Volumes are whole multiples of it, so that they change seldom.
    static let step = 0.5
    /// The volume below which the sound is silenced.
    static let lowest = Decibels(-60)
    /// How much louder than a sine of full scale at 1 kHz sound can be, dB: a square wave has 3.01 dB more, and A-weighting adds 1.27 dB at
    /// 2.5 kHz.
    private static let loudest = 4.3

    /// Creates a guard. `day` was kept of an earlier one; nil for none.
    public init(_ settings: HearingSettings, day: HearingDay? = nil) {
        self.settings = settings
        self.day = day
    }

    /// Notes that another visitor has come.
    public mutating func beginSession() {
        sessionDose = 0
        level = nil
    }

    /// Adds the sound heard for a `time`: its A-weighted mean square, and the number of the local day, nil while it is unknown. NaN is
    /// ignored. To keep within `reaction`, the owner calls it at least once a second.
    public mutating func account(weightedMeanSquare: Float, for time: Seconds, on number: Int?) {
        if let number { turn(to: number) }
        guard time.rawValue > 0, time.rawValue < .infinity else { return }
        level = settings.level(ofMeanSquare: weightedMeanSquare)
        let dose = level.map { settings.dose(of: $0, for: time) } ?? 0
        sessionDose += dose
        day?.dose += dose
        if number == nil { addUndated(dose, time) }
    }

    /// Adds a dose of an unknown day, which counts for the last known day and for the one that is known next. After 24 hours it is
    /// certainly another day.
    private mutating func addUndated(_ dose: Double, _ time: Seconds) {
        undatedDose += dose
        undatedTime += time.rawValue
        guard undatedTime >= 86_400 else { return }
        day = nil
        (undatedDose, undatedTime) = (0, 0)
    }

    /// Turns to a day. A later day begins with the dose since nobody knew the day, which is nothing as a rule. The day before the last, or
    /// the last itself, is no new one, because the clock was set back. A day still earlier means that the clock had been wrong: from now on
    /// days are counted from there.
    private mutating func turn(to number: Int) {
        defer { (undatedDose, undatedTime) = (0, 0) }
        guard let known = day?.number, number <= known else {
            day = HearingDay(number: number, dose: undatedDose)
            return
        }
        if number < known - 1 { day?.number = number }
    }

    /// The gain for the sound, 0 dB or less. It never rises except for another visitor or another day.
    public var volume: Decibels {
        min(volume(after: sessionDose, of: settings.session), volume(after: dayDose, of: HearingSettings.day))
    }

    public var readings: HearingReadings {
        HearingReadings(level: level.flatMap { $0.rawValue < 0 ? nil : $0 },
                        sessionDose: sessionDose, dayDose: dayDose, equivalent: settings.level(ofDose: dayDose),
                        volume: volume)
    }

    private var dayDose: Double { day?.dose ?? undatedDose }

    /// Returns the volume after a dose: 0 dB until half of an allowance is used, and then so low that the dose grows in proportion to what
    /// is left of it, which it thus approaches and never reaches: 3 dB·log2(2r), with r the part that is left.
    ///
    /// The factor is less than 2 where the loudest possible sound would use up much of the allowance before the volume answers: dr/dt =
    /// −a·r(t − τ) never takes r below zero while a·τ ≤ 1/e (Győri and Ladas, Oscillation Theory of Delay Differential Equations, chapter
    /// 2).
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
    /// The share of the day's allowance that one visitor may have, 1…100 %. A quarter by default, because the rest of the day is loud as
    /// well.
    public var session: Double

    /// The decibels that halve the allowed time.
    static let exchange = 3.0
    static let day = 100.0
    private static let workday = Seconds(8 * 3600)

    public init(calibration: SoundLevel, limit: SoundLevel = SoundLevel(85), session: Double = 25) {
        self.calibration = calibration
        self.limit = limit
        self.session = session
    }

    /// Returns the level of sound with this A-weighted mean square, 0.5 being a full-scale sine's; nil for silence.
    public func level(ofMeanSquare meanSquare: Float) -> SoundLevel? {
        Magnitude((2 * meanSquare).squareRoot()).decibels.map { SoundLevel(calibration.rawValue + $0.rawValue) }
    }

    /// Returns the dose of a level for a time, in percent.
    public func dose(of level: SoundLevel, for time: Seconds) -> Double {
        Self.day * time.rawValue / Self.workday.rawValue * exp2((level.rawValue - limit.rawValue) / Self.exchange)
    }

    /// Returns the level that makes this dose, in percent, in 8 hours; nil for none.
    public func level(ofDose dose: Double) -> SoundLevel? {
        dose > 0 ? SoundLevel(limit.rawValue + Self.exchange * log2(dose / Self.day)) : nil
    }
}
