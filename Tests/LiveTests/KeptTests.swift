import Foundation
import Logging
import SystemPackage
import Testing
import TestSupport
import Venue

@testable import Live

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

@Suite struct KeptTests {
    @Test func `where nothing was kept, nothing is assumed and nothing is wrong`() throws {
        let scratch = try Scratch()
        let kept = Kept(in: scratch.file("state"), logger: silent)
        #expect(kept.day == nil && kept.chosen == nil && kept.issues(on: 1) == [])
    }

    @Test func `of a day whose dose is damaged half an allowance is assumed, and told until the day is over`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(#"{"number":20779,"do"#, to: "hearing.json")
        let today = try #require(SystemTime.today)
        let kept = Kept(in: scratch.path, logger: silent)
        #expect(kept.day == HearingDay(number: today, dose: 50))
        let issue = try #require(kept.issues(on: today).first)
        #expect(issue.hasPrefix("\(scratch.file("hearing.json")) was damaged (it makes no sense; it is \(scratch.file("hearing.json.damaged-"))"))
        #expect(issue.hasSuffix("the day's hearing dose is taken to be 50 %"))
        #expect(kept.issues(on: today + 1) == [])
        #expect(kept.issues(on: nil) == [issue])
        // From here on the guard eases the sound down with all that is heard.
        var guardian = HearingGuard(HearingSettings(calibration: SoundLevel(94)), day: kept.day)
        #expect(guardian.volume.rawValue == 0)
        for _ in 0..<3_600 { guardian.account(weightedMeanSquare: 0.06, for: .init(1), on: today) }
        #expect(guardian.volume.rawValue < 0)
    }

    @Test func `a damaged file of another day says nothing of today`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("?", to: "hearing.json")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3 * 86_400)],
                                              ofItemAtPath: scratch.file("hearing.json"))
        let today = try #require(SystemTime.today)
        var guardian = HearingGuard(HearingSettings(calibration: SoundLevel(94)), day: Kept(in: scratch.path, logger: silent).day)
        guardian.account(weightedMeanSquare: 0, for: .init(1), on: today)
        #expect(guardian.day == HearingDay(number: today, dose: 0))
    }

    @Test func `a preset that is damaged is told, and the schedule decides`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(#"{"name":7}"#, to: "preset.json")
        let kept = Kept(in: scratch.path, logger: silent)
        #expect(kept.chosen == nil)
        #expect(kept.issues(on: nil).first?.hasSuffix("the schedule says which preset is on") == true)
        #expect(try scratch.contents.contains { $0.hasPrefix("preset.json.damaged-") })
    }

    @Test func `two that keep their state in one directory know of it, until one is gone`() async throws {
        let scratch = try Scratch()
        var first: StateLock? = StateLock(FilePath(scratch.file("state")))
        first?.tend()
        #expect(try await eventually { try scratch.contents == ["state"] && FileManager.default.fileExists(atPath: scratch.file("state/lock")) })
        let second = StateLock(FilePath(scratch.file("state")))
        #expect(try await eventually {
            second.tend()
            return second.issue?.contains(scratch.file("state")) == true
        })
        #expect(first?.issue == nil)
        first = nil
        #expect(try await eventually {
            second.tend()
            return second.issue == nil
        })
    }
}
