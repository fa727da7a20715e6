import Testing

@testable import Files

/// Expected values come from Python's hashlib.pbkdf2_hmac.
@Suite struct SlowHashTests {
    private let salt = [UInt8](0..<16)
    private let digits = "000102030405060708090a0b0c0d0e0f"

    @Test func `a hash is that of PBKDF2 with HMAC-SHA-512, over UTF-8`() {
        #expect(SlowHash(of: "correct horse", salt: salt, rounds: 1_000).text
            == "pbkdf2-sha512:1000:\(digits):5e9c74ed68d5c78bc222fae60518fcb8ea1556d1aa26ab54bf62796e18b3490b")
        #expect(SlowHash(of: "Ähre 🔑", salt: salt, rounds: SlowHash.usualRounds).text
            == "pbkdf2-sha512:210000:\(digits):ddfbda547dd27240519489daea38eb10e46191724b4eac4387472d4130868292")
    }

    @Test func `a hash is read again from its text, and knows its own secret and no other`() throws {
        let hash = try #require(SlowHash(text: SlowHash(of: "4711", salt: salt, rounds: 10).text))
        #expect(hash.isOf("4711") && !hash.isOf("4712") && !hash.isOf("") && !hash.isOf("4711 "))
        #expect(!SlowHash.ofNothing.isOf("") && !SlowHash.ofNothing.isOf("4711"))
    }

    @Test func `each hash has a salt of its own`() {
        var random = SystemRandomNumberGenerator()
        let hashes = (0..<2).map { _ in SlowHash(of: "4711", using: &random) }
        #expect(hashes[0] != hashes[1] && hashes.allSatisfy { $0.isOf("4711") })
    }

    @Test(arguments: ["", "4711", "pbkdf2-sha512:10:00:00", "pbkdf2-sha512:0:000102030405060708090a0b0c0d0e0f:" + String(repeating: "0", count: 64),
                      "scrypt:10:000102030405060708090a0b0c0d0e0f:" + String(repeating: "0", count: 64)])
    func `what is no hash is none`(text: String) { #expect(SlowHash(text: text) == nil) }
}
