import Conductor
import Experience
import Fields
import Foundation
import GRDB
import Logging
import Signals
import StateStore
import SystemPackage
import Testing
import TestSupport
import Units
import Venue

@testable import Live

private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
private let everything = "the day's hearing dose is taken to be 50 %, the schedule says which preset is on, no volume is set, nothing is known of households, no document is published, and no token is good"

@Suite struct KeptTests {
    @Test func `where nothing was kept, nothing is assumed and nothing is wrong`() throws {
        let scratch = try Scratch()
        let kept = Kept(in: scratch.file("state"), logger: silent)
        #expect(kept.day == nil && kept.chosen == nil && kept.issues(on: 1) == [])
    }

    @Test func `without a state directory nothing is kept, which is an issue, and said of each choice`() async throws {
        var kept = Kept(in: nil, logger: silent)
        let house = House(.silent())
        let problem = await withCheckedContinuation { continuation in kept.keep(house, 0) { continuation.resume(returning: $0) } }
        let reason = try #require(problem?.reason)
        #expect(reason.hasPrefix("there is no state directory"))
        #expect(kept.issues(on: 1) == ["what is to outlast a restart is not kept: " + reason])
        kept.finish()
    }

    @Test func `a preset that was said to be kept is there at the next start`() async throws {
        let scratch = try Scratch()
        var first = Kept(in: scratch.path, logger: silent)
        var house = House(.silent())
        try house.use(preset: "quiet-day")
        let problem = await withCheckedContinuation { continuation in first.keep(house, 0) { continuation.resume(returning: $0) } }
        #expect(problem == nil)
        // As a process leaves it that is killed: what was written is in the WAL.
        let copy = try Scratch()
        for name in ["state.sqlite", "state.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: scratch.file(name), toPath: copy.file(name))
        }
        #expect(Kept(in: copy.path, logger: silent).chosen == ChosenPreset(name: "quiet-day"))
    }

    @Test func `a volume that was said to be kept is there at the next start, and gone when it was given back`() async throws {
        let scratch = try Scratch()
        var house = House(.silent())
        for level in [-12.0, -3, 0] {
            var kept = Kept(in: scratch.path, logger: silent)
            house.use(volume: Decibels(level), by: "anna", at: 1_795_352_400)
            let problem = await withCheckedContinuation { continuation in kept.keepChoice(of: .volume, in: house, 0) { continuation.resume(returning: $0) } }
            #expect(problem == nil)
            kept.finish()
            let next = Kept(in: scratch.path, logger: silent)
            #expect(next.volume == ChosenVolume(level: Decibels(level), by: "anna", since: 1_795_352_400))
            #expect((next.volume == nil) == (level == 0))
            next.finish()
        }
    }

    @Test func `a preset that cannot be kept is told with the reason, and is an issue until it can be`() async throws {
        let scratch = try Scratch()
        // No folder can be made where there is a file.
        let obstacle = try scratch.write("", to: "state")
        var kept = Kept(in: obstacle, logger: silent)
        #expect(kept.day == nil)
        var house = House(.silent())
        try house.use(preset: "quiet-day")
        let problem = await withCheckedContinuation { continuation in kept.keep(house, 0) { continuation.resume(returning: $0) } }
        #expect(problem?.reason.contains("Not a directory") == true)
        #expect(kept.issues(on: nil).count == 1 && kept.issues(on: nil)[0].contains("cannot be kept"))
        try FileManager.default.removeItem(atPath: obstacle)
        let later = await withCheckedContinuation { continuation in kept.keep(house, 0) { continuation.resume(returning: $0) } }
        #expect(later == nil && kept.issues(on: nil) == [])
    }

