import NIOCore
import NIOHTTP1
import Wire

/// The rules of who may ask over HTTP, and what they may do.
public struct HTTPAccess: Sendable {
    /// The host names of this machine beside the loopback names and the address that was connected to, in lower case and without a port.
    private let names: Set<String>
    /// The origins of other servers' pages that may ask, as browsers send them: `https://example.org`, `null` for a page that is a file.
    private let origins: Set<String>
    /// The role of a page on this machine; nil where it needs a token like any other.
    private let localRole: Role?
    /// The passes of the tokens that were given out.
    public let passes: Passes

    public init(names: [String] = [], origins: [String] = [], localRole: Role? = .visitor, passes: Passes = Passes()) {
        self.names = Set(names.map { $0.lowercased() })
        self.origins = Set(origins)
        self.localRole = localRole
        self.passes = passes
    }

    /// Checks that `request` is for this server, and not from a page of an unknown origin. `address` is the one that was connected to.
    /// Throws 400 or 403.
    func check(_ request: HTTPRequestHead, at address: SocketAddress?) throws(HTTPRefusal) {
        let hosts = request.headers["Host"]
        guard hosts.count == 1, let host = HostName(hosts[0]) else {
            throw HTTPRefusal(.badRequest, "expected one Host: a name or an address, with or without a port")
        }
        // A page of anybody's can have its own name lead to this machine (DNS rebinding). But the browser says that name.
        guard host.isLoopback || names.contains(host.name) || host.names(address) else {
            throw HTTPRefusal(.forbidden, "the Host is not this machine's address, localhost or one of http-names", stranger: .host)
        }
        for origin in request.headers["Origin"] where !isOwn(origin, host: hosts[0]) && !origins.contains(origin) {
            // Whoever writes a page sees in the answer what the page's origin is.
            let shown = String(decoding: origin.utf8.prefix(80).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            let reason = "the Origin \(shown) is neither this server's, \(host.name), nor one of the setting http-origins"
            throw HTTPRefusal(.forbidden, reason, stranger: .origin)
        }
    }

    /// The ground on which a WebSocket is admitted, and what it may do.
    enum Admission: Equatable {
        case local(Role)
        case pass(Pass)

        var wayIn: WayIn {
            switch self {
            case .local(let role): .page(role)
            case .pass(let pass): pass.role.map { .token($0) } ?? .invitation
            }
        }

        var identity: Identity {
            switch self {
            case .local: .unknown
            case .pass(let pass): pass.role == nil ? .invitation(pass.name) : .token(pass.name)
            }
        }
    }

    /// Admits the sender of `request`, at the address `peer`. Where there is a token, only the token counts. Throws 401 and 429.
    func admission(of request: HTTPRequestHead, from peer: SocketAddress?, at now: NIODeadline = .now()) throws(HTTPRefusal) -> Admission {
        if let token = Self.token(in: request.headers) { return .pass(try passes.pass(of: token, from: Self.name(peer), at: now)) }
        guard let localRole, isLocal(request, from: peer) else {
            throw HTTPRefusal(.unauthorized, "expected a token, which the command thrum token add makes",
                              headers: ["WWW-Authenticate": "Bearer"], stranger: .token)
        }
        return .local(localRole)
    }

    /// Notes that `request` was refused. A wrong token counts against the address that it came from.
    func noteRefused(_ request: HTTPRequestHead, _ refusal: HTTPRefusal, from peer: SocketAddress?, at now: NIODeadline = .now()) {
        guard refusal.status == .unauthorized, Self.token(in: request.headers) != nil else { return }
        passes.noteWrong(from: Self.name(peer), at: now)
    }

    private static func name(_ peer: SocketAddress?) -> String { peer?.ipAddress ?? "" }

    /// The token of a request. Browsers can send one with a WebSocket only as the name of a subprotocol.
    private static func token(in headers: HTTPHeaders) -> String? {
        if let words = headers.first(name: "Authorization")?.split(separator: " "), words.count == 2, words[0].lowercased() == "bearer" {
            return String(words[1])
        }
        let marker = WebSocketHandshake.subprotocol + ".token."
        return headers[canonicalForm: "Sec-WebSocket-Protocol"].first { $0.hasPrefix(marker) }.map { String($0.dropFirst(marker.count)) }
    }

    /// Whether `origin` is that of this server, or of a proxy before it that speaks TLS.
    private func isOwn(_ origin: String, host: String) -> Bool {
        let origin = origin.lowercased(), host = host.lowercased()
        return origin == "http://" + host || origin == "https://" + host
    }

    /// Whether the request comes from this machine. A request that a proxy on this machine hands on comes from elsewhere.
    func isLocal(_ request: HTTPRequestHead, from peer: SocketAddress?) -> Bool {
        guard peer?.isLoopback == true, let host = request.headers.first(name: "Host").flatMap({ HostName($0) }) else { return false }
        return host.isLoopback && ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"].allSatisfy { request.headers[$0].isEmpty }
    }
}

/// The host that a request asks, by its header `Host` (RFC 9110, section 7.2): a name or an address, and perhaps a port.
struct HostName: Equatable {
    /// The name or address in lower case, without an address's brackets.
    let name: String
    private let isAddress: Bool

