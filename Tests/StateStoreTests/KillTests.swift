import Foundation
import StateStore
import SystemPackage
import Testing
import TestSupport

/// A program that writes is killed at random moments: while it opens the database, commits, or moves the WAL into the database.
@Suite struct KillTests {

    /// At least 40 kills, or as many as THRUMDEV_KILLS says, half of them after the database was open, and 1,000 writes. A busy machine starts
    /// programs slowly, and needs more kills for that.
    @Test func `after every kill the store opens with everything that was said to be kept, and nothing twice`() async throws {
        let kills = ProcessInfo.processInfo.environment["THRUMDEV_KILLS"].flatMap { Int($0) } ?? 40
        let scratch = try Scratch()
        let state = scratch.file("state")
        var random = SplitMix64(seed: 17)
        /// The first number that nobody has said is kept.
        var next = 0
        var (killed, openings, again) = (0, 0, 0)
        while killed < kills || ((openings < kills / 2 || next < 1_000) && killed < 40 * kills) {
            let writer = try Running(Programs.stateWriter, [state, "\(next)"])
            try await Task.sleep(for: .microseconds(Int.random(in: 0...250_000, using: &random)))
            writer.signal(SIGKILL)
            let output = writer.finish().output
            killed += 1
            for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ")
                switch words[0] {
                case "open":
                    openings += 1
                    let count = try #require(Int(words[1]))
                    #expect(count >= next, "kill \(killed): something that was said to be kept is gone")
                    let last = count == 0 ? "-" : "\(count - 1)"
                    #expect(words[2] == last && words[3] == last, "kill \(killed): \(line)")
                case "kept", "known":
                    #expect(Int(words[1]) == next, "kill \(killed): \(line)")
                    if words[0] == "known" { again += 1 }
                    next += 1
                default: Issue.record("kill \(killed): \(line)")
                }
            }
        }
        #expect(openings >= kills / 2 && next >= 1_000)
        let store = StateStore(in: FilePath(state))
        #expect(store.open().unread == nil && store.damage == [])
        let keys = try await store.ledger(atMost: .max).map(\.entry.key)
        #expect(keys.count >= next && keys == (0..<keys.count).map(String.init))
        #expect(store.memory(piece: "pet", household: "7") == keys.last)
        print("\(killed) kills, \(openings) openings, \(next) writes said to be kept, \(keys.count) kept, \(again) asked for again")
    }
}
