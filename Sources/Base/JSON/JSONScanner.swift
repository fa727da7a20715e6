/// Scans a JSON text (RFC 8259) once from start to end, without recursion. Each byte is examined once. Scanning stops where a limit is
/// exceeded.
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: JSONLimits
    /// The position of the scanner: the number of bytes that were examined so far.
    private(set) var offset = 0
    private(set) var nodes: [JSONText.Node] = []
    private(set) var hasUnnumbers = false
    private var values = 0
    /// The innermost list or object that is not closed yet; −1 when there is none.
    private var inner: Int32 = -1
    /// The number of lists and objects that are not closed yet.
    private var depth = 0

    /// Creates a scanner. The memory of `bytes` must outlive it.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
        // Enough room for the nodes of an ordinary line.
        nodes.reserveCapacity(min(bytes.count / 4 + 1, 64))
    }

    mutating func scan() throws(JSONRefusal) {
        skipSpace()
        try value()
        while inner >= 0 {
            skipSpace()
            let container = Int(inner)
            let isObject = nodes[container].kind == .object
            if here == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                offset += 1
                nodes[container].end = Int32(offset)
                nodes[container].next = Int32(nodes.count)
                // A list or object that is a member's value ends together with the node of that member's name.
                if container > 0, nodes[container - 1].kind == .name { nodes[container - 1].next = Int32(nodes.count) }
                inner = nodes[container].container
                depth -= 1
                continue
            }
            if nodes[container].count > 0 {
                try take(UInt8(ascii: ","))
                skipSpace()
            }
            nodes[container].count += 1
            if isObject {
                try name()
                skipSpace()
                try take(UInt8(ascii: ":"))
                skipSpace()
            }
            try value()
        }
        skipSpace()
        guard offset == bytes.count else { throw unexpected }
    }

    /// The byte at `offset`. At the end of the text it is 0, a byte that never occurs in JSON.
    private var here: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private var unexpected: JSONRefusal {
        .notJSON(offset < bytes.count ? "not JSON at byte \(offset + 1)" : "not JSON: it ends too early")
    }

    private mutating func skipSpace() {
        while true {
            switch here {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8) throws(JSONRefusal) {
        guard here == byte else { throw unexpected }
        offset += 1
    }

    private mutating func append(_ kind: JSONText.Kind, from start: Int, isIntricate: Bool = false) {
        let index = inner >= 0 ? nodes[Int(inner)].count - 1 : 0
        // The value of a name follows the name. As long as that value is no list or object, it is one node.
        let next = Int32(nodes.count + (kind == .name ? 2 : 1))
        nodes.append(JSONText.Node(kind: kind, isIntricate: isIntricate, start: Int32(start), end: Int32(offset),
                                   next: next, container: inner, index: index))
    }

    private mutating func name() throws(JSONRefusal) {
        let start = offset
        let isIntricate = try text()
        guard offset - start - 2 <= limits.name else { throw .tooMuch("a name has at most \(limits.name) bytes") }
        append(.name, from: start, isIntricate: isIntricate)
    }

    private mutating func value() throws(JSONRefusal) {
        values += 1
        guard values <= limits.values else { throw .tooMuch("a line has at most \(limits.values) values") }
        let start = offset
        switch here {
        case UInt8(ascii: "{"): try enter(.object)
        case UInt8(ascii: "["): try enter(.list)
        case UInt8(ascii: "\""):
            let isIntricate = try text()
            append(.text, from: start, isIntricate: isIntricate)
        case UInt8(ascii: "t"): try word("true", .yes)
        case UInt8(ascii: "f"): try word("false", .no)
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "N"): try word("NaN", .unnumber)
        case UInt8(ascii: "I"): try word("Infinity", .unnumber)
        case UInt8(ascii: "-") where offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "I"): try word("-Infinity", .unnumber)
        default: try number()
        }
    }

    private mutating func enter(_ kind: JSONText.Kind) throws(JSONRefusal) {
        guard depth < limits.depth else { throw .tooMuch("lists and objects are nested at most \(limits.depth) deep") }
        offset += 1
        append(kind, from: offset - 1)
        depth += 1
        inner = Int32(nodes.count - 1)
    }

    private mutating func word(_ word: StaticString, _ kind: JSONText.Kind) throws(JSONRefusal) {
        let start = offset
        for index in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[index]) }
        if kind == .unnumber { hasUnnumbers = true }
        append(kind, from: start)
    }

    /// Scans a string. Returns whether it contains backslashes.
    private mutating func text() throws(JSONRefusal) -> Bool {
        try take(UInt8(ascii: "\""))
        var isIntricate = false
        while true {
            offset = endOfPlainLetters
            let byte = here
            guard byte >= 0x20 else { throw unexpected }
            offset += 1
            if byte == UInt8(ascii: "\"") { return isIntricate }
            if byte == UInt8(ascii: "\\") {
                isIntricate = true
                try escape()
            }
        }
    }

    /// The end of the plain characters that begin at `offset`: those that are no quotation mark, no backslash and no control character. The
    /// loop counts in a local variable, which stays in a register, because most bytes of a line are plain characters.
    private var endOfPlainLetters: Int {
        var end = offset
        while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") { end += 1 }
        return end
    }

    private mutating func escape() throws(JSONRefusal) {
        switch here {
        case UInt8(ascii: "u"): offset += 1
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
             UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 1
            return
        default: throw unexpected
        }
        let unit = try fourDigits()
        guard (0xD800...0xDFFF).contains(unit) else { return }
        // `unit` is a surrogate, half of a character: a high one must come first, and a low one must follow.
        guard unit < 0xDC00 else { throw unexpected }
        try take(UInt8(ascii: "\\"))
        try take(UInt8(ascii: "u"))
        guard (0xDC00...0xDFFF).contains(try fourDigits()) else { throw unexpected }
    }

    private mutating func fourDigits() throws(JSONRefusal) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Self.hexadecimal(here) else { throw unexpected }
            unit = unit << 4 | digit
            offset += 1
        }
        return unit
    }

    static func hexadecimal(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }

    private mutating func number() throws(JSONRefusal) {
        let start = offset
        var isIntricate = false
        if here == UInt8(ascii: "-") { offset += 1 }
        if here == UInt8(ascii: "0") { offset += 1 } else { try digits() }
        if here == UInt8(ascii: ".") {
            isIntricate = true
            offset += 1
            try digits()
        }
        if here == UInt8(ascii: "e") || here == UInt8(ascii: "E") {
            isIntricate = true
            offset += 1
            if here == UInt8(ascii: "+") || here == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        append(.number, from: start, isIntricate: isIntricate)
    }

    /// Scans digits, at least one.
    private mutating func digits() throws(JSONRefusal) {
        let start = offset
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(here) { offset += 1 }
        guard offset > start else { throw unexpected }
    }
}
