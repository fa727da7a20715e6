import Units

/// The running checksum of a journal. Each line ends with the member `"sum":"xxxxxxxx"`: the CRC-32, in eight small hexadecimal digits, of
/// every byte of the file before the comma in front of `"sum"`. So a line that is changed, removed or moved shows at the next sum.
public struct JournalSum: Equatable, Sendable {
    /// What a line's sum says of everything before it.
    public enum Verdict: Equatable, Sendable { case right, wrong, missing }

    private static let opening = Array(#","sum":""#.utf8)
    private static let closing = Array(#""}"#.utf8)
    private static let digits = 8
    private static let hexadecimal = Array("0123456789abcdef".utf8)
    private static let newline = [UInt8(ascii: "\n")][...]
    private static let length = opening.count + digits + closing.count

    private var crc = CRC32()

    public init() {}

    /// The next line with its sum. `line` is as `JournalLine.encode` gives it: an object with at least one member, and a newline.
    public mutating func seal(_ line: [UInt8]) -> [UInt8] {
        var sealed = line
        sealed.removeLast(2)
        crc.add(sealed[...])
        let end = sealed.count
        sealed += member + Self.newline
        crc.add(sealed[end...])
        return sealed
    }

    /// Takes in bytes of a file that need not be whole lines.
    public mutating func add(_ bytes: ArraySlice<UInt8>) { crc.add(bytes) }

    /// Compares the sum of the next line, which is without its newline, and takes the line in. A sum with a carriage return after it is
    /// wrong: an editor or a mailer has changed the line's end.
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

    /// The sum of all bytes so far as the end of a line.
    private var member: [UInt8] {
        var member = Self.opening
        member.reserveCapacity(Self.length + Self.newline.count)
        let sum = crc.value
        for shift in stride(from: UInt32(28), through: 0, by: -4) { member.append(Self.hexadecimal[Int(sum >> shift & 15)]) }
        member += Self.closing
        return member
    }
}

/// What the sums of a journal's lines say of it, as far as it has been read.
public enum JournalIntegrity: Equatable, Sendable {
    /// No line has a sum: nothing is known. Journals of Thrum 0.1 and those written by hand have none.
    case unknown
    /// Every line has its sum, and it is right.
    case intact
    /// The first sum that is wrong is this line's, counted from 1: the line was changed, or something before it.
    case changed(line: Int)
    /// This line is the first without a sum, and others have one.
    case missing(line: Int)
    /// The header is right, and the line after it is not its first: what was recorded before this time is missing. A session begins with an
    /// event at 0 s.
    case beginningMissing(until: Seconds)

    /// The first line at which the journal is not as it was written; nil if none is known.
    public var line: Int? {
        switch self {
        case .unknown, .intact: nil
        case .changed(let line), .missing(let line): line
        case .beginningMissing: 2
        }
    }

    /// Takes in what the sum of the next line, the one numbered `line`, says.
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
    /// The warning of whoever uses such a journal all the same; nil where nothing is known to be wrong.
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
