import Fields
import Foundation
import Journal
import JournalFile
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

/// Small, so that very many can be tried.
private let header = JournalHeader(
    sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-02T03:04:05Z",
    theme: Theme(name: "t", toneCurve: .standard, toneFade: .milliseconds(5), ceiling: Decibels(-1), chimes: [:], haptics: [:]))

@Suite struct JournalCheckTests {
    private static let newline = UInt8(ascii: "\n")

    /// A whole journal as `JournalWriter` leaves it.
    private func journal(_ count: Int, in scratch: Scratch) throws -> FilePath {
        var writer = try JournalWriter(directory: FilePath(scratch.path), header: header)
        for n in 0..<count {
            try writer.append(.event(Event(client: Client(number: n % 3), .action(Action(UncheckedAction(name: "feed.update", fields: ["blocksViewed": .integer(Int64(n))])))), at: Frame(Int64(n / 2))))
        }
        try writer.append(.event(Event(client: .engine, .stop), at: Frame(1_000)))
        try writer.append(.end(.idle, at: Frame(1_480)))
        return writer.path
    }

    private func check(_ bytes: [UInt8], in scratch: Scratch) throws -> JournalCheck {
        let path = scratch.file("tried")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return try JournalCheck(FilePath(path))
    }

    @Test func `every sum is what zlib says of all bytes before it`() throws {
        let scratch = try Scratch()
        let path = try journal(20, in: scratch)
        let script = """
            import sys, zlib
            data = open(sys.argv[1], 'rb').read()
            position = lines = 0
            while position < len(data):
                end = data.index(b'\\n', position)
                comma = data.rindex(b',"sum":"', position, end)
                assert data[comma:end] == b',"sum":"%08x"}' % zlib.crc32(data[:comma]), data[position:end]
                position = end + 1
                lines += 1
            print(lines)
            """
        #expect(try run("python3", ["-c", script, path.string]).text == "23\n")
        #expect(try JournalCheck(path) == .good(lines: 23))
    }

    @Test func `5,200 journals that were changed are all told from good ones`() throws {
        let scratch = try Scratch()
        let good = try [UInt8](Data(contentsOf: URL(fileURLWithPath: journal(9, in: scratch).string)))
        #expect(try check(good, in: scratch) == .good(lines: 12))
        var random = SplitMix64(seed: 16)
        var kinds: [String: Int] = [:]
        for n in 0..<5_200 {
            let bytes = Self.changed(good, n % 8, &random)
            guard bytes != good else { continue }
            let found = try check(bytes, in: scratch)
            if found.isGood { Issue.record("change \(n) was not found: \(String(decoding: bytes, as: UTF8.self))") }
            kinds[String("\(found)".prefix { $0 != "(" }), default: 0] += 1
        }
        // Two lines that are alike but for their sums may have changed places, and then nothing has changed: never.
        #expect(kinds.values.reduce(0, +) > 5_000)
        #expect((kinds["changed"] ?? 0) > 3_000 && (kinds["cut"] ?? 0) > 300 && (kinds["missing"] ?? 0) > 100, "\(kinds)")
    }

    /// `good` with one change of a kind.
    private static func changed(_ good: [UInt8], _ kind: Int, _ random: inout SplitMix64) -> [UInt8] {
        func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        var bytes = good
        var lines = good.split(separator: newline).map(Array.init)
        switch kind {
        case 0: bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
        case 1: bytes[below(bytes.count)] = UInt8(below(256))
        case 2: bytes.remove(at: below(bytes.count))
        case 3: bytes.insert(UInt8(32 + below(95)), at: below(bytes.count + 1))
        case 4: bytes.removeLast(1 + below(bytes.count))
        case 5: lines.remove(at: below(lines.count))
        case 6: lines.swapAt(below(lines.count), below(lines.count))
        default: lines.insert(lines[below(lines.count)], at: below(lines.count + 1))
        }
        return kind < 5 ? bytes : lines.flatMap { $0 + [newline] }
    }

