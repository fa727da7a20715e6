import Foundation

/// A Unix datagram socket that keeps what it is sent, as the service manager's and the system journal's do.
public final class Mailbox {
    private let descriptor: Int32

    /// At a path, or at an abstract name, which begins with `@`.
    public init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { field in
            field.copyBytes(from: path.utf8)
            if path.hasPrefix("@") { field[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard status == 0 else { throw LineSocket.Failed(description: "\(path): \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// The next datagram, waited for up to half a minute.
    public func receive() throws -> [UInt8] {
        guard let datagram = take(0) else { throw LineSocket.Failed(description: "no datagram came") }
        return datagram
    }

    /// The next datagram as text.
    public func text() throws -> String { String(decoding: try receive(), as: UTF8.self) }

    /// What is there and not received yet.
    public func empty() -> [String] {
        var texts: [String] = []
        while let datagram = take(Int32(MSG_DONTWAIT)) { texts.append(String(decoding: datagram, as: UTF8.self)) }
        return texts
    }

    private func take(_ flags: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        return count >= 0 ? Array(buffer[..<count]) : nil
    }
}
