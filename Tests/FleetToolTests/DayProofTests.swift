import Database
import Files
import Fleet
@testable import FleetTool
import JournalFile
import SystemPackage
import Testing
import TestSupport

/// What shows that a journal is as it was when its day was over.
@Suite struct DayProofTests {
    private let key: JournalKey
    private let name = "2026-01-31T12-00-00Z"
    private let bytes = Array("a journal\n".utf8)

    init() throws { key = try JournalKey(in: FilePath(try Scratch().path)) }

    private func digest(_ bytes: [UInt8]) -> String { Digest.hexadecimal(Digest.of(bytes)) }

    private func row(_ station: String, _ bytes: [UInt8], arrived: String = "2026-02-01") throws -> ClosingTable.Row {
        let journals = ["2026-01-31T11-00-00Z/3", name + "/7"].map { Closing.Journal(name: $0, bytes: bytes.count, digest: digest(bytes)) }
        let text = Closing(station: try #require(StationName(station)), day: "2026-01-31", journals: journals).text
        let signature = try #require(key.signature(of: Array(text.utf8)))
        return ClosingTable.Row(digest: digest(Array(text.utf8)), text: text, key: Digest.hexadecimal(key.publicKey.bytes),
                                signature: Digest.hexadecimal(signature), arrived: arrived)
    }

    /// Three stations' closings, in the order of a root.
    private func rows() throws -> [ClosingTable.Row] { try ["hall-1", "hall-2", "hall-3"].map { try row($0, bytes) } }

    private func root(_ rows: [ClosingTable.Row]) -> ClosingTable.Root {
        ClosingTable.Root(day: "2026-02-01", root: ClosingDesk.root(of: rows.map(\.text)), closings: rows.count)
    }

    private func prove(_ closings: [ClosingTable.Row], among all: [ClosingTable.Row], _ root: ClosingTable.Root?, session: String? = nil,
                       expected: String? = nil, file: [UInt8]? = nil) throws -> DayProof {
        try DayProof(of: session ?? name, in: closings, expected: expected, file: file.map { DayProof.File(path: "copy", digest: digest($0)) },
                     all: { _ throws(DatabaseProblem) in all }, root: { _ throws(DatabaseProblem) in root })
    }

    @Test func `a journal that is as it was has no flaw, and its way to the root is told`() throws {
        let rows = try rows()
        for session in [name, name + "/7"] {
            let proof = try prove([rows[2]], among: rows, root(rows), session: session, expected: root(rows).root, file: bytes)
            #expect(proof.flaws == [])
            #expect(proof.lines.contains("journal  \(name)/7, 10 bytes") && proof.lines.contains("key      \(key.publicKey.fingerprint)"))
            #expect(proof.lines.contains { $0.hasPrefix("path     2 of 3 ") } && proof.lines.last == "file     copy is the journal that was closed")
        }
    }

    @Test func `a journal of which one byte was changed is named`() throws {
        let rows = try rows()
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            let proof = try prove([rows[0]], among: rows, root(rows), file: changed)
            #expect(proof.flaws == ["copy: \(name)/7 was changed after its closing: its sha256 is \(digest(changed))"])
        }
        // A closing that was made again of the changed journal does not hide it.
        let changed = bytes + [0]
        let proof = try prove([rows[0], row("hall-1", changed, arrived: "2026-02-09")], among: rows, root(rows), file: changed)
        #expect(proof.flaws.first?.hasSuffix(", as in a later closing of this day") == true)
    }

    @Test func `whatever was changed in the tables is told`() throws {
        let rows = try rows()
        let forged = ClosingTable.Row(digest: rows[0].digest, text: rows[0].text.replacing(" 10 ", with: " 11 "), key: rows[0].key,
                                      signature: rows[0].signature, arrived: rows[0].arrived)
        let changed = try prove([forged], among: [forged] + rows[1...], root(rows))
        #expect(changed.flaws.count == 2 && changed.flaws[0].hasPrefix("the closing was changed") && changed.flaws[1].hasSuffix("one was changed, added or removed"))
        #expect(try prove([rows[0]], among: [rows[0], rows[2]], root(rows)).flaws.first?.hasSuffix("changed, added or removed") == true)
        let all = [rows[0], rows[2]]
        let anew = try prove([rows[0]], among: all, root(all), expected: root(rows).root)
        #expect(anew.flaws == ["the root of 2026-02-01: expected \(root(rows).root), found \(root(all).root)"])
    }

