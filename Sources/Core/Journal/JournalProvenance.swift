import Fields

/// What the header of a signed journal says of who signs it and what its session is played with. All digests are SHA-256, in 64 small
/// hexadecimal digits.
public struct JournalProvenance: Equatable, Sendable {
    /// The digest of the box's public key, by which people know the box.
    public var box: String
    /// The public key of Ed25519 itself, 32 bytes in hexadecimal digits.
    public var key: String
    /// The digest of the theme as the header spells it.
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
    /// Throws `Fault`.
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["box", "key", "theme", "sounds"])
        func digest(_ name: String) throws -> String { try fields.parsed(name, expected: Self.expected) { Self.isDigest($0) ? $0 : nil } }
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

    /// The digests in field `sounds`, by their paths; none if it is left out. Throws `Fault`.
    static func sounds(_ fields: Fields) throws -> [String: String] {
        try fields.object("sounds").others(than: []).mapValues { value in
            guard case .text(let digest) = value, isDigest(digest) else { throw fields.fault("sounds", "a path and \(expected) each") }
            return digest
        }
    }
}
