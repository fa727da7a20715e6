import Fields
import Fleet
import Testing

@Suite struct RowBatchTests {
    private let batch = RowBatch(connection: 4, number: 9, parts: [
        RowBatch.Part(journal: "a/1", after: 2, through: 7, rows: [
            JournalRow(line: 3, frame: 480, instant: 10_000, event: "feed.scroll", fields: ["index": .integer(3), "margin": .number(-0.5)]),
            JournalRow(line: 7, frame: 481, instant: 10_020, event: "feed.scroll"),
        ]),
        RowBatch.Part(journal: "b/2", after: 0, through: 40, rows: []),
    ])

    @Test func `a batch is read back as it was written`() throws { #expect(try RowBatch(batch.payload) == batch) }

    @Test func `an answer is read back as it was written`() throws {
        let committed = Committed(connection: 4, number: 9, lines: ["a/1": 7, "b/2": 0])
        #expect(try Committed(committed.payload) == committed)
        #expect(String(decoding: committed.payload, as: UTF8.self) == #"{"batch":9,"bdSeq":4,"journals":{"a/1":7,"b/2":0}}"#)
    }

    private func text(_ rows: String, after: Int = 2, through: Int = 7) -> [UInt8] {
        Array(#"{"batch":1,"bdSeq":1,"parts":[{"after":\#(after),"journal":"a/1","rows":[\#(rows)],"through":\#(through)}]}"#.utf8)
    }

    private func row(_ line: Int, event: String = "x", fields: String = "{}") -> String {
        #"{"at":0,"event":"\#(event)","fields":\#(fields),"frame":0,"line":\#(line)}"#
    }

    @Test func `rows lie within their part, in order, each line once`() throws {
        #expect(try RowBatch(text(row(3) + "," + row(7))).parts[0].rows.count == 2)
        for rows in [row(2), row(8), row(4) + "," + row(4), row(5) + "," + row(4)] {
            #expect(throws: Fault.self, "\(rows)") { try RowBatch(text(rows)) }
        }
        #expect(throws: Fault.self) { try RowBatch(text("", after: 7, through: 6)) }
    }

    @Test func `text that PostgreSQL cannot keep is refused, and the fault names the field`() {
        #expect(throws: Fault(field: "parts[0].rows[0].event", expected: "text without NUL")) { try RowBatch(text(row(3, event: #"\u0000"#))) }
        for fields in [#"{"a":"\u0000"}"#, #"{"\u0000":1}"#, #"{"a":[{"b":"x\u0000"}]}"#, "[]", "1"] {
            #expect(throws: Fault.self, "\(fields)") { try RowBatch(text(row(3, fields: fields))) }
        }
    }

    @Test func `what a station keeps is read back as it was written`() throws {
        var memory = StationMemory()
        memory.connection = 12
        memory.journals = ["a": StationMemory.Journal(name: "a/1", line: 7, bytes: 900), "b": StationMemory.Journal(name: "b/2")]
        #expect(try StationMemory(memory.text) == memory)
        for wrong in [#"{"bdSeq":-1}"#, #"{"bdSeq":1,"journals":{"a":{"name":"a/1"}}}"#, #"{"bdSeq":1,"journals":{"a":1}}"#, "", "{"] {
            #expect(throws: Fault.self, "\(wrong)") { try StationMemory(Array(wrong.utf8)) }
        }
    }
}
