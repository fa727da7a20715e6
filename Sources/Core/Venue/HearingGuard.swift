import Units

/// The dose of one local day. It outlasts a restart.
public struct HearingDay: Equatable, Sendable {
    /// Counted from 1970-01-01.
    public var number: Int
    /// In percent of the day's allowance.
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
    /// The level that in 8 hours makes the day's dose; nil for no dose.
    public var equivalent: SoundLevel?
    /// How far the sound is to be turned down.
    public var volume: Decibels
}

/// Accounts the dose that visitors get, and turns the sound down before the limit. A plain value; thread: any.
public struct HearingGuard: Equatable, Sendable {
    public var settings: HearingSettings
    /// Nil before anything was accounted on a day that is known.
    public private(set) var day: HearingDay?
    private var sessionDose = 0.0
    private var level: SoundLevel?
    /// While the day is unknown: the dose, and the seconds.
    private var undatedDose = 0.0
    private var undatedTime = 0.0

    /// The longest time from a sound until the volume has followed: pieces of 1 s, a fade of 2 s, and some delay.
    public static let reaction = Seconds(4)
    /// Volumes are whole multiples of it, in dB, so that they change seldom.
    static let step = 0.5
    /// Less is silence.
    static let lowest = Decibels(-60)
    /// Over a sine of full scale at 1 kHz nothing is louder: 3.01 dB has a square wave, 1.27 dB more A-weighting adds at 2.5 kHz.
    private static let loudest = 4.3

    /// `day`: what was kept of an earlier guard.
    public init(_ settings: HearingSettings, day: HearingDay? = nil) {
        self.settings = settings
        self.day = day
    }

    /// Another visitor has come.
    public mutating func beginSession() {
        sessionDose = 0
        level = nil
    }

    /// Adds what was heard for a `time`: its A-weighted mean square, and the number of the local day, nil while it is unknown. NaN is left
    /// out. Call it at least once a second, to keep within `reaction`.
    public mutating func account(weightedMeanSquare: Float, for time: Seconds, on number: Int?) {
        if let number { turn(to: number) }
        guard time.rawValue > 0, time.rawValue < .infinity else { return }
        level = settings.level(ofMeanSquare: weightedMeanSquare)
        let dose = level.map { settings.dose(of: $0, for: time) } ?? 0
        sessionDose += dose
        day?.dose += dose
        if number == nil { addUndated(dose, time) }
    }

    /// The dose counts for the last known day and for the one that is known next. After 24 hours it is certainly another day.
    private mutating func addUndated(_ dose: Double, _ time: Seconds) {
        undatedDose += dose
        undatedTime += time.rawValue
        guard undatedTime >= 86_400 else { return }
        day = nil
        (undatedDose, undatedTime) = (0, 0)
    }

    /// A later day begins with what was heard since nobody knew the day, which is nothing as a rule. The one before is no new one, because
    /// the clock was set back, and neither is then the day itself.
    /// A day still earlier means that the clock had been wrong: from now on days are counted from there.
    private mutating func turn(to number: Int) {
        defer { (undatedDose, undatedTime) = (0, 0) }
        guard let known = day?.number, number <= known else {
            day = HearingDay(number: number, dose: undatedDose)
            return
        }
        if number < known - 1 { day?.number = number }
    }

    /// 0 dB or less; never rises but for another visitor or another day.
    public var volume: Decibels {
        min(volume(after: sessionDose, of: settings.session), volume(after: dayDose, of: HearingSettings.day))
    }

    public var readings: HearingReadings {
        HearingReadings(level: level.flatMap { $0.rawValue < 0 ? nil : $0 },
                        sessionDose: sessionDose, dayDose: dayDose, equivalent: settings.level(ofDose: dayDose),
                        volume: volume)
    }

    private var dayDose: Double { day?.dose ?? undatedDose }

    /// 0 dB until half of an allowance is used, and then so low that the dose grows in proportion to what is left of it, which it thus
    /// approaches and never reaches: 3 dB·log2(2r), with r the part that is left.
    ///
    /// Instead of the 2 stands less where the loudest sound there can be would use up much of the allowance before the volume answers:
    /// dr/dt = −a·r(t − τ) never takes r below zero while a·τ ≤ 1/e (Győri and Ladas, Oscillation Theory of Delay Differential Equations,
    /// chapter 2).
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
