import NIOHTTP1

/// A file that is asked for: where it is in the folder of pages. Nothing that begins with a dot is in it, so that no path leads out, and
/// no hidden file is served.
struct PagePath: Equatable {
    /// Without a slash at its start; `index.html` stands for a folder.
    let path: String

    private init(path: String) { self.path = path }

    /// Where it is in the folder `name` of that folder; nil if it is elsewhere.
    func inside(_ name: String) -> PagePath? {
        guard path.utf8.starts(with: name.utf8) else { return nil }
        let rest = path.utf8.dropFirst(name.utf8.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
        return PagePath(path: String(decoding: rest.dropFirst(), as: UTF8.self))
    }

    /// That of the target of a request, without its query (RFC 9112, section 3.2.1). Throws 400 for what is none, and 404 for what is never
    /// served.
    init(_ target: some StringProtocol) throws(HTTPRefusal) {
        guard target.hasPrefix("/"), let decoded = Self.decoded(target.utf8) else {
            throw HTTPRefusal(.badRequest, "expected a path from / on, in UTF-8 with percent encoding")
        }
        var parts = decoded.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if parts.last?.isEmpty == true {
            parts.removeLast()
            parts.append("index.html")
        }
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else { throw HTTPRefusal(.notFound, "there is no such file") }
        path = parts.joined(separator: "/")
    }

    /// Nil for bad percent encoding, bad UTF-8, and zeros.
    private static func decoded(_ text: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
}
