import Fields
import Files
import HTTPServer
import Publishing
import StateStore
import Wire

/// The name of a token: its owner's name and, after a +, a word that distinguishes several tokens of that person.
enum TokenName {
    /// Returns the owner of a token: `anna` for `anna` and for `anna+phone`.
    static func person(_ name: String) -> String { String(name.prefix { $0 != "+" }) }

    private static let form = "letters, digits, and . _ -; then maybe + and a word, for several tokens of one person"

    /// Reads a token's name. Throws `Fault`.
    static func read(_ fields: Fields) throws -> String {
        try checked(try fields.text("name", limit: 64, about: "who has it: \(form)"), fields)
    }

    /// Reads the name for a device's token; nil where the request contains none. Throws `Fault`.
    static func readIfPresent(_ fields: Fields) throws -> String? {
        try fields.textIfPresent("name", limit: 64, about: "who is to have it: \(form); phone- and four letters by default")
            .map { try checked($0, fields) }
    }

    private static func checked(_ name: String, _ fields: Fields) throws -> String {
        guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._-+".contains($0)) }), !person(name).isEmpty else {
            throw fields.fault("name", "letters and digits of ASCII, and . _ -; what follows a + tells tokens of one person apart",
                               found: "\"\(name)\"")
        }
        return name
    }
}

/// The access tokens that are valid now. It does no I/O.
struct Tokens {
    /// The largest number of tokens.
    private static let most = 64
    /// The length of a token in bytes, the same as that of its digest.
    private static let length = 32

    private var kept: [KeptToken]

    init(_ kept: [KeptToken]) { self.kept = kept }

    var grants: [Grant] { kept.map { Grant(name: $0.name, role: $0.role, digest: Self.bytes($0.digest)) } }

    var list: TokenList { TokenList(tokens: kept.map { TokenList.Token(name: $0.name, role: $0.role, created: $0.created) }) }

    /// Whether there is a token with this name, without regard to case.
    func has(_ name: String) -> Bool { kept.contains { PersonName.areSame($0.name, name) } }

    /// Throws where no token with this name can be made: the name exists already, without regard to case, or there are too many tokens.
    func checkRoom(for name: String) throws(Fault) {
        guard !has(name) else {
            throw Fault(field: "name", expected: "a name that no token has, or token.revoke before it", found: "\"\(name)\"")
        }
        guard kept.count < Self.most else { throw Fault(field: "name", expected: "at most \(Self.most) tokens", found: "another") }
    }

    /// Makes a token, and returns it with its text. `created` is in seconds since 1970-01-01 in UTC. Throws where the name exists already,
    /// or there are too many tokens.
    mutating func add(named name: String, _ role: Role, created: Int, using random: inout some RandomNumberGenerator)
        throws(Fault) -> (kept: KeptToken, text: String) {
        try checkRoom(for: name)
        let text = Digest.hexadecimal((0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        let token = KeptToken(name: name, role: role, digest: Digest.hexadecimal(Digest.of(Array(text.utf8))), created: created)
        kept.append(token)
        kept.sort { $0.name < $1.name }
        return (token, text)
    }

    /// Removes a token, and returns its name as it is stored. Throws where there is no token with this name, without regard to case.
    @discardableResult
    mutating func revoke(_ name: String) throws(Fault) -> String {
        let index = kept.firstIndex { $0.name == name } ?? kept.firstIndex { PersonName.areSame($0.name, name) }
        guard let index else {
            let names = kept.map(\.name).joined(separator: ", ")
            let expected = names.isEmpty ? "nothing, as there are no tokens" : "one of \(names)"
            throw Fault(field: "name", expected: expected, found: "\"\(name)\"")
        }
        return kept.remove(at: index).name
    }

    /// Returns the bytes for `digits`, which are hexadecimal. Other text gives a digest that no token has.
    private static func bytes(_ digits: String) -> [UInt8] {
        let values = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: values.count - 1, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
