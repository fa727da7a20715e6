import Foundation
import SystemPackage
import Testing
import TestSupport
import Venue

@testable import StateStore

/// Disks that are full, read-only, or do not answer.
@Suite(.serialized) struct StateDiskTests {
    private static let isAllowed = SmallDisk.isAllowed
    private let body = "\"" + String(repeating: "x", count: 60_000) + "\""

    private func entry(_ number: Int) -> Change {
        .append(LedgerEntry(piece: "pet", household: "7", key: "\(number)", kind: "meal", body: body))
    }

    @Test(.enabled(if: isAllowed, "file systems may not be mounted here"))
    func `on a disk that is full nothing is said to be kept that is not, and it goes on when there is room`() async throws {
        let disk = try SmallDisk(in: Scratch())
        let store = StateStore(in: FilePath(disk.file("state")))
        _ = store.open()
        var kept: [Int] = []
        _ = try await store.commit([entry(0)])
        kept.append(0)
        disk.fill()
        for number in 1..<20 {
            do throws(NotKept) {
                _ = try await store.commit([entry(number)])
                kept.append(number)
            } catch {
                #expect(error.reason.contains("full"), "\(error)")
                #expect(store.issues.count == 1 && store.issues[0].contains(error.reason))
            }
        }
        #expect(kept.count < 10)
        try disk.makeRoom()
        _ = try await store.commit([entry(100)])
        #expect(store.issues == [] && store.damage == [])
        #expect(try await store.ledger().map(\.entry.key) == (kept + [100]).map(String.init))
        #expect(store.close())
    }

    private enum State: CaseIterable {
        case full, readOnly
    }

    @Test(.enabled(if: isAllowed, "file systems may not be mounted here"), arguments: State.allCases)
    private func `what was kept is read at a start even where nothing can be written, which is an issue until it can`(state: State) async throws {
        let disk = try SmallDisk(in: Scratch())
        let place = FilePath(disk.file("state"))
        let first = StateStore(in: place)
        _ = first.open()
        _ = try await first.commit([.hear(HearingDay(number: 5, dose: 1)), .choose(ChosenPreset(name: "a")),
                                    .remember(piece: "pet", household: "7", body: "1")])
        #expect(first.close())
        switch state {
        case .full: disk.fill()
        case .readOnly: try disk.set(readOnly: true)
        }
        let store = StateStore(in: place)
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
        let place = FilePath(scratch.path)
        let first = StateStore(in: place)
        _ = first.open()
        _ = try await first.commit([.remember(piece: "pet", household: "7", body: "1")])
        #expect(first.close())
        var hanging: HangingFile? = try HangingFile(scratch.file("state.sqlite"))
        let store = StateStore(in: place)
        #expect(store.open(within: .milliseconds(100)).unread?.contains("does not answer") == true)
        // A piece begins without knowing, and has the same and another household's memory kept.
        store.commit([.remember(piece: "pet", household: "7", body: "0")]) { _ in }
        withExtendedLifetime(hanging) {}
        hanging = nil
        #expect(try await store.commit([.remember(piece: "pet", household: "8", body: "2")]) == Commit())
        await #expect(throws: NotKept.self) { try await store.commit([.remember(piece: "pet", household: "7", body: "0")]) }
        #expect(store.issues.contains { $0.contains("could not be read at the start") })
        #expect(store.close())
        let next = StateStore(in: place)
        _ = next.open()
        #expect(next.memory(piece: "pet", household: "7") == "1" && next.memory(piece: "pet", household: "8") == "2")
    }
}
