import NIOCore

/// Whom a request asks, by its header `Host` (RFC 9110, section 7.2): a name or an address, and perhaps a port.
struct HostName: Equatable {
    /// In lower case, without the brackets of an address.
    let name: String
    private let isAddress: Bool

    /// Nil for what is no host.
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

    /// A name that can mean no other machine.
    var isLoopback: Bool {
        name == "localhost" || isAddress && (try? SocketAddress(ipAddress: name, port: 0))?.isLoopback == true
    }

    /// Whether it is this address.
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
