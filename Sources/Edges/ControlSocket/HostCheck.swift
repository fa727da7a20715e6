import Fields
import Glibc
import NIOCore
import NIOHTTP1

/// Whom an HTTP request thinks it asks. A page of anybody's site can have its own name lead to this machine, and then read what is answered
/// to it; but it says that name. So only names are good that nobody else can have.
enum HostCheck {
    struct Fault {
        var status: HTTPResponseStatus
        var reason: String
    }

    /// Why `request` is not answered; nil when it is. `isLocal`: it comes over the loopback interface.
    static func fault(of request: HTTPRequestHead, isLocal: Bool) -> Fault? {
        let hosts = request.headers["Host"]
        // Browsers always say it, and HTTP/1.1 requires it (RFC 9112, section 3.2). What is older and asks from this machine is no browser.
        if hosts.isEmpty, isLocal, (request.version.major, request.version.minor) < (1, 1) { return nil }
        guard hosts.count == 1 else { return Fault(status: .badRequest, reason: "expected one Host, found \(hosts.count)") }
        return isOurs(hosts[0], isLocal: isLocal) ? nil : Fault(
            status: .misdirectedRequest, reason: "expected an address, localhost or this machine's name as Host, found another")
    }

    /// Over the network the machine may have any domain: whoever gets there may ask anyway.
    static func isOurs(_ host: String, isLocal: Bool) -> Bool {
        let name: Substring
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            name = host[host.index(after: host.startIndex)..<end]
            return (try? SocketAddress(ipAddress: String(name), port: 0)) != nil && isPort(host[end...].dropFirst())
        }
        name = host.prefix { $0 != ":" }
        guard isPort(host[name.endIndex...]) else { return false }
        if (try? SocketAddress(ipAddress: String(name), port: 0)) != nil { return true }
        let label = machine.prefix { $0 != "." }
        let ours = ["localhost", machine, String(label), label + ".local"]
        return ours.contains(name.lowercased()) || (!isLocal && name.lowercased().hasPrefix(label + "."))
    }

    private static func isPort(_ text: Substring) -> Bool { text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil }

    private static let machine: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
    }()
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
