import Fields
import Files
import HTTPServer
import Signals
import StateStore
import Testing
import Wire

@testable import Live

@Suite struct TokensTests {
    @Test func `a token is 256 random bits, of which only a digest is kept`() throws {
        var (tokens, random) = (Tokens([]), SystemRandomNumberGenerator())
        let (kept, text) = try tokens.add(named: "console", .operator, created: 7, using: &random)
        #expect(text.count == 64 && text.allSatisfy(\.isHexDigit) && kept.digest != text)
        #expect(tokens.grants == [Grant(name: "console", role: .operator, digest: Digest.of(Array(text.utf8)))])
        #expect(Tokens([kept]).grants == tokens.grants, "also after a restart")
        let other = try tokens.add(named: "wall", .watch, created: 8, using: &random).text
        #expect(other != text)
        #expect(tokens.list == TokenList(tokens: [.init(name: "console", role: .operator, created: 7), .init(name: "wall", role: .watch, created: 8)]))
    }

    @Test func `a name has one token, and there is an end to them`() throws {
        var (tokens, random) = (Tokens([]), SystemRandomNumberGenerator())
        for number in 0..<64 { _ = try tokens.add(named: "\(number)", .visitor, created: 0, using: &random) }
        #expect(throws: Fault.self) { try tokens.add(named: "7", .visitor, created: 0, using: &random) }
        #expect(throws: Fault.self) { try tokens.add(named: "another", .visitor, created: 0, using: &random) }
        try tokens.revoke("7")
        #expect(throws: Fault.self) { try tokens.revoke("7") }
        #expect(tokens.grants.count == 63 && !tokens.grants.contains { $0.name == "7" })
    }

    @Test func `a name in other letters' case is the same name`() throws {
        var (tokens, random) = (Tokens([]), SystemRandomNumberGenerator())
        _ = try tokens.add(named: "Anna+phone", .operator, created: 0, using: &random)
        let fault = #expect(throws: Fault.self) { try tokens.add(named: "anna+PHONE", .operator, created: 0, using: &random) }
        #expect(fault?.field == "name")
        #expect(try tokens.revoke("ANNA+phone") == "Anna+phone", "as it is kept")
        #expect(tokens.grants.isEmpty)
    }

    @Test func `a digest that is none admits nobody`() {
        #expect(Tokens([KeptToken(name: "x", role: .operator, digest: "no digest", created: 0)]).grants[0].digest.count < 32)
    }
}

/// Which person an operator is.
@Suite struct OperatorNameTests {
    @Test func `a user has the system's name and no other, and all tokens of a person have one`() {
        #expect(OperatorName.of(.user(0)) == "root")
        // Nobody has this number: no name is made up, by which they would be somebody else once they have one.
        #expect(OperatorName.of(.user(4_294_000_000)) == nil)
        #expect(["anna", "anna+phone", "anna+desk"].map { OperatorName.of(.token($0)) } == ["anna", "anna", "anna"])
        #expect(OperatorName.of(.token("anna.phone")) == "anna.phone" && OperatorName.of(.unknown) == nil)
    }
}
