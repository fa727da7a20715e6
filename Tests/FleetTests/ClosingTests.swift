import Fields
import Fleet
import Testing

@Suite struct ClosingTests {
    private let hall = StationName("hall-3")!
    private let digest = String(repeating: "0a", count: 32)

    private var closing: Closing {
        Closing(station: hall, day: "2026-01-31", key: digest, journals: [
            Closing.Journal(name: "2026-01-31T12-00-00Z/7", bytes: 812, digest: digest),
            Closing.Journal(name: "2026-01-31T12-00-00Z-2/8", bytes: 0, digest: digest),
        ])
    }

    @Test func `its text has a line for each journal, and is read back`() {
        #expect(closing.text == "thrum closing 2\nhall-3\n2026-01-31\n\(digest)\n\(digest) 812 2026-01-31T12-00-00Z/7\n\(digest) 0 2026-01-31T12-00-00Z-2/8\n")
        #expect(closing.text.hasPrefix(Closing.beginning(of: hall, on: "2026-01-31")))
        #expect(Closing(text: closing.text) == closing)
    }

    @Test func `other text is no closing`() {
        let text = closing.text
        for other in ["", "thrum closing 1" + text.dropFirst(15), String(text.dropLast()), text + "\n", text.replacing("812", with: "0812"),
                      text.replacing("hall-3", with: "Hall"), text.replacing("812 ", with: ""), "thrum closing 2\nhall-3\n2026-01-31\n\(digest)\n"] {
            #expect(Closing(text: other) == nil, "\(other)")
        }
    }

    @Test func `a payload is read back as it was written, of the station whose topic it has`() throws {
        let signed = SignedClosing(closing, signature: digest + digest)
        #expect(try SignedClosing(signed.payload, of: hall) == signed)
        #expect(try KeptClosing(KeptClosing(digest: digest).payload) == KeptClosing(digest: digest))
        let journal = #"{"bytes":1,"journal":"a","sha256":"\#(digest)"}"#
        for (wrong, field) in [(#"{"day":"today","journals":[\#(journal)],"key":"\#(digest)","signature":"\#(digest + digest)"}"#, "day"),
                               (#"{"day":"2026-01-31","journals":[],"key":"\#(digest)","signature":"\#(digest + digest)"}"#, "journals"),
                               (#"{"day":"2026-01-31","journals":[\#(journal)],"key":"0A","signature":"\#(digest + digest)"}"#, "key"),
                               (#"{"day":"2026-01-31","journals":[\#(journal)],"key":"\#(digest)","signature":"\#(digest)"}"#, "signature")] {
            let fault = #expect(throws: Fault.self) { try SignedClosing(Array(wrong.utf8), of: hall) }
            #expect(fault?.field == field)
        }
        let lines = journal.replacing(#""a""#, with: #""a\nb""#)
        #expect(throws: Fault.self, "a line more in its text") {
            try SignedClosing(Array(#"{"day":"2026-01-31","journals":[\#(lines)],"key":"\#(digest)","signature":"\#(digest + digest)"}"#.utf8), of: hall)
        }
    }

    /// 2026-01-31T12:00:00Z is 1769860800 by `date --utc +%s`.
    @Test func `a journal begins when the name says that thrumd has given it`() {
        #expect(Closing.start(ofJournal: "2026-01-31T12-00-00Z") == 1_769_860_800)
        #expect(Closing.start(ofJournal: "2026-01-31T12-00-00Z-2") == 1_769_860_800)
        for other in ["7", "", "2026-01-31T12-00-00Z-", "2026-01-31T12-00-00Z-x", "2026-01-31T12-00-00Z.disturbed", "2026-13-31T12-00-00Z",
                      "2026-01-31 12-00-00Z"] {
            #expect(Closing.start(ofJournal: other) == nil, "\(other)")
        }
    }
}
