import Fields

/// Adds a signature to a line, and finds it there. It is the last field before the sum: `,"signature":"…"`, with the 64 bytes of an Ed25519
/// signature in 128 lower-case hexadecimal digits. It covers every byte of the file before its comma, and so proves all lines above, too.
public enum JournalSignature {
    private static let opening = Array(#","signature":""#.utf8)
    private static let digits = 128
    private static let closing = Array(#"""#.utf8)
    private static let length = opening.count + digits + closing.count
    /// The length of the sum that follows the signature, with the end of the line.
    private static let sumLength = #","sum":"00000000"}"#.utf8.count

    /// Returns a line of `JournalLine.encode` with a signature added. `sign` returns the signature for the part of the line before it, or
    /// nil if it cannot sign; then the result is nil.
    public static func add(to line: [UInt8], _ sign: (_ head: [UInt8]) -> [UInt8]?) -> [UInt8]? {
        let head = Array(line.dropLast(2))
        guard let signature = sign(head) else { return nil }
        return head + opening + Hexadecimal.text(signature).utf8 + closing + line.suffix(2)
    }

    /// Returns the part of a line that its signature covers, and the signature; nil where no signature stands before the sum.
    public static func parts(of line: ArraySlice<UInt8>) -> (head: ArraySlice<UInt8>, signature: [UInt8])? {
        let signed = line.dropLast(sumLength)
        let found = signed.suffix(length)
        guard found.count == length, found.starts(with: opening), found.last == closing[0],
              let signature = Hexadecimal.bytes(found.dropFirst(opening.count).dropLast()) else { return nil }
        return (signed.dropLast(length), signature)
    }
}

/// The part of a signed journal's header that says who signs the journal, and which theme and sound files the session was played with. All
/// digests are SHA-256, in 64 lower-case hexadecimal digits.
public struct JournalProvenance: Equatable, Sendable {
    /// The digest of the box's public key. People identify the box by it.
    public var box: String
    /// The public key (Ed25519) whose digest is `box`: 32 bytes in hexadecimal digits.
    public var key: String
    /// The digest of the theme in the form in which the header contains it.
    public var theme: String
    /// The digests of the sound files of the theme's patterns, by their paths.
    public var sounds: [String: String]

    public init(box: String, key: String, theme: String, sounds: [String: String]) {
        self.box = box
        self.key = key
        self.theme = theme
        self.sounds = sounds
    }
}

extension JournalProvenance: Encodable {
    /// Reads the part from a header's field. Throws `Fault`.
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["box", "key", "theme", "sounds"])
        func digest(_ name: String) throws -> String { try Self.digest(fields, name) }
        self.init(box: try digest("box"), key: try digest("key"), theme: try digest("theme"), sounds: try Self.sounds(fields))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(box, forKey: .init("box"))
        try container.encode(key, forKey: .init("key"))
        try container.encode(theme, forKey: .init("theme"))
        if !sounds.isEmpty { try container.encode(sounds, forKey: .init("sounds")) }
    }

    private static let expected = "64 small hexadecimal digits"

    private static func isDigest(_ text: String) -> Bool { text.utf8.count == 64 && Hexadecimal.bytes(text.utf8) != nil }

    /// Reads the digest in field `name`. Throws `Fault`.
    static func digest(_ fields: Fields, _ name: String) throws -> String {
        try fields.parsed(name, expected: expected) { isDigest($0) ? $0 : nil }
    }

    /// Reads the digests in field `sounds`, by their paths; none if it is left out. Throws `Fault`.
    static func sounds(_ fields: Fields) throws -> [String: String] {
        try fields.object("sounds").others(than: []).mapValues { value in
            guard case .text(let digest) = value, isDigest(digest) else { throw fields.fault("sounds", "a path and \(expected) each") }
            return digest
        }
    }
}

/// Writes bytes as lower-case hexadecimal digits, two for each byte, and reads them.
public enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads pairs of lower-case hexadecimal digits, one pair for each byte; nil for text that has anything else in it.
    public static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text {
            guard let place = digits.firstIndex(of: digit) else { return nil }
            if let first = high.take() { bytes.append(first << 4 | UInt8(place)) } else { high = UInt8(place) }
        }
        return high == nil ? bytes : nil
    }
}
