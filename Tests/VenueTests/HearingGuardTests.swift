import Fields
import Foundation
import Signals
import Testing
import Units
import Venue

@Suite struct HearingGuardTests {
    /// What NIOSH 98-126, table 1-1, allows a day.
    private static let allowed: [(level: Double, minutes: Int)] = [(85, 480), (88, 240), (91, 120), (94, 60), (97, 30), (100, 15)]

    /// The mean square of sound that is `level` at the listener.
    private static func meanSquare(_ level: Double, calibration: Double) -> Float { Float(0.5 * pow(10, (level - calibration) / 10)) }

    @Test(arguments: allowed) func `what NIOSH allows for a day makes a dose of 100 %`(level: Double, minutes: Int) throws {
        var ears = HearingGuard(HearingSettings(calibration: SoundLevel(96)))
        for _ in 0..<minutes * 60 { ears.account(weightedMeanSquare: Self.meanSquare(level, calibration: 96), for: Seconds(1), on: 20_000) }
        let readings = ears.readings
        #expect(abs(readings.dayDose - 100) < 0.01)
        #expect(abs(readings.sessionDose - 100) < 0.01)
        #expect(abs(try #require(readings.equivalent).rawValue - 85) < 0.001)
        #expect(abs(try #require(readings.level).rawValue - level) < 0.001)
    }

    /// D = 100·C/T, T = 8 h / 2^((L − limit)/3), over levels soft and loud: there is no threshold.
    @Test(arguments: [40.0, 66.6, 79.9, 103.7]) func `the dose is NIOSH's at any level and for pieces of any length`(level: Double) {
        let settings = HearingSettings(calibration: SoundLevel(104), limit: SoundLevel(80))
        var ears = HearingGuard(settings)
        let pieces = [0.25, 1, 0.6, 0.01]
        for piece in pieces { ears.account(weightedMeanSquare: Self.meanSquare(level, calibration: 104), for: Seconds(piece), on: 1) }
        let expected = 100 * pieces.reduce(0, +) / (8 * 3600 / pow(2, (level - 80) / 3))
        #expect(abs(10 * log10(ears.readings.dayDose / expected)) < 0.001)
    }

    /// A sound that goes on for two hours at full scale, and the volume answers 3 s late. Every 20 minutes somebody else comes.
    @Test(arguments: [85.0, 96, 106, 112, 120, 140], [60.0, 85, 90])
    func `no visitor and no day ever reaches what is allowed, however loud it is`(calibration: Double, limit: Double) {
        let settings = HearingSettings(calibration: SoundLevel(calibration), limit: SoundLevel(limit), session: 25)
        // A square wave of 2.5 kHz: nothing is louder.
        let loudest = calibration + 4.28
        var ears = HearingGuard(settings)
        var volumes = [Double](repeating: ears.volume.rawValue, count: 4)
        var changes = 0
        var reached = 0.0
        for second in 0..<7_200 {
            if second % 1_200 == 0 {
                ears.beginSession()
                volumes = [Double](repeating: ears.volume.rawValue, count: 4)
                changes = 0
            }
            let heard = volumes[volumes.count - 4]
            let level = heard > -120 ? Self.meanSquare(loudest + heard, calibration: calibration) : 0
            ears.account(weightedMeanSquare: level, for: Seconds(1), on: 20_000)
            let volume = ears.volume.rawValue
            #expect(volume <= volumes[volumes.count - 1])
            if volume != volumes[volumes.count - 1] { changes += 1 }
            volumes.append(volume)
            let readings = ears.readings
            #expect(readings.sessionDose < 25 && readings.dayDose < 100, "after \(second) s")
            #expect(changes <= 121)
            reached = max(reached, readings.dayDose)
            guard readings.sessionDose < 25, readings.dayDose < 100 else { return }
        }
        // It is no silence either that keeps within it.
        let unguarded = settings.dose(of: SoundLevel(loudest), for: Seconds(1_200))
        #expect(reached > min(100, unguarded) * 0.1)
    }

    @Test func `the volume is untouched until half is used, and the rate then halves as what is left does`() {
        var ears = HearingGuard(HearingSettings(calibration: SoundLevel(91), session: 100))
        func hear(_ percent: Double) { ears.account(weightedMeanSquare: 0.5, for: Seconds(72 * percent), on: 1) }
        hear(49.9)
        #expect(ears.volume == Decibels(0))
        hear(25.0)
        // A quarter is left: half the rate, 3 dB, and the next step down.
        #expect(ears.volume == Decibels(-3))
        hear(12.5)
        #expect(ears.volume == Decibels(-6))
        hear(12.5)
        #expect(ears.volume < Decibels(-25))
        hear(1)
        #expect(ears.volume == .silence)
    }

    @Test func `somebody else has their own allowance, but the day goes on`() {
        var ears = HearingGuard(HearingSettings(calibration: SoundLevel(91)))
        ears.account(weightedMeanSquare: 0.5, for: Seconds(72 * 20), on: 1)
        #expect(ears.volume < Decibels(0))
        ears.beginSession()
        #expect(ears.volume == Decibels(0))
        #expect(ears.readings.sessionDose == 0)
        #expect(abs(ears.readings.dayDose - 20) < 1e-6)
        #expect(ears.readings.level == nil)
    }

