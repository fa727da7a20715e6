import Fields
import Signals

/// OSC's values in their bytes: big-endian, and each padded to four.
struct OSCReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func argument(_ type: Character) throws(Fault) -> OSCArgument {
        switch type {
        case "i": .integer(Int64(Int32(bitPattern: try bits32("value"))))
        case "h": .integer(Int64(bitPattern: try bits64("value")))
        case "f": .number(try finite(Double(Float(bitPattern: try bits32("value")))))
        case "d": .number(try finite(Double(bitPattern: try bits64("value"))))
        case "s", "S": .text(try text("value"))
        case "T": .flag(true)
        case "F": .flag(false)
        case "N": .nothing
        default: throw Self.unknown(type)
        }
    }

    /// What is wrong with the first type that is not known, how many bytes of which nobody can tell; nil if all are known.
    static func unknownType(in types: Substring) -> Fault? { types.first { !knownTypes.contains($0) }.map(unknown) }

    private static let knownTypes = "ihfdsSTFN"

    private static func unknown(_ type: Character) -> Fault {
        Fault(field: "types", expected: "values of the types \(knownTypes.map(String.init).joined(separator: ", "))", found: "\"\(type)\"")
    }

    /// Up to its zero, and the padding after it.
    mutating func text(_ field: String) throws(Fault) -> String {
        guard let end = rest.firstIndex(of: 0) else { throw Fault(field: field, expected: "text that ends with a zero") }
        guard let text = String(validating: rest[..<end], as: UTF8.self) else { throw Fault(field: field, expected: "text in UTF-8") }
        let length = (end - rest.startIndex + 4) / 4 * 4
        guard length <= rest.count else { throw Fault(field: field, expected: "text padded to a multiple of four bytes") }
        rest = rest.dropFirst(length)
        return text
    }

    /// A length, and so many bytes.
    mutating func block(_ field: String) throws(Fault) -> ArraySlice<UInt8> {
        let length = Int(Int32(bitPattern: try bits32(field)))
        guard length > 0, length % 4 == 0, length <= rest.count else {
            throw Fault(field: field, expected: "a length that is a multiple of four, up to the packet's end", found: "\(length)")
        }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    mutating func bits32(_ field: String) throws(Fault) -> UInt32 { UInt32(truncatingIfNeeded: try bits(field, 4)) }
    mutating func bits64(_ field: String) throws(Fault) -> UInt64 { try bits(field, 8) }

    private mutating func bits(_ field: String, _ count: Int) throws(Fault) -> UInt64 {
        guard rest.count >= count else { throw Fault(field: field, expected: "\(count) bytes", found: "\(rest.count)") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func finite(_ number: Double) throws(Fault) -> Double {
        guard number.isFinite else { throw Fault(field: "value", expected: "a finite number", found: "\(number)") }
        return number
    }
}

extension OSCMessage {
    /// As the bytes of a packet. Numbers go as 32 bits where they fit, others as 64.
    public var bytes: [UInt8] {
        var types = ","
        var values: [UInt8] = []
        for argument in arguments {
            switch argument {
            case .integer(let integer):
                if let short = Int32(exactly: integer) {
                    types += "i"
                    values += Self.bytes(UInt32(bitPattern: short))
                } else {
                    types += "h"
                    values += Self.bytes(UInt64(bitPattern: integer))
                }
            case .number(let number) where Float(number).isFinite:
                types += "f"
                values += Self.bytes(Float(number).bitPattern)
            case .number(let number):
                types += "d"
                values += Self.bytes(number.bitPattern)
            case .text(let text):
                types += "s"
                values += Self.padded(text)
            case .flag(let flag): types += flag ? "T" : "F"
            case .nothing: types += "N"
            }
        }
        return Self.padded(address) + Self.padded(types) + values
    }

    private static func padded(_ text: String) -> [UInt8] {
        let bytes = text.utf8.filter { $0 != 0 }
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
