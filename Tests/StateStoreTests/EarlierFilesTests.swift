import Foundation
import SystemPackage
import Testing
import TestSupport
import Venue

@testable import StateStore

@Suite struct EarlierFilesTests {
    @Test func `what earlier versions kept is taken over once, and their files are removed`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(#"{"number":20779,"dose":40}"#, to: "hearing.json")
        _ = try scratch.write(#"{"name":"quiet-day","since":1795348800}"#, to: "preset.json")
        let first = StateStore(in: FilePath(scratch.path))
        let found = StateStore.Found(hearingDay: HearingDay(number: 20_779, dose: 40), preset: ChosenPreset(name: "quiet-day", since: 1_795_348_800))
        #expect(first.open() == found)
        #expect(first.close())
        #expect(try scratch.contents == ["lock", "state.committed", "state.sqlite"])
        let next = StateStore(in: FilePath(scratch.path))
        #expect(next.open() == found && next.damage == [])
    }

    @Test func `a file that makes no sense is set aside under a name with the time, and told with when it was written`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("[1, ", to: "hearing.json")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                                              ofItemAtPath: scratch.file("hearing.json"))
        #expect(mkfifo(scratch.file("preset.json"), 0o600) == 0)
        let store = StateStore(in: FilePath(scratch.path))
        #expect(store.open() == StateStore.Found())
        #expect(store.damage.map(\.holding) == [.hearingDay, .preset])
        #expect(store.damage[0].written == 1_700_000_000 && store.damage[0].reason == "it makes no sense")
        #expect(store.damage[1].reason == "expected a regular file, found a FIFO")
        let aside = try #require(store.damage[0].aside)
        #expect(aside.string.firstMatch(of: /hearing\.json\.damaged-20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$/) != nil)
        #expect(try String(contentsOfFile: aside.string, encoding: .utf8) == "[1, ")
        #expect(try !scratch.contents.contains("hearing.json") && !scratch.contents.contains("preset.json"))
    }

    @Test func `files stay as long as the database cannot take what is in them`() throws {
        let scratch = try Scratch()
        _ = try scratch.write(#"{"number":20779,"dose":40}"#, to: "hearing.json")
        // A symbolic link into nothing cannot be opened, nor made.
        #expect(symlink(scratch.file("none/none"), scratch.file("state.sqlite")) == 0)
        let store = StateStore(in: FilePath(scratch.path))
        #expect(store.open().hearingDay == HearingDay(number: 20_779, dose: 40))
        #expect(try scratch.contents.contains("hearing.json"))
        #expect(store.issues.first?.contains("No such file or directory") == true)
    }
}
