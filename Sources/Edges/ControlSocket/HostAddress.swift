import NIOCore

/// An IP address without a port. An IPv4 address inside IPv6, as a socket for both has it, is the IPv4 address.
public struct HostAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Of IPv4 with dots or of IPv6. Nil for anything else, and for the address that stands for all: no sender has it.
    public init?(_ text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    /// Nil for an address of another kind than IP.
    init?(_ address: SocketAddress) {
        let bytes: [UInt8]
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: return nil
        }
        let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        self.bytes = bytes.starts(with: mapped) ? Array(bytes.dropFirst(mapped.count)) : bytes
        guard self.bytes.contains(where: { $0 != 0 }) else { return nil }
    }
}