    @Test func `a preset that is given back counts, also where it could not be read which was chosen`() async throws {
        let scratch = try Scratch()
        var first = Kept(in: scratch.path, logger: silent)
        var house = House(.silent())
        try house.use(preset: "quiet-day")
        _ = await withCheckedContinuation { continuation in first.keepChoice(of: .preset, in: house, 0) { continuation.resume(returning: $0) } }
        first.finish()
        // A link into nothing is in its place, and gone again.
        let (path, away) = (scratch.file("state.sqlite"), scratch.file("away"))
        try FileManager.default.moveItem(atPath: path, toPath: away)
        #expect(symlink(scratch.file("none/none"), path) == 0)
        var second = Kept(in: scratch.path, logger: silent)
        #expect(second.chosen == nil && !second.issues(on: nil).isEmpty)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: away, toPath: path)
        // Every ten seconds: nothing has been chosen since, so it stays.
        let schedule = House(.silent())
        _ = await withCheckedContinuation { continuation in second.keep(schedule, 0) { continuation.resume(returning: $0) } }
        second.finish()
        let third = Kept(in: scratch.path, logger: silent)
        #expect(third.chosen == ChosenPreset(name: "quiet-day"))
        third.finish()
        let problem = await withCheckedContinuation { continuation in second.keepChoice(of: .preset, in: schedule, 0) { continuation.resume(returning: $0) } }
        #expect(problem == nil)
        second.finish()
        #expect(Kept(in: scratch.path, logger: silent).chosen == nil)
    }

    @Test(arguments: [Kept.Part.preset, .volume])
    func `who chooses one of preset and volume leaves the other as it is, where it could not be read`(part: Kept.Part) async throws {
        let scratch = try Scratch()
        var first = Kept(in: scratch.path, logger: silent)
        var house = House(.silent())
        try house.use(preset: "quiet-day")
        house.use(volume: Decibels(-12), by: "anna", at: 1_795_352_400)
        _ = await withCheckedContinuation { continuation in first.keep(house, 0) { continuation.resume(returning: $0) } }
        first.finish()
        // A link into nothing is in its place, and gone again.
        let (path, away) = (scratch.file("state.sqlite"), scratch.file("away"))
        try FileManager.default.moveItem(atPath: path, toPath: away)
        #expect(symlink(scratch.file("none/none"), path) == 0)
        var second = Kept(in: scratch.path, logger: silent)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: away, toPath: path)
        var later = House(.silent())
        switch part {
        case .preset: try later.use(preset: "silent")
        case .volume: later.use(volume: Decibels(-3), by: "bert", at: 1_795_352_400)
        }
        _ = await withCheckedContinuation { continuation in
            second.keepChoice(of: part, in: later, 0) { continuation.resume(returning: $0) }
        }
        second.finish()
        let third = Kept(in: scratch.path, logger: silent)
        #expect(third.chosen?.name == (part == .preset ? "silent" : "quiet-day"))
        #expect(third.volume?.level == (part == .volume ? Decibels(-3) : Decibels(-12)))
        third.finish()
    }

    @Test func `of a day whose dose is damaged half an allowance is assumed, and told until the day is over`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("no database, and long enough to be one", to: "state.sqlite")
        let today = try #require(SystemTime.today)
        let kept = Kept(in: scratch.path, logger: silent)
        #expect(kept.day == HearingDay(number: today, dose: 50))
        let issue = try #require(kept.issues(on: today).first)
        let path = scratch.file("state.sqlite")
        #expect(issue.hasPrefix("\(path) was damaged (") && issue.contains("; it is \(path).damaged-"), "\(issue)")
        #expect(issue.hasSuffix(everything))
        #expect(kept.issues(on: today + 1) == [])
        #expect(kept.issues(on: nil) == [issue])
        // From here on the guard eases the sound down with all that is heard.
        var guardian = HearingGuard(HearingSettings(calibration: SoundLevel(94)), day: kept.day)
        #expect(guardian.volume.rawValue == 0)
        for _ in 0..<3_600 { guardian.account(weightedMeanSquare: 0.06, for: .init(1), on: today) }
        #expect(guardian.volume.rawValue < 0)
    }

    @Test func `a damaged database of another day says nothing of today`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("?", to: "state.sqlite")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3 * 86_400)],
                                              ofItemAtPath: scratch.file("state.sqlite"))
        let today = try #require(SystemTime.today)
        var guardian = HearingGuard(HearingSettings(calibration: SoundLevel(94)), day: Kept(in: scratch.path, logger: silent).day)
        guardian.account(weightedMeanSquare: 0, for: .init(1), on: today)
        #expect(guardian.day == HearingDay(number: today, dose: 0))
    }

    @Test func `a database that is overwritten while it is used loses nothing, and that is an issue`() async throws {
        let scratch = try Scratch()
        var kept = Kept(in: scratch.path, logger: silent)
        var house = House(.silent())
        try house.use(preset: "quiet-day")
        _ = await withCheckedContinuation { continuation in kept.keep(house, 0) { continuation.resume(returning: $0) } }
        // Somebody else has put it there: it is another file.
        for name in ["state.sqlite", "state.sqlite-wal"] { try FileManager.default.removeItem(atPath: scratch.file(name)) }
        _ = try scratch.write("no database, and long enough to be one", to: "state.sqlite")
        _ = await withCheckedContinuation { continuation in kept.keep(house, 0) { continuation.resume(returning: $0) } }
        let issues = kept.issues(on: nil)
        #expect(issues.count == 1 && issues[0].contains("was written anew with everything that it had"), "\(issues)")
        kept.finish()
        #expect(Kept(in: scratch.path, logger: silent).chosen == ChosenPreset(name: "quiet-day"))
    }
}

