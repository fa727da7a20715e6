import NIOHTTP1
import Wire

/// Who may open a WebSocket: pages of these origins, and whoever knows a token.
public struct WebSocketAccess: Sendable {
    struct Refusal: Error {
        var reason: String
    }

    /// As browsers send them: `https://example.org`, `http://localhost:8080`, `null` for a page that is a file.
    private let origins: Set<String>
    private let token: String?
    private let watchToken: String?

    /// Who comes with `watchToken` may only watch.
    public init(origins: [String], token: String?, watchToken: String? = nil) {
        self.origins = Set(origins)
        self.token = token
        self.watchToken = watchToken
    }

    /// What whoever sends `request` may do.
    func role(of request: HTTPRequestHead) throws(Refusal) -> Role {
        let given = Self.token(in: request.uri)
        if let token, let given, Self.areEqual(given, token) { return .control }
        if let watchToken, let given, Self.areEqual(given, watchToken) { return .watch }
        guard let origin = request.headers.first(name: "Origin") else {
            throw Refusal(reason: "expected ?token=… or an Origin that is allowed, found neither")
        }
        guard origins.contains(origin) else { throw Refusal(reason: "the origin \(origin) is not among websocket-origins") }
        return .control
    }

    /// Takes as long for every wrong token of the same length, so that nobody can guess one character after the other by the time. The
    /// package has no library of cryptography that would be there for it.
    private static func areEqual(_ given: String, _ token: String) -> Bool {
        guard given.utf8.count == token.utf8.count else { return false }
        return zip(given.utf8, token.utf8).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func token(in uri: String) -> String? {
        guard let query = uri.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        return query.split(separator: "&").first { $0.hasPrefix("token=") }.map { String($0.dropFirst(6)) }
    }
}
