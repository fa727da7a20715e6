/// Text of at most 128 bytes as plain bits, to cross between threads; what is longer is cut off.
public struct FixedText: Sendable, Equatable, BitwiseCopyable, CustomStringConvertible {
    private var bytes = InlineArray<128, UInt8>(repeating: 0)
    private var count = 0

    public init(_ text: String = "") {
        for byte in text.utf8.prefix(bytes.count) {
            bytes[count] = byte
            count += 1
        }
    }

    public var description: String { String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self) }

    public static func == (a: FixedText, b: FixedText) -> Bool {
        a.count == b.count && (0..<a.count).allSatisfy { a.bytes[$0] == b.bytes[$0] }
    }
}
