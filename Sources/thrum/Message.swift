import FoundationEssentials
import Signals

/// A request put together from words: a method and `key=value` pairs.
struct Message {
    var method: String
    /// As JSON values; words that are neither numbers nor true, false or null are text.
    private var parameters: [(key: String, value: Value)] = []

    private enum Value: Encodable {
        case flag(Bool)
        case integer(Int)
        case number(Double)
        case text(String)

        init(_ word: Substring) {
            if let flag = Bool(String(word)) {
                self = .flag(flag)
            } else if let integer = Int(word) {
                self = .integer(integer)
            } else if let number = Double(word), number.isFinite {
                self = .number(number)
            } else {
                self = .text(String(word))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .flag(let flag): try container.encode(flag)
            case .integer(let integer): try container.encode(integer)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    /// Throws `Fault` for a pair without `=`.
    init(method: String, pairs: some Sequence<String>) throws {
        self.method = method
        for pair in pairs {
            guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else {
                throw Fault(field: pair, expected: "key=value")
            }
            parameters.append((String(pair[..<equals]), Value(pair[pair.index(after: equals)...])))
        }
    }

    /// The JSON-RPC request's line, without its newline.
    func line(id: Int) throws -> [UInt8] { [UInt8](try JSONEncoder().encode(Request(id: id, message: self))) }

    private struct Request: Encodable {
        var id: Int
        var message: Message

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            try container.encode("2.0", forKey: .init("jsonrpc"))
            try container.encode(id, forKey: .init("id"))
            try container.encode(message.method, forKey: .init("method"))
            guard !message.parameters.isEmpty else { return }
            var parameters = container.nestedContainer(keyedBy: Fields.Key.self, forKey: .init("params"))
            for (key, value) in message.parameters { try parameters.encode(value, forKey: .init(key)) }
        }
    }
}
