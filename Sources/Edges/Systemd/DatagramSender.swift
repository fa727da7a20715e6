import Glibc

/// Sends datagrams to one Unix socket, and never waits. Thread: any, also several at once.
final class DatagramSender: Sendable {
    private let descriptor: CInt
    private let path: String

    /// To a path, or to an abstract name, which begins with `@` (unix(7)). Nil where that is neither, or no socket can be had.
    init?(to path: String) {
        // The zero that ends a path counts; an abstract name has none.
        guard path.hasPrefix("/") && path.utf8.count <= 107 || path.hasPrefix("@") && (2...108).contains(path.utf8.count)
        else { return nil }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Whether it went: not when nobody listens there, his queue is full, or it is too long.
    // Not connected, so that one who listens again after a pause is found.
    func send(_ bytes: [UInt8]) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { field in
            field.copyBytes(from: path.utf8)
            if path.hasPrefix("@") { field[0] = 0 }
        }
        // All of an abstract name's bytes count, so that the length must be exact.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("@") ? 0 : 1))
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length) == bytes.count
            }
        }
    }
}
