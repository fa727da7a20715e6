import NIOCore
import NIOHTTP1
import Wire

/// The rules that decide who may send requests over HTTP, and what they may do.
public struct HTTPAccess: Sendable {
    /// The host names of this machine to which requests may be addressed, in lower case and without a port. The loopback names, and the
    /// address to which the client has connected, are allowed as well.
    private let names: Set<String>
    /// The origins of other servers' pages that may send requests, as browsers write them: `https://example.org`, or `null` for a local
    /// file.
    private let origins: Set<String>
    /// The role that a page on this machine has without a token; nil where such a page needs a token, as any other does.
    private let localRole: Role?
    /// The valid tokens and codes of invitations, each with the rights that it gives, and the connections that were admitted by them.
    public let grants: Grants

    public init(names: [String] = [], origins: [String] = [], localRole: Role? = .visitor, grants: Grants = Grants()) {
        self.names = Set(names.map { $0.lowercased() })
        self.origins = Set(origins)
        self.localRole = localRole
        self.grants = grants
    }

    /// Checks that `request` is meant for this server, and does not come from a page of an unknown origin. `address` is the server's
    /// address to which the client has connected. Throws 400 or 403.
    func check(_ request: HTTPRequestHead, at address: SocketAddress?) throws(HTTPRefusal) {
        let hosts = request.headers["Host"]
        guard hosts.count == 1, let host = HostName(hosts[0]) else {
            throw HTTPRefusal(.badRequest, "expected one Host: a name or an address, with or without a port")
        }
        // Anybody can let the name of their page lead to this machine (DNS rebinding). But then the browser sends that name as the host.
        guard host.isLoopback || names.contains(host.name) || host.names(address) else {
            throw HTTPRefusal(.forbidden, "the Host is not this machine's address, localhost or one of http-names", stranger: .host)
        }
        for origin in request.headers["Origin"] where !isOwn(origin, host: hosts[0]) && !origins.contains(origin) {
            // The answer names the origin, so that the author of the page learns it.
            let shown = String(decoding: origin.utf8.prefix(80).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            let reason = "the Origin \(shown) is neither this server's, \(host.name), nor one of the setting http-origins"
            throw HTTPRefusal(.forbidden, reason, stranger: .origin)
        }
    }

    /// The reason why a request is admitted, which decides what its sender may do.
    enum Admission: Equatable {
        case local(Role)
        /// The request has a token, or an invitation's code; the grant has the rights that go with it.
        case grant(Grant)
        /// The request has a browser's cookie, which stands for the rights of this grant for an hour.
        case lent(Grant)

        var wayIn: WayIn {
            switch self {
            case .local(let role): .page(role)
            case .grant(let grant), .lent(let grant): grant.role.map { .token($0) } ?? .invitation
            }
        }

        var identity: Identity {
            switch self {
            case .local: .unknown
            case .grant(let grant), .lent(let grant): grant.role == nil ? .invitation(grant.name) : .token(grant.name)
            }
        }
    }

    /// Decides why `request`, which came from the address `peer`, is admitted. If the request has a token, only the token counts. Throws
    /// 401 and 429.
    func admission(of request: HTTPRequestHead, from peer: SocketAddress?, at now: NIODeadline = .now()) throws(HTTPRefusal) -> Admission {
        if let token = Self.token(in: request.headers) { return .grant(try grants.grant(of: token, from: Self.name(peer), at: now)) }
        guard let localRole, isLocal(request, from: peer) else {
            throw HTTPRefusal(.unauthorized, "expected a token, which the command thrum token add makes",
                              headers: ["WWW-Authenticate": "Bearer"], stranger: .token)
        }
        return .local(localRole)
    }

    /// Decides who sent `request`, which is for a recording, from the address `peer` to the server's `address`. `wanted` is the access that
    /// the recording needs. If the request has a token, only the token counts. A cookie with a lent grant counts only for `inspect`, and
    /// not for a request from this machine whose pages may do that anyway. Cookies are needed because browsers send no token with the
    /// requests of a page's elements. Throws 401 and 429.
    func admission(of request: HTTPRequestHead, for wanted: Access, from peer: SocketAddress?, at address: SocketAddress?,
                   now: NIODeadline = .now()) throws(HTTPRefusal) -> Admission {
        let mayLocally = localRole?.admits(wanted) == true && isLocal(request, from: peer)
        if wanted == .inspect, !mayLocally, Self.token(in: request.headers) == nil {
            let texts = Self.cookies(in: request.headers, named: Self.cookieName(at: address))
            if let grant = texts.lazy.compactMap({ grants.grant(lentAs: $0, at: now) }).first { return .lent(grant) }
        }
        return try admission(of: request, from: peer, at: now)
    }

    /// Checks that `request`, which has no token, was not caused by a page of another site: browsers send requests wherever a page asks
    /// them to. A program that is no browser does not name a site, and passes (Fetch Metadata Request Headers, section 2.4). Throws 403.
    static func checkSite(of request: HTTPRequestHead) throws(HTTPRefusal) {
        guard request.headers["Sec-Fetch-Site"].allSatisfy({ $0 == "same-origin" || $0 == "none" }) else {
            throw HTTPRefusal(.forbidden, "without a token, only a page of this server may ask for this")
        }
    }

    /// Lends the rights of `grant` to a browser for an hour. Returns the cookie for this, which the browser sends with each request for a
    /// recorded session, and which no script can read. `address` is that of the server.
    func cookie(lending grant: Grant, at address: SocketAddress?, now: NIODeadline = .now()) -> String {
        let seconds = Loans.time.nanoseconds / 1_000_000_000
        return "\(Self.cookieName(at: address))=\(grants.lend(grant, at: now)); Path=/\(Recording.folder)/; Max-Age=\(seconds); "
            + "HttpOnly; SameSite=Strict"
    }

    /// The name of the cookie. It has the port, because browsers send cookies to all ports of a host.
    private static func cookieName(at address: SocketAddress?) -> String { "thrum-\(address?.port ?? 0)" }

    /// Returns the values of the cookies that are called `name` (RFC 6265, section 4.2).
    private static func cookies(in headers: HTTPHeaders, named name: String) -> [String] {
        headers["Cookie"].flatMap { $0.split(separator: ";") }.compactMap { cookie in
            let parts = cookie.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
            return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
        }
    }

    /// Notes that `request` was refused. A wrong token counts against the address of its sender.
    func noteRefused(_ request: HTTPRequestHead, _ refusal: HTTPRefusal, from peer: SocketAddress?, at now: NIODeadline = .now()) {
        guard refusal.status == .unauthorized, Self.token(in: request.headers) != nil else { return }
        grants.noteWrong(from: Self.name(peer), at: now)
    }

    private static func name(_ peer: SocketAddress?) -> String { peer?.ipAddress ?? "" }

    /// Returns the token of a request. For a WebSocket, browsers can send it only as the name of a subprotocol.
    private static func token(in headers: HTTPHeaders) -> String? {
        if let words = headers.first(name: "Authorization")?.split(separator: " "), words.count == 2, words[0].lowercased() == "bearer" {
            return String(words[1])
        }
        let marker = WebSocketHandshake.subprotocol + ".token."
        return headers[canonicalForm: "Sec-WebSocket-Protocol"].first { $0.hasPrefix(marker) }.map { String($0.dropFirst(marker.count)) }
    }

    /// Says whether `origin` is that of this server, or of a TLS proxy in front of it.
    private func isOwn(_ origin: String, host: String) -> Bool {
        let origin = origin.lowercased(), host = host.lowercased()
        return origin == "http://" + host || origin == "https://" + host
    }

    /// Says whether the request comes from this machine. A request that a proxy on this machine has forwarded comes from elsewhere.
    func isLocal(_ request: HTTPRequestHead, from peer: SocketAddress?) -> Bool {
        guard peer?.isLoopback == true, let host = request.headers.first(name: "Host").flatMap({ HostName($0) }) else { return false }
        return host.isLoopback && ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"].allSatisfy { request.headers[$0].isEmpty }
    }
}

/// The host to which a request is addressed, from its header `Host` (RFC 9110, section 7.2): a name or an address, perhaps with a port.
struct HostName: Equatable {
    /// The name or address in lower case. An IPv6 address is without its brackets.
    let name: String
    private let isAddress: Bool

