import Units

/// The running checksum of a journal. Each line ends with the member `"sum":"xxxxxxxx"`. It is the CRC-32, in eight lower-case hexadecimal
/// digits, of every byte of the file before the comma in front of `"sum"`. If a line is changed, removed or moved, the next sum is wrong.
public struct JournalSum: Equatable, Sendable {
    /// The verdict of a line's sum on everything before it.
    public enum Verdict: Equatable, Sendable { case right, wrong, missing }

    private static let opening = Array(#","sum":""#.utf8)
    private static let closing = Array(#""}"#.utf8)
    private static let digits = 8
    private static let hexadecimal = Array("0123456789abcdef".utf8)
    private static let newline = [UInt8(ascii: "\n")][...]
    private static let length = opening.count + digits + closing.count

    private var crc = CRC32()

    public init() {}

    /// Returns the next line with its sum. `line` comes from `JournalLine.encode`: an object with at least one member, and a newline.
    public mutating func seal(_ line: [UInt8]) -> [UInt8] {
        var sealed = line
        sealed.removeLast(2)
        crc.add(sealed[...])
        let end = sealed.count
        sealed += member + Self.newline
        crc.add(sealed[end...])
        return sealed
    }

    /// Adds bytes of a file that need not be whole lines.
    public mutating func add(_ bytes: ArraySlice<UInt8>) { crc.add(bytes) }

    /// Compares the sum of the next line with the bytes so far, and adds the line, which comes without its newline. A sum with a carriage
    /// return after it counts as wrong, because an editor or a mail program has changed the end of the line.
    public mutating func check(_ line: ArraySlice<UInt8>) -> Verdict {
        let found = line.suffix(Self.length)
        crc.add(line.dropLast(Self.length))
        let expected = member
        crc.add(found)
        crc.add(Self.newline)
        if found.elementsEqual(expected) { return .right }
        let last = line.last == UInt8(ascii: "\r") ? line.dropLast().suffix(Self.length) : found
        return last.starts(with: Self.opening) && last.count == Self.length ? .wrong : .missing
    }

    /// The end of a line that contains the sum of all bytes so far.
    private var member: [UInt8] {
        var member = Self.opening
        member.reserveCapacity(Self.length + Self.newline.count)
        let sum = crc.value
        for shift in stride(from: UInt32(28), through: 0, by: -4) { member.append(Self.hexadecimal[Int(sum >> shift & 15)]) }
        member += Self.closing
        return member
    }
}

/// Says whether a journal is intact, by the sums of the lines that were read so far.
public enum JournalIntegrity: Equatable, Sendable {
    /// No line has a sum, so nothing is known. Journals of Thrum 0.1 and journals written by hand have none.
    case unknown
    /// Every line has a sum, and all are right.
    case intact
    /// A sum is wrong. The value is the number of the first such line, counted from 1: this line was changed, or something before it.
    case changed(line: Int)
    /// A line lacks its sum, while others have one. The value is the number of the first such line, counted from 1.
    case missing(line: Int)
    /// The header is right, but the line after it is not the session's first line, because a session begins with an event at 0 s.
    /// Everything before this time is missing.
    case beginningMissing(until: Seconds)

    /// The number of the first line at which the journal is known to differ from what was written; nil if none is known.
    public var line: Int? {
        switch self {
        case .unknown, .intact: nil
        case .changed(let line), .missing(let line): line
        case .beginningMissing: 2
        }
    }

    /// Notes the verdict of the next line's sum; `line` is its number.
    mutating func note(_ verdict: JournalSum.Verdict, line: Int) {
        switch (self, verdict) {
        case (.changed, _), (.missing, _), (.beginningMissing, _), (.intact, .right), (.unknown, .missing): break
        case (.unknown, .right): self = line == 1 ? .intact : .missing(line: 1)
        case (.unknown, .wrong), (.intact, .wrong): self = .changed(line: line)
        case (.intact, .missing): self = .missing(line: line)
        }
    }
}

extension JournalIntegrity {
    /// Returns a warning about a journal that was changed, for people who use it all the same; nil where nothing is known to be wrong.
    /// `journal` is its name.
    public func warning(_ journal: some CustomStringConvertible) -> String? {
        guard let line else { return nil }
        let words = switch self {
        case .beginningMissing(let end):
            "the beginning is missing, all before \(end.clock(3)); what was set, held and unlocked in it is unknown, "
                + "so this is not what was heard"
        case .unknown, .intact, .changed, .missing: "the journal was changed here or above, by its sums; taken as it is"
        }
        return "\(journal):\(line): warning: \(words)"
    }
}

/// The CRC-32 of IEEE 802.3, as zlib's `crc32` computes it: reflected, polynomial 0x04C11DB7, with all ones as the initial value and as the
/// final mask. "123456789" gives CBF43926.
struct CRC32: Equatable, Sendable {
    /// The effect of each value of a byte on the register: 256 entries for the byte alone, and 256 more for the byte followed by each of
    /// one to seven zero bytes. So eight bytes are taken at once ("slicing by 8": Kounavis & Berry, IEEE Transactions on Computers 57,
    /// 2008).
    private static let table: [UInt32] = {
        var table: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
        }
        for entry in 0..<7 * 256 { table.append(table[entry] >> 8 ^ table[Int(table[entry] & 0xFF)]) }
        return table
    }()

    private var register = UInt32.max

    /// The CRC-32 of all bytes so far.
    var value: UInt32 { ~register }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        // A copy in a local variable stays in a machine register.
        var register = self.register
        Self.table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                var place = 0
                while place + 8 <= bytes.count {
                    let raw = UnsafeRawBufferPointer(bytes)
                    let low = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt32.self)) ^ register
                    let high = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
                    register = table[0x700 + Int(low & 0xFF)] ^ table[0x600 + Int(low >> 8 & 0xFF)]
                    register ^= table[0x500 + Int(low >> 16 & 0xFF)] ^ table[0x400 + Int(low >> 24)]
                    register ^= table[0x300 + Int(high & 0xFF)] ^ table[0x200 + Int(high >> 8 & 0xFF)]
                    register ^= table[0x100 + Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
                    place += 8
                }
                for byte in bytes[place...] { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
            }
        }
        self.register = register
    }
}
