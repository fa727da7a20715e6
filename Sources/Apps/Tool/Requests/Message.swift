import CLinux
import Fields
import FoundationEssentials
import SystemPackage
import Wire

/// A request that is made from words: a method and `key=value` pairs.
struct Message {
    var method: String
    /// The parameters, each as a value of the kind that the method wants. A word for a parameter that is not known is taken as JSON if it
    /// is a number, a list, an object, true, false or null, and as text otherwise.
    private var parameters: [(key: String, value: JSONValue)] = []

    /// Makes a request. Throws `Fault` for a pair without `=`, and for a parameter that is given twice.
    init(method: String, pairs: some Sequence<String>) throws {
        self.method = method
        let known = Pieces.current.methods.parameters(of: method)
        for pair in pairs {
            guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else {
                throw Fault(field: pair, expected: "key=value")
            }
            let key = String(pair[..<equals])
            guard !parameters.contains(where: { $0.key == key }) else {
                throw Fault(field: key, expected: "the parameter once", found: "it twice")
            }
            let kind = known.first { $0.name == key }?.kind
            parameters.append((key, try Self.value(String(pair[pair.index(after: equals)...]), of: key, kind)))
        }
    }

    /// Returns a pair whose value is exactly `text`, even where the text looks like a number or begins with a quote.
    static func pair(_ key: String, _ text: String) throws -> String {
        "\(key)=" + String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    /// Makes a request that subscribes to `topics`. `meterRate` is in Hz.
    init(subscribingTo topics: [Topic], meterRate: Double) {
        method = "subscribe"
        parameters = [("topics", .list(topics.map { .text($0.name) })), ("rate", .number(meterRate))]
    }

    /// The time from now until the time that the request names, at which it takes effect; zero where it names none, or one that thrumd
    /// would refuse.
    var delay: Duration { Self.delay(until: Dictionary(parameters) { first, _ in first }) }

    /// Returns the time from now until the time that `parameters` name, at which the request takes effect; zero where they name none, or
    /// one that thrumd would refuse.
    static func delay(until parameters: [String: JSONValue]) -> Duration {
        let now = monotonicNanoseconds()
        for (key, value) in parameters {
            switch (key, value) {
            case ("delay", .number(let milliseconds)) where (0...Double(Moment.horizon) / 1e6).contains(milliseconds):
                return .milliseconds(milliseconds)
            case ("delay", .integer(let milliseconds)) where (0...Moment.horizon / 1_000_000).contains(milliseconds):
                return .milliseconds(milliseconds)
            case ("at", .integer(let moment)) where (now...now + Moment.horizon).contains(moment): return .nanoseconds(moment - now)
            default: break
            }
        }
        return .zero
    }

    private static func value(_ word: String, of key: String, _ kind: ParameterKind?) throws -> JSONValue {
        let json = try? JSONDecoder().decode(JSONValue.self, from: Data(word.utf8))
        switch kind {
        // For a text parameter a word that looks like a number stays text; but a word in double quotes is decoded as JSON.
        case .text, .choice: if case .text? = json {} else { return .text(word) }
        case .words: if json == nil { return .list(word.split(separator: ",").map { .text(String($0)) }) }
        case .structure where word.hasPrefix("@"):
            let path = FileArgument(argument: String(word.dropFirst())).path
            let content: JSONValue
            do {
                content = try JSONDecoder().decode(JSONValue.self, from: Data(readAll(path)))
            } catch {
                throw Fault(field: key, expected: "a file of JSON", found: "\(path)")
            }
            return content
        default: break
        }
        return json ?? .text(word)
    }

    /// Returns the JSON-RPC request as a line without its newline.
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