    @Test func `a header that cannot be read is told as whoever wants its session tells it, whatever the sums say`() throws {
        let scratch = try Scratch()
        let good = try String(contentsOfFile: journal(2, in: scratch).string, encoding: .utf8)
        let middle = good.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
        for text in [middle, good.replacing("thrum-journal", with: "thrum-jounral"), good.replacing("48000", with: "1"), "notes\n" + good] {
            let path = FilePath(try scratch.write(text, to: "tried"))
            let fault = try #require(throws: JournalFault.self) {
                var scan = try JournalScan(path)
                _ = try scan.header()
            }
            #expect(try JournalCheck(path) == .unreadable(fault))
        }
        // With a header that can be read there is a session, though it is not as it was written.
        let changed = FilePath(try scratch.write(good.replacing("\"seed\":7", with: "\"seed\":8"), to: "tried"))
        #expect(try JournalCheck(changed) == .changed(line: 1))
    }

    @Test func `a journal that goes no further is told by its line, and one without sums is not called good`() throws {
        let scratch = try Scratch()
        let good = try [UInt8](Data(contentsOf: URL(fileURLWithPath: journal(2, in: scratch).string)))
        let lines = good.split(separator: Self.newline)
        #expect(try check(Array(lines[..<3].joined(separator: [Self.newline])) + [Self.newline], in: scratch) == .cut(line: 3))
        #expect(try check(good.dropLast(5), in: scratch) == .cut(line: 5))
        #expect(try check(good.dropLast(), in: scratch) == .cut(line: 5), "a byte is missing, though nothing of the session")
        // Without a whole header there is no session, however it came to that.
        for beginning in [Array(good[..<0]), Array(good[..<1]), Array(good[..<40])] {
            guard case .unreadable(let fault) = try check(beginning, in: scratch) else { Issue.record("\(beginning.count) bytes are a journal"); continue }
            #expect(fault.line == 1 && fault.fault.expected.hasPrefix("the whole header"), "\(fault)")
        }
        let bare = JournalLine.encode(.header(header)) + JournalLine.encode(.end(.idle, at: .zero))
        #expect(try check(bare, in: scratch) == .unknown(lines: 2))
        // Right by its sums, and still against the rules.
        var sum = JournalSum()
        let twice = [JournalEntry.header(header), .end(.idle, at: .zero), .end(.idle, at: .zero)].flatMap { sum.seal(JournalLine.encode($0)) }
        guard case .unreadable(let fault) = try check(twice, in: scratch) else { return #expect(Bool(false)) }
        #expect(fault.line == 3)
        #expect(throws: Errno.noSuchFileOrDirectory) { try JournalCheck(FilePath(scratch.file("none"))) }
    }

    @Test func `a journal that others change while it is written is noticed, and one that is only touched is not`() throws {
        let scratch = try Scratch()
        var seen: [Bool] = []
        for change in 0..<5 {
            var writer = try JournalWriter(directory: FilePath(scratch.path), header: header)
            for n in 0..<5 { try writer.append(.event(Event(client: .connection(1), .stop), at: Frame(Int64(n)))) }
            let path = writer.path.string
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            switch change {
            case 0: try file.truncate(atOffset: 100)
            case 1:
                try file.seekToEnd()
                try file.write(contentsOf: Data("x".utf8))
            case 2:
                try file.seek(toOffset: 50)
                try file.write(contentsOf: Data("?".utf8))
                // Not within the same tick of the clock by which files are dated.
                try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_800_000_000)], ofItemAtPath: path)
            case 3: try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_800_000_000)], ofItemAtPath: path)
            default: break
            }
            try file.close()
            seen.append(writer.isAsLeft)
        }
        #expect(seen == [false, false, false, true, true])
    }

    @Test func `what is longer than any line ends the search for a session's length`() throws {
        let scratch = try Scratch()
        let path = try journal(3, in: scratch)
        #expect(try JournalTail.lastFrame(of: path)?.end == .idle)
        // A hole takes no room on the disk, and looking through it all would take its time, too.
        let file = try FileDescriptor.open(path, .readWrite)
        try file.closeAfter { try file.resize(to: 1 << 40) }
        #expect(try JournalTail.lastFrame(of: path) == nil)
        guard case .unreadable(let fault) = try JournalCheck(path) else { return #expect(Bool(false)) }
        #expect(fault.line == 7 && fault.fault.expected.hasPrefix("lines of at most"))
    }
}
