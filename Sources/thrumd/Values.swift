import Configuration
import ControlSocket
import Live
import Signals

/// Settings by key, checked one by one. Every source is read as text, so that all have the same rules.
struct Values {
    private static let keys = Parameter.allCases.map(\.rawValue) + [
        "experience", "websocket", "websocket-origins", "websocket-token", "websocket-watch-token", "osc",
        "osc-address", "osc-socket", "socket-group", "users", "watchers", "max-clients", "max-line", "max-rate", "max-subscribers",
        "output", "server", "sink", "transducer",
        "queue", "sink-latency", "revise", "rate", "socket", "sessions", "idle", "ceiling", "seed",
        "devices", "gestures", "patterns", "log",
    ]

    private var values: [String: String] = [:]

    /// Throws `Fault` for a list or mapping where a single value belongs.
    init(_ reader: ConfigReader) async throws {
        for key in Self.keys {
            do {
                values[key] = try await reader.fetchString(forKey: ConfigKey(key))
            } catch {
                throw Fault(field: key, expected: "a single value", found: "a list or mapping")
            }
        }
    }

    /// Nil when nothing was given, or nothing but emptiness.
    func text(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    /// Nil when nothing was given. Nobody may connect by default, so there must be somebody who may.
    func webSocket() throws -> LiveSettings.WebSocket? {
        guard let port = try integer("websocket", in: 1...65_535) else { return nil }
        let origins = (text("websocket-origins") ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
        let tokens = ["websocket-token", "websocket-watch-token"]
        guard !origins.isEmpty || tokens.contains(where: { text($0) != nil }) else {
            throw Fault(field: "websocket", expected: "websocket-origins, websocket-token or websocket-watch-token beside it",
                        found: "none")
        }
        let isPlain: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || "._~-".contains($0)) }
        for token in tokens where text(token)?.allSatisfy(isPlain) == false {
            throw Fault(field: token, expected: "letters and digits of ASCII, and . _ ~ -, which need no escapes in an address")
        }
        return LiveSettings.WebSocket(port: port, access: WebSocketAccess(origins: origins, token: text("websocket-token"),
                                                                          watchToken: text("websocket-watch-token")))
    }

    /// The knobs, each a key.
    func tuning() throws -> Tuning {
        var tuning = Tuning.standard
        for parameter in Parameter.allCases {
            if let text = text(parameter.rawValue) { tuning.apply(try ParameterChange(parameter, text: text)) }
        }
        return tuning
    }

    func choice(_ key: String, _ choices: [String]) throws -> String? {
        guard let value = text(key) else { return nil }
        guard choices.contains(value) else {
            throw Fault(field: key, expected: "one of " + choices.joined(separator: ", "), found: "\"\(value)\"")
        }
        return value
    }

    func number(_ key: String, in range: ClosedRange<Double>, unit: String) throws -> Double? {
        guard let text = text(key) else { return nil }
        guard let value = Double(text), range.contains(value) else {
            throw Fault(field: key, expected: "a number from \(Fault.plain(range.lowerBound)) to \(Fault.plain(range.upperBound))"
                            + " (\(unit))",
                        found: "\"\(text)\"")
        }
        return value
    }

    /// Channels of a sink, from 1; none when nothing was given.
    func channels(_ key: String) throws -> [Int] {
        guard let text = text(key) else { return [] }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let channels = words.compactMap { word in Int(word.filter { $0 != " " }) }.filter { (1...8).contains($0) }
        guard channels.count == words.count, Set(channels).count == channels.count else {
            throw Fault(field: key, expected: "channels from 1 to 8, as in 3,4", found: "\"\(text)\"")
        }
        return channels
    }

    func integer(_ key: String, in range: ClosedRange<Int>, unit: String? = nil) throws -> Int? {
        guard let text = text(key) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            let unit = unit.map { " (\($0))" } ?? ""
            throw Fault(field: key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)\(unit)",
                        found: "\"\(text)\"")
        }
        return value
    }
}
