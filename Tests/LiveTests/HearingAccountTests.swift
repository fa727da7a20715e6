import Signals
import Synth
import Testing
import Units
import Venue

@testable import Live

/// A full sine is 85 dB at the listener, and 85 dB are allowed for 8 hours: a second of it is 1/288 % of the day's dose.
@Suite struct HearingAccountTests {
    private static let second: Int64 = 1_000_000_000
    private static let loud = MeterReading(peak: 1, meanSquare: 0.5, weightedMeanSquare: 0.5)

    private func house(calibrated: Bool = true) throws -> House {
        let venue = try Venue(hearing: calibrated ? HearingSettings(calibration: SoundLevel(85)) : nil)
        return House(.silent(venue: venue))
    }

    private func report(_ state: OutputState = .connected, renderedSeconds: Int64 = 1_000) -> OutputReport {
        var report = OutputReport()
        report.state = state
        report.clock = PlayClock(framesPerNanosecond: 48_000 / 1e9)
        report.rendered = Frame(renderedSeconds * 48_000)
        return report
    }

    private func seconds(of dose: Double?) -> Double? { dose.map { ($0 * 288 * 1000).rounded() / 1000 } }

    @Test func `what was heard is accounted about once a second, each frame once`() throws {
        var house = try house()
        var account = HearingAccount()
        var asked: [Range<Int64>] = []
        for tenth: Int64 in 0...34 {
            account.account(report(), at: tenth * Self.second / 10, sessions: 1, start: .zero, rate: .standard, day: 1, in: &house) {
                asked.append($0.lowerBound.rawValue..<$0.upperBound.rawValue)
                return Self.loud
            }
        }
        #expect(asked == [0..<48_000, 48_000..<96_000, 96_000..<144_000])
        #expect(seconds(of: house.guardian?.day?.dose) == 3)
    }

    @Test func `frames that are not rendered were not heard`() throws {
        var house = try house()
        var account = HearingAccount()
        var asked: [Range<Int64>] = []
        for second: Int64 in [1, 5, 9] {
            account.account(report(renderedSeconds: 4), at: second * Self.second, sessions: 1, start: .zero, rate: .standard, day: 1,
                            in: &house) {
                asked.append($0.lowerBound.rawValue..<$0.upperBound.rawValue)
                return Self.loud
            }
        }
        #expect(asked == [0..<48_000, 48_000..<192_000])
    }

    @Test func `nothing is accounted of what no server played, and what is not known waits`() throws {
        var house = try house()
        var account = HearingAccount()
        account.account(report(.waiting), at: 5 * Self.second, sessions: 1, start: .zero, rate: .standard, day: 1, in: &house) { _ in
            Self.loud
        }
        account.account(report(), at: 6 * Self.second, sessions: 1, start: .zero, rate: .standard, day: 1, in: &house) { _ in nil }
        #expect(house.guardian?.day == nil)
        account.account(report(), at: 7 * Self.second, sessions: 1, start: .zero, rate: .standard, day: 1, in: &house) { _ in Self.loud }
        #expect(seconds(of: house.guardian?.day?.dose) == 2, "the second that was not known, and the one after it")
    }

    @Test func `a guard that comes with a reload begins then`() throws {
        var account = HearingAccount()
        var uncalibrated = try house(calibrated: false)
        account.account(report(), at: 100 * Self.second, sessions: 1, start: .zero, rate: .standard, day: 1, in: &uncalibrated) { _ in
            Self.loud
        }
        var house = try house()
        account.account(report(), at: 101 * Self.second, sessions: 1, start: .zero, rate: .standard, day: 1, in: &house) { _ in Self.loud }
        #expect(seconds(of: house.guardian?.day?.dose) == 1)
    }

    @Test func `each visitor has ears of their own, and the day has them all`() throws {
        var house = try house()
        var account = HearingAccount()
        func hear(until second: Int64, sessions: Int, start: Int64?) {
            account.account(report(), at: second * Self.second, sessions: sessions, start: start.map { Frame($0 * 48_000) },
                            rate: .standard, day: 1, in: &house) { _ in Self.loud }
        }
        hear(until: 0, sessions: 1, start: 0)
        hear(until: 10, sessions: 1, start: 0)
        let first = house.guardian?.readings.sessionDose ?? 0
        #expect(first > 0)
        // The next one came at second 12: what was heard before that is not theirs.
        hear(until: 14, sessions: 2, start: 12)
        #expect(abs((house.guardian?.readings.sessionDose ?? 0) * 5 - first) < 1e-9, "2 s of theirs to 10 s before")
        #expect(seconds(of: house.guardian?.day?.dose) == 12)
    }
}
