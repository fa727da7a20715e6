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

    private func row(_ station: String, _ bytes: [UInt8], day: String = "2026-01-31", arrived: String = "2026-02-01", key: JournalKey? = nil) throws
        -> ClosingTable.Row {
        let signer = key ?? self.key
        let journals = ["2026-01-31T11-00-00Z/3", name + "/7"].map { Closing.Journal(name: $0, bytes: bytes.count, digest: digest(bytes)) }
        let closing = Closing(station: try #require(StationName(station)), day: day, key: Digest.hexadecimal(signer.publicKey.bytes),
                              journals: journals)
        let signature = try #require(signer.signature(of: Array(closing.text.utf8)))
        return ClosingTable.Row(digest: digest(Array(closing.text.utf8)), text: closing.text, key: closing.key,
                                signature: Digest.hexadecimal(signature), arrived: arrived)
    }

    /// A row with another text, and otherwise as it was.
    private func row(_ row: ClosingTable.Row, text: String) -> ClosingTable.Row {
        ClosingTable.Row(digest: row.digest, text: text, key: row.key, signature: row.signature, arrived: row.arrived)
    }

    /// Three stations' closings, in the order of their arrival.
    private func rows() throws -> [ClosingTable.Row] { try ["hall-1", "hall-2", "hall-3"].map { try row($0, bytes) } }

    /// A day with its root, after `former`.
    private func day(_ rows: [ClosingTable.Row], _ name: String = "2026-02-01", after former: ClosingTable.Root? = nil) -> ClosingTable.Day {
        let day = ClosingTable.Day(day: name, closings: rows, root: nil, former: former)
        let root = ClosingTable.Root(day: name, root: ClosingDesk.root(of: day), closings: rows.count)
        return ClosingTable.Day(day: name, closings: rows, root: root, former: former)
    }

    private func prove(_ closings: [ClosingTable.Row], in days: [ClosingTable.Day], session: String? = nil, station: String = "hall-1",
                       firstKey: String? = nil, key wanted: String? = nil, roots: [String: String] = [:], file: [UInt8]? = nil) throws -> DayProof {
        let question = DayProof.Question(session: session ?? name, station: try #require(StationName(station)), day: "2026-01-31", key: wanted,
                                         roots: roots, file: file.map { DayProof.File(path: "copy", digest: digest($0)) })
        return try DayProof(question, in: closings, firstKey: firstKey ?? Digest.hexadecimal(key.publicKey.bytes),
                            days: { first, last throws(DatabaseProblem) in days.filter { (first...last).contains($0.day) } })
    }

    @Test func `a journal that is as it was has no flaw, and its way to the root is told`() throws {
        let rows = try rows()
        let day = day(rows)
        let root = try #require(day.root).root
        for session in [name, name + "/7"] {
            let proof = try prove([rows[2]], in: [day], session: session, station: "hall-3", roots: ["2026-02-01": root], file: bytes)
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
            let proof = try prove([rows[0]], in: [day(rows)], file: changed)
            #expect(proof.flaws == ["copy: \(name)/7 was changed after its closing: its sha256 is \(digest(changed))"])
        }
    }

    @Test func `a journal that was closed twice and differently is a flaw, whichever of them the copy is`() throws {
        let rows = try rows()
        let first = day(rows)
        for arrived in ["2026-02-01", "2026-02-09"] {
            let again = try row("hall-1", bytes + [0], arrived: arrived)
            let days = arrived == "2026-02-01" ? [day(rows + [again])] : [first, day([again], arrived, after: first.root)]
            for file in [bytes, bytes + [0]] {
                let proof = try prove([rows[0], again], in: days, file: file)
                #expect(proof.flaws.first?.hasPrefix("\(name)/7: closed twice and differently") == true)
            }
        }
    }

    @Test func `whatever was changed in the tables is told`() throws {
        let rows = try rows()
        let (good, root) = (day(rows), try #require(day(rows).root))
        func changed(_ rows: [ClosingTable.Row]) -> [ClosingTable.Day] {
            [ClosingTable.Day(day: "2026-02-01", closings: rows, root: root, former: nil)]
        }
        let forged = row(rows[0], text: rows[0].text.replacing(" 10 ", with: " 11 "))
        let flaws = try prove([forged], in: changed([forged] + rows[1...])).flaws
        #expect(flaws.count == 3 && flaws[0].hasSuffix("its text has another sha256") && flaws[1].hasPrefix("the closing was changed")
            && flaws[2].hasSuffix("one was changed, added or removed"))
        #expect(try prove([rows[0]], in: changed([rows[0], rows[2]])).flaws.first?.hasSuffix("changed, added or removed") == true)
        #expect(try prove([rows[1]], in: [good]).flaws.first?.hasSuffix("its text is of hall-2, 2026-01-31") == true)
        let other = try row("hall-1", bytes, day: "2026-01-30")
        #expect(try prove([other], in: [day([other])]).flaws.first?.hasSuffix("its text is of hall-1, 2026-01-30") == true)
        let anew = day([rows[0], rows[2]])
        #expect(try prove([rows[0]], in: [anew], roots: ["2026-02-01": root.root]).flaws
            == ["the root of 2026-02-01: expected \(root.root), found \(anew.root?.root ?? "")"])
    }

    @Test func `a later closing does not stand in for one that was taken away, spoilt or hidden`() throws {
        let rows = try rows()
        let (first, again) = (day(rows), try row("hall-1", bytes, arrived: "2026-02-09"))
        let last = day([again], "2026-02-09", after: first.root)
        #expect(try prove([rows[0], again], in: [first, last]).flaws == [], "the same twice is no flaw")
        let removed = ClosingTable.Day(day: first.day, closings: Array(rows[1...]), root: first.root, former: nil)
        #expect(try prove([again], in: [removed, last]).flaws.count == 1)
        let spoilt = row(rows[0], text: "x" + rows[0].text)
        let spoiling = ClosingTable.Day(day: first.day, closings: [spoilt] + rows[1...], root: first.root, former: nil)
        #expect(try prove([spoilt, again], in: [spoiling, last]).flaws.contains { $0.hasSuffix("its text is no closing") })
        #expect(try prove([again], in: [first, last]).flaws.first?.hasSuffix("for another station or day") == true, "its columns were changed")
        // Whoever makes the first root anew changes all that follow; whoever takes it away leaves a former root that is another.
        let anew = day(Array(rows[1...]))
        let followed = ClosingTable.Day(day: last.day, closings: [again], root: last.root, former: anew.root)
        #expect(try prove([again], in: [anew, followed]).flaws.count == 1)
        let alone = ClosingTable.Day(day: last.day, closings: [again], root: last.root, former: nil)
        #expect(try prove([again], in: [alone]).flaws.count == 1)
        let kept = try #require(first.root).root
        #expect(try prove([again], in: [day([again], "2026-02-09")], roots: ["2026-02-01": kept]).flaws
            == ["the root of 2026-02-01: expected \(kept), found none"])
        #expect(try prove([again], in: [first, last]).lines.contains { $0.hasPrefix("late     the closing arrived 9 days") })
    }

    @Test func `another key than the station's first is a flaw, unless it is the one that is expected`() throws {
        let other = try JournalKey(in: FilePath(try Scratch().path))
        let row = try row("hall-1", bytes, key: other)
        #expect(try prove([row], in: [day([row])]).flaws.first?.hasPrefix("the closing is signed by another key") == true)
        #expect(try prove([row], in: [day([row])], key: other.publicKey.fingerprint).flaws == [])
        let wanted = key.publicKey.fingerprint
        #expect(try prove([row], in: [day([row])], key: wanted).flaws == ["the key: expected \(wanted), found \(other.publicKey.fingerprint)"])
    }

    @Test func `what is not there yet is told`() throws {
        let rows = try rows()
        #expect(try prove([], in: []).flaws == ["\(name): no closing of this day has it"])
        #expect(try prove([rows[0]], in: [day(rows)], session: "2026-01-31T12-00-00").flaws.count == 1, "a part of a name is none")
        let open = ClosingTable.Day(day: "2026-02-01", closings: rows, root: nil, former: nil)
        #expect(try prove([rows[0]], in: [open]).flaws == ["the closing arrived on 2026-02-01, whose root is made when that day is over in UTC"])
    }

    @Test func `a root changes with a signature, with the order of the closings and with the root before it`() throws {
        let rows = try rows()
        let root = day(rows).root
        let unsigned = ClosingTable.Row(digest: rows[0].digest, text: rows[0].text, key: rows[0].key,
                                        signature: String(repeating: "0", count: 128), arrived: rows[0].arrived)
        #expect(day([unsigned] + rows[1...]).root != root)
        #expect(day(rows.reversed()).root != root)
        #expect(day(rows, after: ClosingTable.Root(day: "2026-01-31", root: "0", closings: 1)).root != root)
    }

    @Test func `a hub says another key and a day that is to come`() throws {
        let other = try JournalKey(in: FilePath(try Scratch().path)).publicKey
        let closing = try #require(Closing(text: row("hall-1", bytes).text))
        func warnings(_ former: String?, isAhead: Bool = false) -> [String] {
            ClosingDesk.warnings(of: ClosingTable.New(closing: closing, formerKey: former, arrived: "2027-01-01", isAhead: isAhead))
        }
        #expect(warnings(nil) == [] && warnings(closing.key) == [])
        #expect(warnings(Digest.hexadecimal(other.bytes)) == ["closing of hall-1, 2026-01-31: signed by the key \(key.publicKey.fingerprint), "
            + "and the one before by \(other.fingerprint)"])
        #expect(warnings(nil, isAhead: true).first?.contains("belongs to the root of 2027-01-01, a day to come") == true)
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
        let scratch = try Scratch()
        defer { withExtendedLifetime(scratch) {} }
        var journals = try journals(scratch)
        let key = try JournalKey(in: FilePath(try Scratch().path))
        var closings = StationClosings(of: hall, by: key, retryDelay: .seconds(30))
        func next(_ today: String?, at seconds: Int) -> SignedClosing? { closings.next(&journals, today: today, at: .seconds(seconds)) }
        #expect(next(nil, at: 0) == nil, "the clock was not set")
        #expect(next("2026-01-30", at: 0) == nil, "its day is not over")
        let signed = try #require(next("2026-02-02", at: 60))
        #expect(signed.isGood && signed.closing.journals.map(\.name) == ["2026-01-31T12-00-00Z/7"])
        #expect(next("2026-02-02", at: 89) == nil)
        #expect(next("2026-02-02", at: 90) == signed)
        closings.hurry()
        #expect(next("2026-02-02", at: 91) == signed)
        #expect(closings.take(KeptClosing(digest: String(repeating: "0", count: 64))).isEmpty, "another one's answer")
        let answer = KeptClosing(digest: Digest.hexadecimal(Digest.of(Array(signed.closing.text.utf8))))
        journals.close(closings.take(answer))
        #expect(closings.take(answer).isEmpty)
        #expect(next("2026-02-02", at: 1_000) == nil)
    }

    @Test func `without a key no day is closed`() throws {
        var (journals, closings) = (try journals(Scratch()), StationClosings(of: hall, by: nil, retryDelay: .seconds(30)))
        #expect(!closings.closes)
        let closing = closings.next(&journals, today: "2026-02-02", at: .zero)
        #expect(closing == nil)
    }

    @Test func `a large journal is digested in rounds, and closed at the last`() throws {
        let scratch = try Scratch()
        let text = String(repeating: "0123456789abcde\n", count: StationDigests.bytesOfRound / 16) + "x\n"
        _ = try scratch.write(text, to: "2026-01-31T12-00-00Z.jsonl")
        var journals = StationJournals(SessionFolder(FilePath(scratch.path)), events: [])
        journals.remember(["2026-01-31T12-00-00Z": StationMemory.Journal(name: "2026-01-31T12-00-00Z/7", line: 1, bytes: text.utf8.count)])
        var closings = StationClosings(of: hall, by: try JournalKey(in: FilePath(try Scratch().path)), retryDelay: .seconds(30))
        let first = closings.next(&journals, today: "2026-02-02", at: .zero)
        #expect(first == nil && journals.isDigesting)
        let second = closings.next(&journals, today: "2026-02-02", at: .zero)
        #expect(second?.closing.journals.map(\.digest) == [Digest.hexadecimal(Digest.of(Array(text.utf8)))] && !journals.isDigesting)
    }

    @Test func `a closing that its key has not signed is not taken`() throws {
        let key = try JournalKey(in: FilePath(try Scratch().path))
        let closing = Closing(station: hall, day: "2026-01-31", key: Digest.hexadecimal(key.publicKey.bytes),
                              journals: [Closing.Journal(name: "a/1", bytes: 1, digest: String(repeating: "0", count: 64))])
        let signature = try #require(key.signature(of: Array(closing.text.utf8)))
        let signed = SignedClosing(closing, signature: Digest.hexadecimal(signature))
        var desk = ClosingDesk()
        try desk.take(signed)
        #expect(desk.count == 1)
        try desk.take(signed)
        #expect(desk.count == 1, "it is sent again and again while the database is away")
        let other = Closing(station: try #require(StationName("hall-4")), day: closing.day, key: closing.key, journals: closing.journals)
        #expect(throws: (any Error).self) { try desk.take(SignedClosing(other, signature: signed.signature)) }
        #expect(desk.count == 1)
        desk.removeAll()
        #expect(desk.count == 0)
    }
}