/// What a piece remembers, and its ledger, on the disk.
@Suite struct KeptPieceTests {
    /// Returns why it is not on the disk; nil when it is.
    private func keep(_ keeping: Conductor.Keeping, in kept: Kept) async -> String? {
        await withCheckedContinuation { continuation in
            kept.keep(keeping, of: "piggy-bank") { result in
                if case .failure(let problem) = result { continuation.resume(returning: problem.reason) } else { continuation.resume(returning: nil) }
            }
        }
    }

    @Test func `what was said to be kept is there after a kill, and an entry of a known key is not there twice`() async throws {
        let scratch = try Scratch()
        let kept = Kept(in: scratch.path, logger: silent)
        #expect(kept.memory(of: "piggy-bank") == nil)
        let memory = JSONValue.object(["sum": .integer(5)])
        let coin = LedgerEntry(key: "a", kind: "coin", transfers: [Transfer(5, of: "coins", from: "saver", to: "bank")], note: .object(["by": .text("é")]))
        #expect(await keep(Conductor.Keeping(memory: memory, ledger: [coin]), in: kept) == nil)
        #expect(await keep(Conductor.Keeping(memory: nil, ledger: [coin, LedgerEntry(key: "b", kind: "coin", transfers: [Transfer(-3, of: "coins", from: "saver", to: "bank")])]), in: kept) == nil)
        // As a process leaves it that is killed: what was written is in the WAL.
        let copy = try Scratch()
        for name in ["state.sqlite", "state.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: scratch.file(name), toPath: copy.file(name))
        }
        let later = Kept(in: copy.path, logger: silent)
        #expect(later.memory(of: "piggy-bank") == memory && later.memory(of: "metronome") == nil)
        let entries = try await #require(later.store).ledger().map(\.entry)
        #expect(entries.map(\.key) == ["a", "b"] && entries.map(\.piece) == ["piggy-bank", "piggy-bank"])
        #expect(entries.map(\.body) == [#"{"by":"é"}"#, "null"])
        #expect(entries.map { $0.postings.map(\.amount) } == [[-5, 5], [3, -3]])
    }

    @Test func `a memory that its piece cannot read is kept beside the new one for good, and is an issue`() async throws {
        let scratch = try Scratch()
        var kept = Kept(in: scratch.path, logger: silent)
        let old = JSONValue.object(["sum": .text("many")])
        #expect(await keep(Conductor.Keeping(household: "A", memory: old), in: kept) == nil)
        let fault = Fault(field: "sum", expected: "a whole number", found: "\"many\"")
        for new in 1...2 as ClosedRange<Int64> {
            #expect(await keep(Conductor.Keeping(household: "A", memory: nil, unreadable: fault), in: kept) == nil)
            let keeping = Conductor.Keeping(household: "A", memory: .object(["sum": .integer(new)]))
            #expect(await keep(keeping, in: kept) == nil)
        }
        #expect(kept.memory(of: "piggy-bank", household: "A") == .object(["sum": .integer(2)]))
        let issue = try #require(kept.issues(on: nil).first)
        #expect(issue.contains("one of piggy-bank, because sum: expected a whole number, found \"many\"") && issue.contains("(2 since the start)"))
        kept.finish()
        kept = Kept(in: scratch.path, logger: silent)
        #expect(kept.issues(on: nil) == [], "it is well now")
        let rows = try await DatabaseQueue(path: scratch.file("state.sqlite")).read { db in
            try Row.fetchAll(db, sql: "SELECT household, body FROM memory_aside ORDER BY number").map { [$0["household"], $0["body"]] as [String] }
        }
        #expect(rows == [["A", #"{"sum":"many"}"#], ["A", #"{"sum":1}"#]])
    }

