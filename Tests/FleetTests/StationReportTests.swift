import Fields
import Fleet
import Testing

@Suite struct StationReportTests {
    private func engine(issues: [String] = [], theme: String = "standard", latency: Double = 12.4) -> StationReport.Engine {
        StationReport.Engine(version: "0.1.0", piece: "colorscroller", theme: theme, plays: true, latency: latency, underruns: 1, lateRewrites: 2,
                             lostEntries: 3, issues: issues)
    }

    private func report(_ daemon: StationReport.Daemon, at instant: Int = 1_767_268_800_000_000) -> StationReport {
        StationReport(instant: instant, journals: 4, rows: 5, daemon: daemon)
    }

    private static let whole = #"{"at":1767268800000000,"daemon":{"issues":["no card"],"lateRewrites":2,"latency":12,"lostEntries":3,"# +
        #""piece":"colorscroller","plays":true,"theme":"standard","underruns":1,"version":"0.1.0"},"journals":4,"rows":5}"#

    @Test func `a report is read back as it was written`() throws {
        for daemon in [StationReport.Daemon.none, .silent("thrumd: no answer"), .there(engine()), .there(engine(issues: ["no card", "no finger"]))] {
            #expect(try StationReport(report(daemon).payload) == report(daemon))
        }
        #expect(String(decoding: report(.there(engine(issues: ["no card"]))).payload, as: UTF8.self) == Self.whole)
        #expect(String(decoding: report(.silent("gone")).payload, as: UTF8.self) == #"{"at":1767268800000000,"journals":4,"problem":"gone","rows":5}"#)
    }

    @Test func `texts and numbers are cut to what a hub reads`() throws {
        let zalgo = "a" + String(repeating: "\u{301}", count: 500)
        let wild = StationReport.Engine(version: "", piece: String(repeating: "ä", count: 300), theme: "a\0b", plays: false, latency: .infinity, underruns: .max,
                                        lateRewrites: 0, lostEntries: 0, issues: [zalgo] + (1...40).map { "issue \($0)" })
        let read = try StationReport(report(.there(wild)).payload)
        guard case .there(let engine) = read.daemon else { Issue.record("\(read)"); return }
        #expect(engine.version == "?" && engine.piece == String(repeating: "ä", count: 200) && engine.theme == "a\u{FFFD}b")
        #expect(engine.latency == 0 && engine.underruns == 1 << 53)
        // 41 issues: 15 of them, and a line for the 26 others.
        #expect(engine.issues.count == 16 && engine.issues.first == "a" && engine.issues[14] == "issue 14" && engine.issues.last == "and 26 more")
    }

    @Test func `the largest report is taken`() throws {
        let long = String(repeating: "\u{1}", count: 200)
        let largest = StationReport.Engine(version: long, piece: long, theme: long, plays: true, latency: 1e300, underruns: .max, lateRewrites: .max, lostEntries: .max,
                                           issues: Array(repeating: long, count: 16))
        let payload = report(.there(largest)).payload
        #expect(payload.count <= StationReport.largestPayload)
        #expect(throws: Never.self) { try StationReport(payload) }
    }

    @Test func `two reports say the same whenever each was made`() {
        #expect(report(.there(engine()), at: 1).saysTheSame(as: report(.there(engine()), at: 2)))
        #expect(!report(.there(engine())).saysTheSame(as: report(.there(engine(theme: "night")))))
        #expect(report(.there(engine(latency: 12.4))).saysTheSame(as: report(.there(engine(latency: 11.6)))), "parts of a millisecond are no news")
    }

    @Test func `a thrumd that does not answer is an issue`() {
        #expect(report(.silent("thrumd: gone")).issues == ["thrumd: gone"] && report(.none).issues == [] && report(.there(engine(issues: ["a"]))).issues == ["a"])
    }

    @Test(arguments: [
        (#""at":1767268800000000"#, #""at":-1"#, "at"), (#""journals":4"#, #""journals":-1"#, "journals"), (#""rows":5"#, #""rows":501"#, "rows"),
        (#""rows":5"#, #""rows":5,"more":1"#, "more"), (#""rows":5"#, #""rows":5,"problem":"x""#, "problem"), (#""plays":true"#, #""plays":1"#, "plays"),
        (#""theme":"standard""#, #""theme":"""#, "theme"), (#""theme":"standard""#, #""theme":"\u0000""#, "theme"),
        (#""theme":"standard","#, "", "theme"), (#""latency":12"#, #""latency":1.5"#, "latency"),
        (#"["no card"]"#, #"[1]"#, "issues"), (#"["no card"]"#, #"["\u0000"]"#, "issues"),
        (#"["no card"]"#, "[" + Array(repeating: #""x""#, count: 17).joined(separator: ",") + "]", "issues"),
        (#""underruns":1"#, #""underruns":1,"extra":{}"#, "extra"),
    ])
    func `a payload that is wrong is refused by the field's name`(part: String, other: String, field: String) {
        #expect(Self.whole.contains(part))
        let fault = #expect(throws: Fault.self) { try StationReport(Array(Self.whole.replacing(part, with: other).utf8)) }
        #expect(fault?.field == field)
    }

    @Test func `a payload that is too large is refused before it is read`() {
        let fault = #expect(throws: Fault.self) { try StationReport([UInt8](repeating: 32, count: 65_537)) }
        #expect(fault?.expected == "at most 65536 bytes" && fault?.found == "65537")
    }
}
