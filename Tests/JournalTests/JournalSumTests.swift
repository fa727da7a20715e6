import Fields
import Journal
import Signals
import Testing
import Units

@testable import struct Journal.CRC32

private let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: .standard)

private func event(_ frame: Int64) -> JournalEntry { .event(Event(client: .connection(1), .action(Action(UncheckedAction(name: "feed.update", fields: ["blocksViewed": .integer(3)])))), at: Frame(frame)) }

/// Lines with their sums, without newlines.
private func sealed(_ entries: [JournalEntry]) -> [[UInt8]] {
    var sum = JournalSum()
    return entries.map { sum.seal(JournalLine.encode($0)).dropLast() }
}

/// What the sums of all lines say.
private func integrity(_ lines: [[UInt8]]) throws -> JournalIntegrity {
    var reader = JournalReader()
    for line in lines { _ = try reader.read(line[...]) }
    return reader.integrity
}

@Suite struct JournalSumTests {
    @Test func `the CRC-32 is that of zlib`() {
        var crc = CRC32()
        #expect(crc.value == 0)
        crc.add(Array("1234".utf8)[...])
        crc.add(Array("56789".utf8)[...])
        // The check value of the catalogue of CRCs, and `zlib.crc32(bytes(range(256)) * 3)`.
        #expect(crc.value == 0xCBF4_3926)
        var all = CRC32()
        for _ in 0..<3 { all.add(Array(0...255)[...]) }
        #expect(all.value == 0xB0C0_DF2A)
    }

    /// The sums are those of `zlib.crc32` of all before the comma.
    @Test func `a line ends with the sum of all before it`() {
        var sum = JournalSum()
        let lines = [event(0), .end(.idle, at: Frame(480))].map { String(decoding: sum.seal(JournalLine.encode($0)), as: UTF8.self) }
        #expect(lines == [
            #"{"blocksViewed":3,"client":1,"event":"feed.update","frame":0,"sum":"e27a2b5c"}"# + "\n",
            #"{"end":"idle","frame":480,"sum":"fd43b367"}"# + "\n",
        ])
    }

    @Test func `a journal reads the same with sums and without, and without them nothing is known of it`() throws {
        let entries = [.header(header), event(0), event(5), .discontinuity(.gap(nil), at: Frame(3)), .end(.idle, at: Frame(480))]
        for lines in [sealed(entries), entries.map { JournalLine.encode($0).dropLast() }] {
            var reader = JournalReader()
            #expect(try lines.map { try reader.read($0[...]) } == entries)
        }
        #expect(try integrity(sealed(entries)) == .intact)
        #expect(try integrity(entries.map { JournalLine.encode($0).dropLast() }) == .unknown)
    }

    @Test func `the first line that is not as it was written is known`() throws {
        let good = sealed([.header(header)] + (0..<8).map { event($0 * 10) })
        var edited = good
        edited[3] = Array(String(decoding: good[3], as: UTF8.self).replacing(#""blocksViewed":3"#, with: #""blocksViewed":4"#).utf8)
        #expect(try integrity(edited) == .changed(line: 4))
        var removed = good
        removed.remove(at: 3)
        #expect(try integrity(removed) == .changed(line: 4))
        // Of the same frame, so that they may stand in either order.
        var swapped = sealed([.header(header), event(0), .event(Event(client: .connection(2), .tap(Tap())), at: Frame(0)), event(0)])
        swapped.swapAt(1, 2)
        #expect(try integrity(swapped) == .changed(line: 2))
        var respelled = good
        respelled[2] = Array(String(decoding: good[2], as: UTF8.self).replacing("\"sum\":\"", with: "\"sum\": \"").utf8)
        #expect(try integrity(respelled) == .missing(line: 3), "a sum that is spelled otherwise is none")
        #expect(try integrity(good.map { $0 + [UInt8(ascii: "\r")] }) == .changed(line: 1), "lines end otherwise")
    }

    @Test func `where lines after the header are missing, it is known up to when`() throws {
        let good = sealed([.header(header)] + (0..<8).map { event($0 * 4_800) })
        #expect(try integrity([good[0]] + good[4...]) == .beginningMissing(until: Seconds(0.3)))
        let warning = try integrity([good[0]] + good[4...]).warning("a.jsonl")
        #expect(warning == "a.jsonl:2: warning: the beginning is missing, all before 0:00.300; what was set, held and unlocked in it is "
            + "unknown, so this is not what was heard")
        #expect(try integrity([good[0]] + good[2...].prefix(1) + good[4...]) == .beginningMissing(until: Seconds(0.1)))
        // Without sums a journal may begin when it likes.
        let bare = ([.header(header)] + (4..<8).map { event($0 * 4_800) }).map { JournalLine.encode($0).dropLast() }
        #expect(try integrity(bare.map(Array.init)) == .unknown && integrity(bare.map(Array.init)).warning("a.jsonl") == nil)
    }

    @Test func `a journal without its header is told so`() throws {
        var reader = JournalReader()
        let fault = try #require(throws: JournalFault.self) { try reader.read(sealed([event(0)])[0][...]) }
        #expect(fault.description(file: "a.jsonl") == "a.jsonl:1: expected the header, which is the first line of every journal, found a line "
            + "of its middle: the beginning of this journal is missing")
    }

    @Test func `lines with and without sums are not taken for one journal`() throws {
        let good = sealed([.header(header), event(0), event(10)])
        let bare = [.header(header), event(0), event(10)].map { JournalLine.encode($0).dropLast() }.map { Array($0) }
        #expect(try integrity([good[0], good[1], bare[2]]) == .missing(line: 3))
        #expect(try integrity([bare[0], good[1]]) == .changed(line: 2))
        var sum = JournalSum()
        sum.add((bare[0] + Array("\n".utf8))[...])
        let late = sum.seal(JournalLine.encode(event(0))).dropLast()
        #expect(try integrity([bare[0], Array(late)]) == .missing(line: 1))
    }

    @Test func `totals that no computer could add up are refused`() throws {
        let most = FrameCount(1 << 53)
        let lost = [.header(header)] + (0..<3).map { _ in JournalEntry.discontinuity(.lost(entries: 1 << 52), at: Frame(0)) }
        let late = [.header(header), JournalEntry.discontinuity(.late(most), at: Frame(0)), .discontinuity(.late(FrameCount(1)), at: Frame(0))]
        for (entries, line, field) in [(lost, 4, "entries"), (late, 3, "frames")] {
            let fault = try #require(throws: JournalFault.self) { try integrity(sealed(entries)) }
            #expect(fault.line == line && fault.fault.field == field)
        }
    }
}
