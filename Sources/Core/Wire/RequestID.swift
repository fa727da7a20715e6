import Fields
import JSON

/// What ties an answer to its request: a JSON number, a text or null. It comes back byte for byte as it came, so that numbers of any size
/// keep all their digits.
public struct RequestID: Equatable, Sendable {
    /// As JSON has it.
    let literal: [UInt8]

    public static let null = RequestID(literal: "null")

    /// Bytes of a number, and of a text without its escapes: it is repeated in the answer.
    private static let longest = 256

    public static func integer(_ value: Int64) -> RequestID { RequestID(literal: "\(value)") }

    /// `literal` is JSON.
    init(literal: String) { self.literal = Array(literal.utf8) }

    /// Reads the value at `node`. Throws where it is none that an id may be.
    init(_ reading: JSONReading, at node: Int) throws(Fault) {
        let literal = reading.text.slice(node)
        let isID = switch reading.kind(node) {
        case .null: true
        case .number: literal.count <= Self.longest
        case .text: reading.string(node).map { $0.utf8.count <= Self.longest } ?? false
        case .object, .list, .name, .yes, .no, .unnumber: false
        }
        guard isID else { throw Fault(field: "id", expected: "a number or text of at most \(Self.longest) bytes, or null") }
        self.literal = Array(literal)
    }
}
