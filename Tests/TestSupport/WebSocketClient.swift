import Foundation

/// A WebSocket client by the book (RFC 6455), without the library that the server uses.
public final class WebSocketClient {
    private let descriptor: Int32
    private var received: [UInt8] = []
    /// The server's answer to the handshake, up to the empty line.
    public private(set) var answer = ""

    public struct Failed: Error, CustomStringConvertible { public var description: String }

    /// Connects to 127.0.0.1 and asks for a WebSocket; `answer` says what came of it.
    public init(port: Int, path: String = "/socket", origin: String? = nil, headers: [String] = []) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0 else { throw Failed(description: String(cString: strerror(errno))) }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let more = (headers + (origin.map { ["Origin: \($0)"] } ?? [])).map { $0 + "\r\n" }.joined()
        try write(Array("""
            GET \(path) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            Sec-WebSocket-Version: 13\r
            \(more)\r

            """.utf8))
        while !answer.hasSuffix("\r\n\r\n") { answer.append(Character(UnicodeScalar(try next()))) }
    }

    deinit { close(descriptor) }

    /// The key is the RFC's own example, section 1.3, and so is what must come of it.
    public var isOpen: Bool { answer.hasPrefix("HTTP/1.1 101 ") && answer.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") }

    /// A text message in as many frames as there are `pieces`.
    public func send(_ pieces: String...) throws {
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            try frame(opcode: index == 0 ? 1 : 0, isLast: isLast, Array(piece.utf8))
        }
    }

    public func frame(opcode: UInt8, isLast: Bool = true, isMasked: Bool = true, _ payload: [UInt8]) throws {
        let mask: [UInt8] = isMasked ? [0x12, 0x34, 0x56, 0x78] : []
        let masked: UInt8 = isMasked ? 0x80 : 0
        var bytes = [opcode | (isLast ? 0x80 : 0)]
        if payload.count < 126 {
            bytes.append(masked | UInt8(payload.count))
        } else {
            bytes += [masked | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        }
        try write(bytes + mask + payload.enumerated().map { isMasked ? $1 ^ mask[$0 % 4] : $1 })
    }

    /// The next frame, waited for up to half a minute.
    public func receive() throws -> (opcode: UInt8, text: String) {
        let frame = try receiveFrame()
        return (frame.opcode, String(decoding: frame.payload, as: UTF8.self))
    }

    public func receiveFrame() throws -> (opcode: UInt8, payload: [UInt8]) {
        let head = try next()
        var length = Int(try next() & 0x7F)
        if length >= 126 { length = try (0..<(length == 126 ? 2 : 8)).reduce(0) { value, _ in try value << 8 | Int(next()) } }
        let payload = try (0..<length).map { _ in try next() }
        return (head & 0x0F, payload)
    }

    private func write(_ bytes: [UInt8]) throws {
        guard Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failed(description: String(cString: strerror(errno)))
        }
    }

    private func next() throws -> UInt8 {
        if received.isEmpty {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failed(description: count == 0 ? "closed" : String(cString: strerror(errno))) }
            received = buffer[..<count].reversed()
        }
        return received.removeLast()
    }
}
