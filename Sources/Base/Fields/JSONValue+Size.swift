extension JSONValue {
    /// Whether it can be written as JSON, with at most so many `levels` of lists and objects within each other, and in at most so many
    /// `bytes`. Numbers that are not finite cannot.
    public func fits(levels: Int, bytes: Int) -> Bool {
        var room = bytes
        return take(levels, from: &room)
    }

    /// Takes at least what its text needs.
    private func take(_ levels: Int, from room: inout Int) -> Bool {
        switch self {
        case .null, .flag: room -= 6
        case .integer: room -= 21
        case .number(let number):
            guard number.isFinite else { return false }
            room -= 25
        case .text(let text): room -= Self.bytes(of: text)
        case .list(let list):
            room -= 3
            guard levels > 0, list.allSatisfy({ $0.take(levels - 1, from: &room) }) else { return false }
        case .object(let members):
            room -= 3
            for (name, value) in members {
                room -= Self.bytes(of: name)
                guard levels > 0, value.take(levels - 1, from: &room) else { return false }
            }
        }
        return room >= 0
    }

    /// Control characters, quotes and backslashes are escaped with six bytes at most.
    private static func bytes(of text: String) -> Int {
        text.utf8.reduce(4) { $0 + ($1 < 0x20 || $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 6 : 1) }
    }
}
