extension JSONText {
    /// Returns the text of a node, which is a string or a member's name; nil for a node of another kind.
    public func text(_ node: Int) -> String? {
        guard nodes[node].kind == .text || nodes[node].kind == .name else { return nil }
        let inside = letters(of: node)
        guard nodes[node].isIntricate else { return String(decoding: inside, as: UTF8.self) }
        var letters = Letters(rest: inside)
        var text: [UInt8] = []
        text.reserveCapacity(inside.count)
        while let byte = letters.rest.first {
            if byte == UInt8(ascii: "\\") {
                if let letter = letters.next() { text += UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter }
            } else {
                text.append(byte)
                letters.rest = letters.rest.dropFirst()
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the node of the value of an object's first member called `name`; nil when there is none. Adds the number of compared names
    /// to `comparisons`.
    func member(_ name: String, of object: Int, _ comparisons: inout Int) -> Int? {
        var letters = name
        return letters.withUTF8 { letters in
            nodes.withUnsafeBufferPointer { nodes in
                let end = Int(nodes[object].next)
                var child = object + 1
                while child < end {
                    comparisons += 1
                    let member = nodes[child]
                    if member.isIntricate ? isSpelled(child, name) : isWritten(member, letters) { return child + 1 }
                    child = Int(member.next)
                }
                return nil
            }
        }
    }

    /// Returns the index in `known` of the member's name that stands at the node `name`; nil where `known` does not contain it.
    func index(of name: Int, among known: [String]) -> Int? {
        let member = nodes[name]
        guard !member.isIntricate else { return known.firstIndex { isSpelled(name, $0) } }
        let length = Int(member.end - member.start) - 2
        for index in known.indices where known[index].utf8.count == length {
            var letters = known[index]
            if letters.withUTF8({ isWritten(member, $0) }) { return index }
        }
        return nil
    }

    /// Whether the node `name`, a member's name without backslashes, consists of the bytes `letters`.
    private func isWritten(_ name: Node, _ letters: UnsafeBufferPointer<UInt8>) -> Bool {
        guard Int(name.end - name.start) - 2 == letters.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            var offset = Int(name.start) + 1
            for letter in letters {
                guard bytes[offset] == letter else { return false }
                offset += 1
            }
            return true
        }
    }

    /// Whether the name at `node`, which has backslashes, is equal to `text`. Decodes at most one character more than `text` has.
    private func isSpelled(_ node: Int, _ text: String) -> Bool {
        var rest = Letters(rest: letters(of: node))
        for letter in text.unicodeScalars where rest.next() != letter { return false }
        return rest.next() == nil
    }

    /// Returns the bytes between the quotation marks of a string or a name.
    private func letters(of node: Int) -> ArraySlice<UInt8> { bytes[Int(nodes[node].start) + 1..<Int(nodes[node].end) - 1] }

    /// Returns the number at a node; nil when the node is no number, or one too large for a `Double`. The result is infinite or NaN only
    /// for a node of the kind `unnumber` (`NaN`, `Infinity`, `-Infinity`).
    public func number(_ node: Int) -> Double? {
        switch nodes[node].kind {
        case .number: shortNumber(node) ?? Double(String(decoding: slice(node), as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
        case .unnumber: Double(String(decoding: slice(node), as: UTF8.self))
        default: nil
        }
    }

    /// Reads a number that has no exponent, at most 22 digits after the point, and whose digits without the point make a whole number of at
    /// most 2⁵³; nil for any other number. The digits and the power of ten are then exact as `Double`, so that one division gives the
    /// correctly rounded result (Clinger, "How to read floating point numbers accurately", 1990).
    private func shortNumber(_ node: Int) -> Double? {
        var digits: UInt64 = 0
        var scale: Double?
        var isNegative = false
        for offset in Int(nodes[node].start)..<Int(nodes[node].end) {
            switch bytes[offset] {
            case let byte where byte &- UInt8(ascii: "0") < 10:
                digits = digits * 10 + UInt64(byte &- UInt8(ascii: "0"))
                // Up to here, one more digit cannot overflow.
                guard digits <= 1 << 53 else { return nil }
                if let power = scale {
                    guard power < 1e22 else { return nil }
                    scale = power * 10
                }
            case UInt8(ascii: "."): scale = 1
            case UInt8(ascii: "-") where offset == Int(nodes[node].start): isNegative = true
            default: return nil
            }
        }
        let value = Double(digits) / (scale ?? 1)
        return isNegative ? -value : value
    }

    /// Returns the integer at a node; nil when the node is no integer, or one too large for an `Int`. `1.0` and `1e2` are integers too.
    public func integer(_ node: Int) -> Int? {
        guard nodes[node].kind == .number else { return nil }
        if nodes[node].isIntricate { return number(node).flatMap { Int(exactly: $0) } }
        // Up to eighteen characters always fit into an `Int`.
        guard nodes[node].end - nodes[node].start <= 18 else { return Int(String(decoding: slice(node), as: UTF8.self)) }
        var start = Int(nodes[node].start)
        let isNegative = bytes[start] == UInt8(ascii: "-")
        if isNegative { start += 1 }
        var value = 0
        for offset in start..<Int(nodes[node].end) { value = value * 10 + Int(bytes[offset] &- UInt8(ascii: "0")) }
        return isNegative ? -value : value
    }

    /// Returns the integer at a node as another type; nil when the node is no integer, or one that does not fit into that type.
    public func integer<Integer: FixedWidthInteger>(_ node: Int) -> Integer? {
        if let value: Int = integer(node) { return Integer(exactly: value) }
        guard nodes[node].kind == .number else { return nil }
        if nodes[node].isIntricate { return number(node).flatMap { Integer(exactly: $0) } }
        return Integer(String(decoding: slice(node), as: UTF8.self))
    }

    public func flag(_ node: Int) -> Bool? {
        switch nodes[node].kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    /// Iterates over the characters of a string with backslashes, which the scanner has found valid.
    fileprivate struct Letters: IteratorProtocol {
        fileprivate var rest: ArraySlice<UInt8>

        fileprivate mutating func next() -> UnicodeScalar? {
            guard let byte = rest.first else { return nil }
            guard byte == UInt8(ascii: "\\") else { return whole(byte) }
            rest = rest.dropFirst()
            switch rest.popFirst() {
            case UInt8(ascii: "b"): return "\u{8}"
            case UInt8(ascii: "f"): return "\u{C}"
            case UInt8(ascii: "n"): return "\n"
            case UInt8(ascii: "r"): return "\r"
            case UInt8(ascii: "t"): return "\t"
            case UInt8(ascii: "u"):
                let unit = unit()
                guard (0xD800..<0xDC00).contains(unit) else { return UnicodeScalar(unit) }
                rest = rest.dropFirst(2)
                return UnicodeScalar(0x10000 + (unit - 0xD800) << 10 + (self.unit() - 0xDC00))
            case let byte: return byte.map { UnicodeScalar($0) }
            }
        }

        private mutating func whole(_ first: UInt8) -> UnicodeScalar? {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            defer { rest = rest.dropFirst(length) }
            var decoder = UTF8()
            var letter = rest.prefix(length).makeIterator()
            if case .scalarValue(let scalar) = decoder.decode(&letter) { return scalar }
            return nil
        }

        private mutating func unit() -> UInt32 {
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reduce(0) { $0 << 4 | (JSONScanner.hexadecimal($1) ?? 0) }
        }
    }
}