    /// Reads the value of the header; nil where it is no host.
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

    /// Whether the name always means this machine.
    var isLoopback: Bool {
        name == "localhost" || isAddress && (try? SocketAddress(ipAddress: name, port: 0))?.isLoopback == true
    }

    /// Says whether the host is an address, not a name, and equals `address`.
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

/// The refusal of a request: its status, a reason for people, and headers.
public struct HTTPRefusal: Error, Equatable {
    public var status: HTTPResponseStatus
    public var reason: String
    public var headers: HTTPHeaders
    /// The part of the request by which its sender was recognized as one that this server does not admit (a stranger); nil where the
    /// request is wrong whoever sends it.
    public var stranger: Stranger?

    public init(_ status: HTTPResponseStatus, _ reason: String, headers: HTTPHeaders = [:], stranger: Stranger? = nil) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.stranger = stranger
    }

    /// A part of a request by which its sender can be recognized as one that this server does not admit.
    public enum Stranger: String, CaseIterable, Sendable {
        /// The host name to which the request is addressed.
        case host
        /// The origin of the page that sends the request.
        case origin
        /// The token, or its absence.
        case token
    }
}

/// A request that was refused because this server does not admit its sender (a stranger).
public struct HTTPRejection: Equatable, Sendable {
    public var stranger: HTTPRefusal.Stranger
    public var reason: String
    /// The IP address from which the request came.
    public var peer: String
    /// The host or origin in the request, at most 128 characters; nil for a token, because no log may show one.
    public var shown: String?

    public init(stranger: HTTPRefusal.Stranger, reason: String, peer: String, shown: String?) {
        self.stranger = stranger
        self.reason = reason
        self.peer = peer
        self.shown = shown
    }

    /// Describes the refused `request`; nil where the reason of `refusal` is not the request's sender.
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
