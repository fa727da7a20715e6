import Foundation

/// A client of the control socket that knows nothing of Thrum's own code: bytes in, lines out.
public final class LineSocket {
    private let descriptor: Int32
    private var received = Data()

    public struct Failed: Error, CustomStringConvertible {
        public var description: String

        public init(description: String) { self.description = description }
    }

    public init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Failed(description: "\(path): \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Says that nothing more will be sent.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    public func send(_ line: String) throws { try send(Array(line.utf8) + [10]) }

    public func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failed(description: String(cString: strerror(errno))) }
            sent += count
        }
    }

    /// The next line, waited for up to half a minute.
    public func receive() throws -> String {
        while true {
            if let newline = received.firstIndex(of: 10) {
                let line = received[received.startIndex..<newline]
                received = received[(newline + 1)...]
                return String(decoding: line, as: UTF8.self)
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failed(description: count == 0 ? "closed" : String(cString: strerror(errno))) }
            received.append(contentsOf: buffer[..<count])
        }
    }

    /// Asks, and returns the answer.
    public func ask(_ line: String) throws -> String {
        try send(line)
        return try receive()
    }

    /// A request of `method` with the parameters' JSON.
    public func call(_ method: String, _ parameters: String = "{}") throws -> String {
        try ask(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#)
    }
}