    @Test func `a name in both of its Unicode forms is one household`() async throws {
        let scratch = try Scratch()
        let kept = Kept(in: scratch.path, logger: silent)
        for (sum, name) in [(1, "Zo\u{E9}"), (2, "Zoe\u{301}")] as [(Int64, String)] {
            let keeping = Conductor.Keeping(household: name, memory: .object(["sum": .integer(sum)]),
                                            ledger: [LedgerEntry(key: "\(sum)", kind: "coin")])
            #expect(await keep(keeping, in: kept) == nil)
        }
        #expect(kept.store?.memoryCount(of: "piggy-bank") == 1)
        #expect(kept.memory(of: "piggy-bank", household: "Zo\u{E9}") == .object(["sum": .integer(2)]))
        kept.finish()
        let sql = "SELECT hex(household) FROM memory UNION ALL SELECT hex(household) FROM ledger"
        let names = try await DatabaseQueue(path: scratch.file("state.sqlite")).read { try String.fetchAll($0, sql: sql) }
        #expect(names == ["5A6FC3A9", "5A6FC3A9", "5A6FC3A9"])
    }

    @Test func `households are an issue before there is no room for more, and another one then`() {
        #expect(Kept.issue(ofKept: 0) == nil && Kept.issue(ofKept: 8_999) == nil)
        #expect(Kept.issue(ofKept: 9_000)?.hasPrefix("9000 households or more are kept, and there is room for 10000") == true)
        #expect(Kept.issue(ofKept: 9_999) == Kept.issue(ofKept: 9_000), "it changes with no household")
        #expect(Kept.issue(ofKept: 10_000)?.hasPrefix("10000 households are kept, and nobody new can enter") == true)
    }

    @Test func `secrets are an issue before visitors find no room for another, and another one then`() {
        #expect(Kept.issue(ofSecrets: 8_099) == nil)
        #expect(Kept.issue(ofSecrets: 8_100)?.hasPrefix("8100 households or more have a secret, and visitors can give one to 9000") == true)
        #expect(Kept.issue(ofSecrets: 8_999) == Kept.issue(ofSecrets: 8_100), "it changes with no household")
        #expect(Kept.issue(ofSecrets: 9_000)?.hasPrefix("9000 households or more have a secret, and visitors can give one to no other") == true)
    }

    @Test func `what cannot be kept is told with the reason`() async throws {
        let scratch = try Scratch()
        // No folder can be made where there is a file.
        let kept = Kept(in: try scratch.write("", to: "state"), logger: silent)
        #expect(await keep(Conductor.Keeping(memory: .object(["sum": .integer(1)])), in: kept)?.contains("Not a directory") == true)
    }

    @Test func `without a state directory nothing is kept, and whoever waits is told so`() async {
        let kept = Kept(in: nil, logger: silent)
        #expect(await keep(Conductor.Keeping(memory: .object(["sum": .integer(1)])), in: kept)?.contains("no state directory") == true)
        #expect(kept.memory(of: "piggy-bank") == nil)
    }

    @Test func `what could not be read takes no receipts`() throws {
        let scratch = try Scratch()
        let first = Kept(in: scratch.path, logger: silent)
        #expect(first.isKnown && first.refusalOfReceipts == nil)
        first.finish()
        // A link into nothing is in its place.
        try FileManager.default.removeItem(atPath: scratch.file("state.sqlite"))
        #expect(symlink(scratch.file("none/none"), scratch.file("state.sqlite")) == 0)
        let second = Kept(in: scratch.path, logger: silent)
        #expect(!second.isKnown && second.refusalOfReceipts?.contains("could not be read at the start") == true)
        second.finish()
    }
}
