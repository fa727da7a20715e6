import Testing
import Wire

private func lines(_ text: String, limit: Int = 8, chunk: Int) -> [LineFramer.Line] {
    var framer = LineFramer(limit: limit)
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: chunk).flatMap { framer.append(bytes[$0..<min(bytes.count, $0 + chunk)]) }
}

@Suite struct LineFramerTests {
    @Test(arguments: [1, 2, 3, 100])
    func `lines come out whole however the bytes arrive`(chunk: Int) {
        #expect(lines("ab\n\ncd\r\nrest", chunk: chunk)
            == [.complete(Array("ab".utf8)), .complete([]), .complete(Array("cd".utf8))])
    }

    @Test(arguments: [1, 3, 100])
    func `a line past the limit is reported once and skipped, and the next one is read`(chunk: Int) {
        #expect(lines("12345678\n123456789 and much more\nok\n", chunk: chunk)
            == [.complete(Array("12345678".utf8)), .oversized, .complete(Array("ok".utf8))])
    }
}
