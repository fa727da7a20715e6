import FoundationEssentials
import Signals
import Wire

/// A request put together from words: a method and `key=value` pairs.
struct Message {
    var method: String
    /// As JSON; words that are neither numbers, lists, objects nor true, false or null are text.
    private var parameters: [(key: String, value: JSONValue)] = []

    /// Throws `Fault` for a pair without `=`.
    init(method: String, pairs: some Sequence<String>) throws {
        self.method = method
        for pair in pairs {
            guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else {
                throw Fault(field: pair, expected: "key=value")
            }
            parameters.append((String(pair[..<equals]), Self.value(String(pair[pair.index(after: equals)...]))))
        }
    }

    /// `meterRate` in Hz.
    init(subscribingTo topics: [Topic], meterRate: Double) {
        method = "subscribe"
        parameters = [("topics", .list(topics.map { .text($0.rawValue) })), ("rate", .number(meterRate))]
    }

    private static func value(_ word: String) -> JSONValue {
        (try? JSONDecoder().decode(JSONValue.self, from: Data(word.utf8))) ?? .text(word)
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
