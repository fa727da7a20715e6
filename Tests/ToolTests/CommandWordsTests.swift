import Testing
@testable import Tool

@Suite struct CommandWordsTests {
    @Test(arguments: [
        Array("plain.jsonl".utf8), Array("häßlich 🎈".utf8), [0xFF], [0x61, 0xE4, 0x62], [0xC3], [0xF0, 0x9F, 0x8E],
        // What stands for a byte itself, U+10FF41 in UTF-8; and an encoded surrogate.
        [0xF4, 0x8F, 0xBD, 0x81], [0xED, 0xA0, 0x80], [],
    ])
    func `any bytes are text from which the same bytes are made again`(bytes: [UInt8]) {
        #expect(CommandWords.bytes(of: CommandWords.text(of: bytes)) == bytes)
    }

    @Test func `text stays what it is, and for people what is no text is repaired`() {
        #expect(CommandWords.text(of: Array("häßlich".utf8)) == "häßlich")
        #expect(CommandWords.repaired(CommandWords.text(of: [0x61, 0xE4, 0x62])) == "a\u{FFFD}b")
    }
}
