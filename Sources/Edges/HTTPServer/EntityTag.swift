/// By which a browser knows whether what it has is still right (RFC 9110, section 8.8.3): the first half of the SHA-256 of a file's bytes.
/// Times would not do, since all files of a package have the same.
struct EntityTag: Equatable {
    /// With its quotes.
    let text: String

    /// `digest` is that of the file's bytes.
    init(digest: [UInt8]) { text = "\"" + Digest.hexadecimal(digest.prefix(16)) + "\"" }

    /// Whether one of `If-None-Match` is it. Tags are compared weakly (section 13.1.2).
    func matches(_ wanted: some Sequence<Substring>) -> Bool {
        wanted.contains { $0 == "*" || $0 == text || $0 == "W/" + text }
    }
}
