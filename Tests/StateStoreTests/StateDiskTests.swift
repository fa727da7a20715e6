import Foundation
import Publishing
import SystemPackage
import Testing
import TestSupport
import Venue

@testable import StateStore

/// Disks that are full, read-only, or do not answer.
@Suite(.serialized) struct StateDiskTests {
    private static let isAllowed = SmallDisk.isAllowed
    /// Too long for what is left of a page when a disk is full, and short enough for all of them to be on a small one.
    private let body = "\"" + String(repeating: "x", count: 10_000) + "\""

    private func entry(_ number: Int) -> Change {
        .append(LedgerRow(piece: "pet", household: "7", key: "\(number)", kind: "meal", body: body))
    }

    @Test(.enabled(if: isAllowed, "file systems may not be mounted here"))
    func `on a disk that is full nothing is said to be kept that is not, and all of it is kept in order when there is room`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let store = StateStore(in: FilePath(disk.file("state")))
        _ = store.open()
        _ = try await store.commit([entry(0), .remember(piece: "pet", household: "7", body: "0")])
        disk.fill()
        var isFull = false
        for number in 1..<20 {
            do throws(NotKept) {
                _ = try await store.commit([entry(number), .remember(piece: "pet", household: "7", body: "\(number)")])
                // What was moved out of the WAL has left room in it for a few.
                if isFull { Issue.record("\(number) is said to be kept") }
            } catch {
                isFull = true
                #expect(error.reason.contains("full"), "\(error)")
                #expect(store.issues.count == 1 && store.issues[0].contains(error.reason))
            }
        }
        #expect(isFull)
        // One row that would fit is not written before those that wait, and does not take the issue away.
        await #expect(throws: NotKept.self) { try await store.commit([.hear(HearingDay(number: 5, dose: 1))]) }
        #expect(store.issues.count == 1)
        try disk.makeRoom()
        // Nothing of it is told again: the next commit of anybody brings it along.
        _ = try await store.commit([.hear(HearingDay(number: 5, dose: 2))])
        #expect(store.issues == [] && store.damage == [])
        #expect(try await store.commit([entry(100), entry(7)]).known == ["7"])
        #expect(try await store.ledger().map(\.entry.key) == (0..<20).map(String.init) + ["100"])
        #expect(store.close())
        let next = StateStore(in: FilePath(disk.file("state")))
        #expect(next.open().hearingDay == HearingDay(number: 5, dose: 2))
        #expect(next.memory(piece: "pet", household: "7") == "19")
        #expect(next.close())
    }

    @Test(.enabled(if: isAllowed, "file systems may not be mounted here"))
    func `a document that is said not to be kept is not written later either, though the rest is`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let store = StateStore(in: FilePath(disk.file("state")))
        _ = store.open()
        func document(_ number: Int) -> KeptDocument {
            KeptDocument(piece: "pet", version: DocumentVersion(kind: "prices", version: number, former: 0, body: body,
                                                                proposed: DocumentVersion.Step(by: "anna", at: number)))
        }
        // Without an entry, which a checkpoint would follow: that leaves room in the WAL.
        _ = try await store.commit([.keep(document(1))])
        disk.fill()
        await #expect(throws: NotKept.self) { try await store.commit([entry(1), .keep(document(2))]) }
        try disk.makeRoom()
        _ = try await store.commit([.keep(document(3))])
        #expect(try await store.ledger().map(\.entry.key) == ["1"])
        #expect(store.close())
        let next = StateStore(in: FilePath(disk.file("state")))
        #expect(next.open().documents == [document(1), document(3)])
        #expect(next.close())
    }

    @Test(.enabled(if: isAllowed, "file systems may not be mounted here"))
    func `what waits for room when it ends is written if there is room by then, and missed otherwise`() async throws {
        let disk = try SmallDisk(in: Scratch())
        for (key, hasRoom) in [("a", true), ("b", false)] {
            let store = StateStore(in: FilePath(disk.file("state")))
            _ = store.open()
            disk.fill()
            let entry = LedgerRow(piece: "pet", household: "7", key: key, kind: "meal", body: body)
            await #expect(throws: NotKept.self) { try await store.commit([.append(entry)]) }
            if hasRoom { try disk.makeRoom() }
            #expect(store.close() == hasRoom)
        }
        try disk.makeRoom()
        #expect(try await StateStore(in: FilePath(disk.file("state"))).ledger().map(\.entry.key) == ["a"])
    }

    @Test(.enabled(if: isAllowed, "file systems may not be mounted here"))
    func `as many entries wait for a disk as there is room for, and those beyond it are an issue from then on`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let store = StateStore(in: FilePath(disk.file("state")))
        _ = store.open()
        disk.fill()
        func meal(_ number: Int) -> Change { .append(LedgerRow(piece: "pet", household: "7", key: "\(number)", kind: "meal", body: "1")) }
        let most = StateStore.mostWaiting.entries
        await #expect(throws: NotKept.self) { try await store.commit((0..<most).map(meal)) }
        await #expect(throws: NotKept(reason: "\(most) entries of the ledger that wait for the disk already")) {
            try await store.commit([meal(most), .remember(piece: "pet", household: "7", body: "1")])
        }
        try disk.makeRoom()
        try disk.makeRoom(megabytes: 8)
        _ = try await store.commit([])
        #expect(try await store.ledger(atMost: .max).map(\.entry.key) == (0..<most).map(String.init))
        // What would have gone with the entry did not go without it.
        #expect(store.memory(piece: "pet", household: "7") == nil)
        #expect(store.issues == ["what was to outlast a restart was refused (1 since the start): "
                                    + "\(most) entries of the ledger that wait for the disk already"])
        #expect(store.close())
    }

    private enum State: CaseIterable {
        case full, readOnly
    }

    @Test(.enabled(if: isAllowed, "file systems may not be mounted here"), arguments: State.allCases)
    private func `what was kept is read at a start even where nothing can be written, which is an issue until it can`(state: State) async throws {
        let disk = try SmallDisk(in: Scratch())
        let folder = FilePath(disk.file("state"))
        let first = StateStore(in: folder)
        _ = first.open()
        _ = try await first.commit([.hear(HearingDay(number: 5, dose: 1)), .choose(ChosenPreset(name: "a")),
                                    .remember(piece: "pet", household: "7", body: "1")])
        #expect(first.close())
        switch state {
        case .full: disk.fill()
        case .readOnly: try disk.set(readOnly: true)
        }
        let store = StateStore(in: folder)
        #expect(store.open() == StateStore.Found(hearingDay: HearingDay(number: 5, dose: 1), preset: ChosenPreset(name: "a")))
        #expect(store.memory(piece: "pet", household: "7") == "1")
        await #expect(throws: NotKept.self) { try await store.commit([.remember(piece: "pet", household: "7", body: self.body)]) }
        #expect(store.issues.count == 1, "\(store.issues)")
        switch state {
        case .full: try disk.makeRoom()
        case .readOnly: try disk.set(readOnly: false)
        }
        _ = try await store.commit([.remember(piece: "pet", household: "7", body: "2")])
        #expect(store.issues == [] && store.damage == [])
        #expect(store.close())
    }

    @Test func `a database that does not answer is not waited for, and what it knows is not overwritten by who did not read it`() async throws {
        let scratch = try Scratch()
        let folder = FilePath(scratch.path)
        let first = StateStore(in: folder)
        _ = first.open()
        _ = try await first.commit([.remember(piece: "pet", household: "7", body: "1")])
        #expect(first.close())
        var hanging: HangingFile? = try HangingFile(scratch.file("state.sqlite"))
        let store = StateStore(in: folder)
        #expect(store.open(within: .milliseconds(100)).unread?.contains("does not answer") == true)
        #expect(store.memory(piece: "pet", household: "7") == nil)
        // A piece begins without knowing, and has the same and another household's memory kept.
        store.commit([.remember(piece: "pet", household: "7", body: "0")]) { _ in }
        withExtendedLifetime(hanging) {}
        hanging = nil
        #expect(try await store.commit([.remember(piece: "pet", household: "8", body: "2")]) == Commit())
        await #expect(throws: NotKept.self) { try await store.commit([.remember(piece: "pet", household: "7", body: "0")]) }
        #expect(store.issues.contains { $0.contains("could not be read at the start") })
        #expect(store.close())
        let next = StateStore(in: folder)
        _ = next.open()
        #expect(next.memory(piece: "pet", household: "7") == "1" && next.memory(piece: "pet", household: "8") == "2")
    }

    /// The other order: the database is read, though too late, before the piece has told anything.
    @Test func `a memory that was read too late for the start is not overwritten, nor is anything recorded beside it`() async throws {
        let scratch = try Scratch()
        let folder = FilePath(scratch.path)
        let first = StateStore(in: folder)
        _ = first.open()
        _ = try await first.commit([.remember(piece: "pet", household: "7", body: "1"), entry(1)])
        #expect(first.close())
        var hanging: HangingFile? = try HangingFile(scratch.file("state.sqlite"))
        let store = StateStore(in: folder)
        #expect(store.open(within: .milliseconds(100)).unread != nil)
        withExtendedLifetime(hanging) {}
        hanging = nil
        // As the house does every ten seconds: now it has been read.
        _ = try await store.commit([.hear(HearingDay(number: 5, dose: 50))])
        #expect(store.memory(piece: "pet", household: "7") == nil)
        await #expect(throws: NotKept.self) { try await store.commit([.remember(piece: "pet", household: "7", body: "0"), self.entry(2)]) }
        await #expect(throws: NotKept.self) { try await store.commit([self.entry(3)]) }
        #expect(store.issues.count == 1 && store.issues[0].contains("could not be read at the start"), "\(store.issues)")
        #expect(store.close())
        let next = StateStore(in: folder)
        #expect(next.open().hearingDay == HearingDay(number: 5, dose: 50))
        #expect(next.memory(piece: "pet", household: "7") == "1")
        #expect(try await next.ledger().map(\.entry.key) == ["1"])
    }
}
