/// Bytes as small hexadecimal digits, two each.
public enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns nil for anything but pairs of small digits.
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
