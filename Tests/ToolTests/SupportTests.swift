import Testing

@testable import Tool

@Suite struct SupportTests {
    @Test(arguments: [
        ("page: console/#token=0a1b2c", "page: console/#token=…"),
        (#"{"value":"http://hall:7400/console/#code=H7K2&lang=de"}"#, #"{"value":"http://hall:7400/console/#code=…&lang=de"}"#),
        ("chromium http://127.0.0.1:7400/colorscroller/?kiosk=any&word=5f3a --kiosk", "chromium http://127.0.0.1:7400/colorscroller/?kiosk=any&word=… --kiosk"),
        (#""a \"page?secret=sesame\" b""#, #""a \"page?secret=…\" b""#),
        ("Main process exited, code=killed, status=9/KILL", "Main process exited, code=killed, status=9/KILL"),
        ("expected a token, which the command thrum token add makes", "expected a token, which the command thrum token add makes"),
    ])
    func `what an address has of secrets is left out of texts, and nothing else`(text: String, shown: String) {
        #expect(SupportBundle.withoutSecrets(text) == shown)
    }

    @Test(arguments: [30, 50, 600] as [Int32])
    func `when every part hangs, each has some time, and all is packed in the whole time`(whole: Int32) {
        let time = SupportTime(whole: whole)
        var gone: Int32 = 0
        for _ in 1...11 {
            let part = time.part(after: gone)
            #expect(part >= 1)
            gone += part
        }
        let packing = time.packing(after: gone)
        #expect(packing >= 5 && gone + packing <= whole)
    }

    @Test func `without a whole time a part has 20 s, and packing 200 s`() {
        #expect(SupportTime(whole: nil).part(after: 500) == 20 && SupportTime(whole: nil).packing(after: 500) == 200)
    }

    @Test(arguments: ["29", "3601", "soon"])
    func `a wrong time is refused`(seconds: String) {
        #expect(throws: (any Error).self) { try SupportCommand.parse(["--within=\(seconds)"]) }
    }

    @Test(arguments: ["-1", "1001", "many"])
    func `a wrong number of journals is refused`(count: String) {
        #expect(throws: (any Error).self) { try SupportCommand.parse(["--journals=\(count)"]) }
    }
}
