import Foundation
import Synchronization

/// Below those that the kernel gives to whoever connects (ip_local_port_range).
private let next = Atomic(20_000 + Int(getpid()) % 8_000)

/// A port of 127.0.0.1 that nobody has, and that nobody else is given by this.
public func freePort() -> Int {
    while true {
        let port = next.add(1, ordering: .relaxed).oldValue
        if isFree(port, SOCK_STREAM), isFree(port, SOCK_DGRAM) { return port }
    }
}

private func isFree(_ port: Int, _ kind: __socket_type) -> Bool {
    let descriptor = socket(AF_INET, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
    }
}
