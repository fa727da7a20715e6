import NIOHTTP1

/// Who may open a WebSocket: pages of these origins, and whoever knows the token.
public struct WebSocketAccess: Sendable {
    /// As browsers send them: `https://example.org`, `http://localhost:8080`, `null` for a page that is a file.
    private let origins: Set<String>
    private let token: String?

    public init(origins: [String], token: String?) {
        self.origins = Set(origins)
        self.token = token
    }

    /// Why `request` is not admitted; nil when it is.
    func refusal(of request: HTTPRequestHead) -> String? {
        if let token, Self.token(in: request.uri) == token { return nil }
        guard let origin = request.headers.first(name: "Origin") else {
            return "expected ?token=… or an Origin that is allowed, found neither"
        }
        return origins.contains(origin) ? nil : "the origin \(origin) is not among websocket-origins"
    }

    private static func token(in uri: String) -> String? {
        guard let query = uri.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        return query.split(separator: "&").first { $0.hasPrefix("token=") }.map { String($0.dropFirst(6)) }
    }
}
