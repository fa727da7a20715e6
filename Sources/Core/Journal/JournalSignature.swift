/// Where a signature stands in a line: as the last field but the sum, `,"signature":"…"`, 64 bytes of Ed25519 in 128 small hexadecimal
/// digits. It is of every byte of the file before its comma, so it proves all lines above it, too.
public enum JournalSignature {
    private static let opening = Array(#","signature":""#.utf8)
    private static let digits = 128
    private static let closing = Array(#"""#.utf8)
    private static let length = opening.count + digits + closing.count
    /// Of a sum behind it, with the line's end.
    private static let sumLength = #","sum":"00000000"}"#.utf8.count

    /// Returns a line as `JournalLine.encode` gives it with the signature that `sign` makes of the line up to there. Nil where `sign`
    /// cannot.
    public static func add(to line: [UInt8], _ sign: (_ head: [UInt8]) -> [UInt8]?) -> [UInt8]? {
        let head = Array(line.dropLast(2))
        guard let signature = sign(head) else { return nil }
        return head + opening + Hexadecimal.text(signature).utf8 + closing + line.suffix(2)
    }

    /// Returns what the signature of a line is of, from the line's beginning, and the signature. Nil where there is none before the sum.
    public static func parts(of line: ArraySlice<UInt8>) -> (head: ArraySlice<UInt8>, signature: [UInt8])? {
        let signed = line.dropLast(sumLength)
        let found = signed.suffix(length)
        guard found.count == length, found.starts(with: opening), found.last == closing[0],
              let signature = Hexadecimal.bytes(found.dropFirst(opening.count).dropLast()) else { return nil }
        return (signed.dropLast(length), signature)
    }
}