    @Test func `what is not there yet is told`() throws {
        let rows = try rows()
        #expect(try prove([], among: [], nil).flaws == ["\(name): no closing of this day has it"])
        #expect(try prove(rows, among: rows, root(rows), session: "2026-01-31T12-00-00").flaws.count == 1, "a part of a name is none")
        #expect(try prove([rows[0]], among: rows, nil).flaws == ["the closing arrived on 2026-02-01, whose root is made when that day is over in UTC"])
    }
}

@Suite struct StationClosingsTests {
    private let hall = StationName("hall-3")!

    /// A folder with one finished journal, and a station's memory that says that it is committed.
    private func journals(_ scratch: Scratch) throws -> StationJournals {
        let path = try scratch.write("x\n", to: "2026-01-31T12-00-00Z.jsonl")
        #expect(path.hasSuffix(".jsonl"))
        var journals = StationJournals(SessionFolder(FilePath(scratch.path)), events: [])
        journals.remember(["2026-01-31T12-00-00Z": StationMemory.Journal(name: "2026-01-31T12-00-00Z/7", line: 1, bytes: 2)])
        return journals
    }

    @Test func `a closing is sent again until a hub has it, and then never`() throws {
        var journals = try journals(Scratch())
        let key = try JournalKey(in: FilePath(try Scratch().path))
        var closings = StationClosings(of: hall, by: key, retryDelay: .seconds(30))
        #expect(closings.next(journals, today: nil, at: .zero) == nil, "the clock was not set")
        #expect(closings.next(journals, today: "2026-01-30", at: .zero) == nil, "its day is not over")
        let made = closings.next(journals, today: "2026-02-02", at: .seconds(60))
        let signed = try #require(made)
        #expect(signed.isGood && signed.closing.journals.map(\.name) == ["2026-01-31T12-00-00Z/7"])
        #expect(closings.next(journals, today: "2026-02-02", at: .seconds(89)) == nil)
        #expect(closings.next(journals, today: "2026-02-02", at: .seconds(90)) == signed)
        closings.hurry()
        #expect(closings.next(journals, today: "2026-02-02", at: .seconds(91)) == signed)
        #expect(closings.take(KeptClosing(digest: String(repeating: "0", count: 64))).isEmpty, "another one's answer")
        let answer = KeptClosing(digest: Digest.hexadecimal(Digest.of(Array(signed.closing.text.utf8))))
        journals.close(closings.take(answer))
        #expect(closings.take(answer).isEmpty)
        #expect(closings.next(journals, today: "2026-02-02", at: .seconds(1_000)) == nil)
    }

    @Test func `without a key no day is closed`() throws {
        var closings = StationClosings(of: hall, by: nil, retryDelay: .seconds(30))
        #expect(!closings.closes)
        #expect(closings.next(try journals(Scratch()), today: "2026-02-02", at: .zero) == nil)
    }

    @Test func `a closing that its key has not signed is not taken`() throws {
        let key = try JournalKey(in: FilePath(try Scratch().path))
        let closing = Closing(station: hall, day: "2026-01-31", journals: [Closing.Journal(name: "a/1", bytes: 1, digest: String(repeating: "0", count: 64))])
        let signature = try #require(key.signature(of: Array(closing.text.utf8)))
        let signed = SignedClosing(closing, key: Digest.hexadecimal(key.publicKey.bytes), signature: Digest.hexadecimal(signature))
        var desk = ClosingDesk()
        try desk.take(signed)
        #expect(desk.count == 1)
        let other = Closing(station: try #require(StationName("hall-4")), day: closing.day, journals: closing.journals)
        #expect(throws: (any Error).self) { try desk.take(SignedClosing(other, key: signed.key, signature: signed.signature)) }
        #expect(desk.count == 1)
    }
}