    /// Reads the header's value; nil where it is no host.
    init?(_ text: String) {
        let port: Substring
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            name = text[text.index(after: text.startIndex)..<end].lowercased()
            port = text[end...].dropFirst()
            guard name.contains(":") else { return nil }
        } else {
            name = text.prefix { $0 != ":" }.lowercased()
            port = text.dropFirst(name.count)
            guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }) else { return nil }
        }
        isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
        guard isAddress || !name.contains(":") else { return nil }
        guard port.isEmpty || port.first == ":" && UInt16(port.dropFirst()) != nil else { return nil }
    }

    /// Whether the name can mean no other machine than this.
    var isLoopback: Bool {
        name == "localhost" || isAddress && (try? SocketAddress(ipAddress: name, port: 0))?.isLoopback == true
    }

    /// Whether the host is this address, not a name.
    func names(_ address: SocketAddress?) -> Bool {
        guard isAddress, let address, let own = address.ipAddress else { return false }
        return (try? SocketAddress(ipAddress: name, port: 0)) == (try? SocketAddress(ipAddress: own, port: 0))
    }
}

extension SocketAddress {
    var isLoopback: Bool {
        switch self {
        case .v4: ipAddress?.hasPrefix("127.") == true
        case .v6: ipAddress == "::1" || ipAddress?.lowercased().hasPrefix("::ffff:127.") == true
        case .unixDomainSocket: true
        }
    }
}

/// The reason why a request is refused: status, words for people, and headers.
public struct HTTPRefusal: Error, Equatable {
    public var status: HTTPResponseStatus
    public var reason: String
    public var headers: HTTPHeaders
    /// The part of the request that shows a stranger; nil where the request itself is wrong, whoever sends it.
    public var stranger: Stranger?

    public init(_ status: HTTPResponseStatus, _ reason: String, headers: HTTPHeaders = [:], stranger: Stranger? = nil) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.stranger = stranger
    }

    /// The part of a request by which a stranger is recognized.
    public enum Stranger: String, CaseIterable, Sendable {
        /// The name by which the machine was addressed.
        case host
        /// The origin of the page that asks.
        case origin
        /// The token, or its absence.
        case token
    }
}

/// A request that was refused because a stranger sent it.
public struct HTTPRejection: Equatable, Sendable {
    public var stranger: HTTPRefusal.Stranger
    public var reason: String
    /// The IP address that the request came from.
    public var peer: String
    /// The host or origin that the request named, at most 128 characters; nil for a token, which is in no log.
    public var shown: String?

    public init(stranger: HTTPRefusal.Stranger, reason: String, peer: String, shown: String?) {
        self.stranger = stranger
        self.reason = reason
        self.peer = peer
        self.shown = shown
    }

    /// Describes a refused request; nil for a refusal that is not about a stranger.
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
