import Foundation

/// A connection to a port of 127.0.0.1: bytes in, all bytes out.
public final class TCPSocket {
    private let descriptor: CInt

    public init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0 else { throw LineSocket.Failed(description: "port \(port): \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Whether the other side still takes it.
    @discardableResult
    public func send(_ text: String) -> Bool { Foundation.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count }

    /// What comes next, or nothing at the end.
    public func ask(_ text: String) throws -> String {
        send(text)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        return String(decoding: buffer[..<max(0, recv(descriptor, &buffer, buffer.count, 0))], as: UTF8.self)
    }

    /// Until the other side closes, which it must within half a minute.
    public func rest() throws -> String { String(decoding: try restOfBytes(), as: UTF8.self) }

    /// Until the other side closes, as `rest`.
    public func restOfBytes() throws -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            // With questions still unread, its end is a reset.
            if count == 0 || count < 0 && errno == ECONNRESET { return received }
            guard count > 0 else { throw LineSocket.Failed(description: "not closed: \(String(cString: strerror(errno)))") }
            received += buffer[..<count]
        }
    }
}
