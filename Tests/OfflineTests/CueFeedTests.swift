import Foundation
import Journal
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@testable import Offline

@Suite struct CueFeedTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A chime a second, and what else there is.
    private func journal(chimes: Int, _ others: [String] = []) throws -> FilePath {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: .standard)
        let events = (0..<chimes).map { JournalEntry.event(Event(client: .connection(1), .chime(name: "ding")), at: Frame(Int64($0) * 48_000)) }
        let lines = ([.header(header)] + events).map { String(decoding: JournalLine.encode($0), as: UTF8.self) } + others
        return FilePath(try scratch.write(lines.joined(), to: "\(UUID()).jsonl"))
    }

    private func feed(_ path: FilePath) throws -> CueFeed { try CueFeed(path, by: .recorded, Registry.pieces) }

    @Test func `all steps come in their order, also of many batches, each when it is due`() throws {
        let count = 3_000
        let feed = try feed(journal(chimes: count, [#"{"end":"idle","frame":144000000}"# + "\n"]))
        for number in 0..<count {
            let frame = Frame(Int64(number) * 48_000)
            #expect(try feed.next { $0 < frame } == nil)
            let step = try #require(try feed.next { $0 <= frame })
            #expect(step.frame == frame && step.cues == [.chime("ding")])
        }
        let ending = try feed.finish()
        #expect(ending.cutLine == nil && ending.hasEvents && ending.lostEntries == 0)
        #expect(try feed.next { _ in true } == nil)
    }

    @Test func `a session that is cut off is let down softly with its last event`() throws {
        let feed = try feed(journal(chimes: 2))
        #expect(try feed.next { _ in true }?.cues == [.chime("ding")])
        #expect(try feed.next { _ in true }?.cues == [.chime("ding"), .stop])
        #expect(try feed.finish().cutLine != nil)
    }

    @Test func `what cannot be read is thrown when the event before it is due, and again`() throws {
        let feed = try feed(journal(chimes: 300, ["{}\n"]))
        for _ in 0..<299 { #expect(try feed.next { _ in true } != nil) }
        #expect(try feed.next { $0 < Frame(299 * 48_000) } == nil)
        for _ in 0..<2 { #expect(throws: JournalFault.self) { try feed.next { $0 == Frame(299 * 48_000) } } }
        #expect(throws: JournalFault.self) { try feed.finish() }
    }

    @Test func `what is no journal is refused at once`() throws {
        let path = FilePath(try scratch.write("no journal\n", to: "other.jsonl"))
        #expect(throws: JournalFault.self) { try feed(path) }
        #expect(throws: Errno.self) { try feed("/nowhere.jsonl") }
    }

    /// The thread that works ahead waits for room when its taker goes.
    @Test func `a feed that nobody takes from any more ends`() throws {
        for _ in 0..<20 { #expect(try feed(journal(chimes: 5_000)).next { _ in true } != nil) }
    }
}
