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

    public init(names: [String] = [], origins: [String] = [], localRole: Role? = .visitor) {
        self.names = Set(names.map { $0.lowercased() })
        self.origins = Set(origins)
        self.localRole = localRole
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
            throw HTTPRefusal(.forbidden, "the Host is not this machine's address, localhost or one of http-names")
        }
        for origin in request.headers["Origin"] where !isOwn(origin, host: hosts[0]) && !origins.contains(origin) {
            throw HTTPRefusal(.forbidden, "the Origin is neither this server nor one of http-origins")
        }
    }

    /// What whoever sends `request` from `peer` may do. Throws 401.
    func role(of request: HTTPRequestHead, from peer: SocketAddress?) throws(HTTPRefusal) -> Role {
        guard let localRole, isLocal(request, from: peer) else {
            throw HTTPRefusal(.unauthorized, "only pages on this machine itself may do this")
        }
        return localRole
    }

    /// That of a page from this server, or from a proxy before it that speaks TLS.
    private func isOwn(_ origin: String, host: String) -> Bool {
        let origin = origin.lowercased(), host = host.lowercased()
        return origin == "http://" + host || origin == "https://" + host
    }

    /// What a proxy on this machine hands on comes from elsewhere.
    private func isLocal(_ request: HTTPRequestHead, from peer: SocketAddress?) -> Bool {
        guard peer?.isLoopback == true, let host = request.headers.first(name: "Host").flatMap({ HostName($0) }) else { return false }
        return host.isLoopback && ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"].allSatisfy { request.headers[$0].isEmpty }
    }
}
