import NIOHTTP1

/// Why a request gets nothing, in words for people.
public struct HTTPRefusal: Error, Equatable {
    public var status: HTTPResponseStatus
    public var reason: String
    public var headers: HTTPHeaders
    /// Nil where it is not for who asks that it is refused.
    public var stranger: Stranger?

    public init(_ status: HTTPResponseStatus, _ reason: String, headers: HTTPHeaders = [:], stranger: Stranger? = nil) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.stranger = stranger
    }

    /// By what somebody is told who may not ask.
    public enum Stranger: String, CaseIterable, Sendable {
        /// The name by which this machine was asked.
        case host
        /// Where the page is from.
        case origin
        /// The token, or that there is none.
        case token
    }
}

/// A request that was refused because of who asks.
public struct HTTPRejection: Equatable, Sendable {
    public var stranger: HTTPRefusal.Stranger
    public var reason: String
    /// The address it came from.
    public var peer: String
    /// What the request has said of itself, at most 128 characters; nil for a token, which is in no log.
    public var shown: String?

    public init(stranger: HTTPRefusal.Stranger, reason: String, peer: String, shown: String?) {
        self.stranger = stranger
        self.reason = reason
        self.peer = peer
        self.shown = shown
    }

    /// Nil for a refusal that is not for who asks.
    init?(_ refusal: HTTPRefusal, of request: HTTPRequestHead, from peer: String) {
        guard let stranger = refusal.stranger else { return nil }
        let shown: String? = switch stranger {
        case .host: request.headers.first(name: "Host")
        case .origin: request.headers.first(name: "Origin")
        case .token: nil
        }
        self.init(stranger: stranger, reason: refusal.reason, peer: peer, shown: shown.map { String($0.prefix(128)) })
    }
}