    @Test func `a day begins with nothing, and a clock set back begins none`() {
        var ears = HearingGuard(HearingSettings(calibration: SoundLevel(91)))
        func hear(on day: Int) -> Double {
            ears.account(weightedMeanSquare: 0.5, for: Seconds(72), on: day)
            return ears.readings.dayDose.rounded()
        }
        #expect(hear(on: 100) == 1)
        #expect(hear(on: 100) == 2)
        #expect(hear(on: 101) == 1)
        // Back over midnight, and on again.
        #expect(hear(on: 100) == 2)
        #expect(hear(on: 101) == 3)
        #expect(hear(on: 102) == 1)
        // A clock that was far ahead does not keep the day from ending.
        #expect(hear(on: 5_000) == 1)
        #expect(hear(on: 102) == 2)
        #expect(hear(on: 103) == 1)
    }

    @Test func `while nobody knows the day, what is heard counts for the last one known and for the one that comes`() {
        func ears(_ dose: Double?) -> HearingGuard {
            HearingGuard(HearingSettings(calibration: SoundLevel(91)), day: dose.map { HearingDay(number: 20_000, dose: $0) })
        }
        /// A percent of a day's allowance.
        func hear(_ ears: inout HearingGuard, on day: Int?) -> Double {
            ears.account(weightedMeanSquare: 0.5, for: Seconds(72), on: day)
            return ears.readings.dayDose.rounded()
        }
        var same = ears(60)
        #expect(hear(&same, on: nil) == 61)
        #expect(hear(&same, on: 20_000) == 62)
        var next = ears(60)
        #expect(hear(&next, on: nil) == 61)
        #expect(hear(&next, on: nil) == 62)
        #expect(hear(&next, on: 20_001) == 3)
        #expect(hear(&next, on: 20_002) == 1)
        var first = ears(nil)
        #expect(hear(&first, on: nil) == 1)
        #expect(first.day == nil)
        #expect(hear(&first, on: 20_000) == 2)
        #expect(first.day?.number == 20_000)
    }

    @Test func `after 24 hours of not knowing the day another has begun`() {
        var ears = HearingGuard(HearingSettings(calibration: SoundLevel(91)), day: HearingDay(number: 20_000, dose: 99))
        #expect(ears.volume < Decibels(-10))
        for _ in 0..<86_399 { ears.account(weightedMeanSquare: 0, for: Seconds(1), on: nil) }
        #expect(ears.readings.dayDose == 99)
        ears.account(weightedMeanSquare: 0, for: Seconds(1), on: nil)
        #expect(ears.readings.dayDose == 0)
        #expect(ears.volume == Decibels(0))
    }

    @Test func `the day's dose outlives the program`() throws {
        var ears = HearingGuard(HearingSettings(calibration: SoundLevel(91)))
        ears.account(weightedMeanSquare: 0.5, for: Seconds(72 * 60), on: 20_000)
        let kept = try JSONEncoder().encode(ears.day)
        var after = HearingGuard(ears.settings, day: try JSONDecoder().decode(HearingDay.self, from: kept))
        after.account(weightedMeanSquare: 0.5, for: Seconds(72), on: 20_000)
        #expect(abs(after.readings.dayDose - 61) < 1e-6)
        #expect(after.volume < Decibels(0))
        #expect(throws: Fault.self) { try JSONDecoder().decode(HearingDay.self, from: Data(#"{"number": 20000, "dose": -3}"#.utf8)) }
    }

    @Test func `silence and what is no number add nothing`() {
        var ears = HearingGuard(HearingSettings(calibration: SoundLevel(140)))
        for meanSquare in [0, .nan, .infinity, -1] as [Float] {
            ears.account(weightedMeanSquare: meanSquare, for: Seconds(1), on: 1)
            #expect(ears.readings.level == nil)
        }
        ears.account(weightedMeanSquare: 0.5, for: Seconds(.nan), on: 1)
        #expect(ears.readings.dayDose == 0)
        #expect(ears.readings.equivalent == nil)
    }

    /// The averages are those of the rules themselves (docs/hearing.md). A house that was silent all day plays full scale around midnight,
    /// so that two days' doses come within one average, to visitors of a minute each. A volume counts 4 s after it was said.
    @Test(arguments: [
        (SoundLimit.switzerland, 100.0, 60), (.swissChildren, 93, 60), (.germany, 99, 30), (.france, 102, 15), (.frenchChildren, 94, 15),
        (.britain, 107, 15), (.netherlands, 103, 15), (.sweden, 100, 15), (.swedishChildren, 97, 15), (.worldHealthOrganization, 100, 15),
    ]) func `no average is above what a country allows, around midnight either`(country: SoundLimit, level: Double, minutes: Int) {
        let calibration = 112.0
        var ears = HearingGuard(HearingSettings(calibration: SoundLevel(calibration), limit: country.daily, session: 100))
        let window = minutes * 60, midnight = window / 2
        var energies: [Double] = []
        var volumes = [Double](repeating: ears.volume.rawValue, count: 4)
        for second in 0..<midnight + window {
            if second % 60 == 0 { ears.beginSession() }
            volumes.append(ears.volume.rawValue)
            let heard = calibration + volumes[second]
            energies.append(pow(10, heard / 10))
            ears.account(weightedMeanSquare: Self.meanSquare(heard, calibration: calibration), for: Seconds(1), on: second < midnight ? 20_000 : 20_001)
        }
        var sum = energies[..<window].reduce(0, +), most = sum
        for second in window..<midnight + window {
            sum += energies[second] - energies[second - window]
            most = max(most, sum)
        }
        let average = 10 * log10(most / Double(window))
        #expect(average <= level, "\(average) dBA")
        #expect(country.daily.rawValue >= 85 || average > level - 1, "\(average) dBA: the limit is lower than it has to be")
    }

    @Test func `no word makes the limit higher than 85 dBA`() {
        #expect(SoundLimit.allCases.allSatisfy { $0.daily <= SoundLevel(85) })
        #expect(SoundLimit.unitedStates.daily == SoundLevel(85))
    }
}
