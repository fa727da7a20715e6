import NIOCore
import NIOHTTP1
import Wire

/// Who may ask over HTTP, and what they may do.
public struct HTTPAccess: Sendable {
    /// Host names of this machine beside the loopback names and the address that was connected to, in lower case and without a port.
    private let names: Set<String>
    /// Origins of pages from elsewhere that may ask, as browsers send them: `https://example.org`, `null` for a page that is a file.
    private let origins: Set<String>
    /// Of a page on this machine; nil where it needs a token like any other.
    private let localRole: Role?
    /// Of the tokens that were given out.
    public let passes: Passes

    public init(names: [String] = [], origins: [String] = [], localRole: Role? = .visitor, passes: Passes = Passes()) {
        self.names = Set(names.map { $0.lowercased() })
        self.origins = Set(origins)
        self.localRole = localRole
        self.passes = passes
    }

    /// Whether `request` is for this server, and not from a page of somebody else's. `address` is the one that was connected to. Throws
    /// 400 or 403.
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

    /// What somebody may do who came by a WebSocket.
    enum Admission: Equatable {
        case local(Role)
        case pass(Pass)

        var wayIn: WayIn {
            switch self {
            case .local(let role): .page(role)
            case .pass(let pass): .token(pass.role)
            }
        }

        var identity: Identity {
            switch self {
            case .local: .unknown
            case .pass(let pass): .token(pass.name)
            }
        }
    }

    /// What whoever sends `request` from `peer` may do. A token counts, where there is one, and only that. Throws 401 and 429.
    func admission(of request: HTTPRequestHead, from peer: SocketAddress?, at now: NIODeadline = .now()) throws(HTTPRefusal) -> Admission {
        if let token = Self.token(in: request.headers) { return .pass(try passes.pass(of: token, from: Self.name(peer), at: now)) }
        guard let localRole, isLocal(request, from: peer) else {
            throw HTTPRefusal(.unauthorized, "expected a token, which the command thrum token add makes",
                              headers: ["WWW-Authenticate": "Bearer"], stranger: .token)
        }
        return .local(localRole)
    }

    /// `request` is refused by what it shows. A wrong token counts against where it is from.
    func noteRefused(_ request: HTTPRequestHead, _ refusal: HTTPRefusal, from peer: SocketAddress?, at now: NIODeadline = .now()) {
        guard refusal.status == .unauthorized, Self.token(in: request.headers) != nil else { return }
        passes.noteWrong(from: Self.name(peer), at: now)
    }

    private static func name(_ peer: SocketAddress?) -> String { peer?.ipAddress ?? "" }

    /// Browsers can send none with a WebSocket but as the name of a subprotocol.
    private static func token(in headers: HTTPHeaders) -> String? {
        if let words = headers.first(name: "Authorization")?.split(separator: " "), words.count == 2, words[0].lowercased() == "bearer" {
            return String(words[1])
        }
        let marker = WebSocketHandshake.subprotocol + ".token."
        return headers[canonicalForm: "Sec-WebSocket-Protocol"].first { $0.hasPrefix(marker) }.map { String($0.dropFirst(marker.count)) }
    }

    /// That of a page from this server, or from a proxy before it that speaks TLS.
    private func isOwn(_ origin: String, host: String) -> Bool {
        let origin = origin.lowercased(), host = host.lowercased()
        return origin == "http://" + host || origin == "https://" + host
    }

    /// Whether it is a page of this machine. What a proxy on this machine hands on comes from elsewhere.
    func isLocal(_ request: HTTPRequestHead, from peer: SocketAddress?) -> Bool {
        guard peer?.isLoopback == true, let host = request.headers.first(name: "Host").flatMap({ HostName($0) }) else { return false }
        return host.isLoopback && ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"].allSatisfy { request.headers[$0].isEmpty }
    }
}
