import Fields
import Glibc

/// A listening Unix stream socket that the service manager has passed to the daemon, by the protocol of sd_listen_fds(3). It still belongs
/// to the manager: its file is neither made nor removed here.
public struct PassedSocket: Equatable, Sendable {
    /// The socket's `FileDescriptorName` in the unit, or the unit's name.
    public let name: String
    /// The descriptor, which is already listening. Programs that are started do not inherit it.
    public let descriptor: CInt
    /// The path to which the socket is bound; an abstract name begins with `@`.
    public let path: String

    /// Takes all sockets that were passed to this process, in the order of the unit; none if they are meant for another process. The
    /// variables are removed from the environment, so that no program that is started takes the sockets for its own. Throws a `Fault` that
    /// names the variable; the descriptors then stay open. Thread: any, but before other threads read the environment.
    public static func takeAll(_ environment: [String: String]) throws(Fault) -> [PassedSocket] {
        try takeAll(environment, from: 3)
    }

    static func takeAll(_ environment: [String: String], from first: CInt) throws(Fault) -> [PassedSocket] {
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        let names = environment["LISTEN_FDNAMES"]
        guard let process = environment["LISTEN_PID"], let number = environment["LISTEN_FDS"], pid_t(process) == getpid()
        else { return [] }
        guard let count = CInt(number), (0...1024).contains(count) else {
            throw Fault(field: "LISTEN_FDS", expected: "a whole number from 0 to 1024", found: "\"\(number)\"")
        }
        let given = names?.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard given == nil || given?.count == Int(count) || count == 0 else {
            throw Fault(field: "LISTEN_FDNAMES", expected: "as many names as LISTEN_FDS says, \(count)", found: "\"\(names ?? "")\"")
        }
        // This comes before anything can fail, so that no other program inherits the descriptors.
        for descriptor in first..<(first + count) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var sockets: [PassedSocket] = []
        for index in 0..<Int(count) {
            sockets.append(try PassedSocket(first + CInt(index), name: given?[index] ?? "unknown"))
        }
        return sockets
    }

    private init(_ descriptor: CInt, name: String) throws(Fault) {
        guard Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX, Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
              Self.option(SO_ACCEPTCONN, of: descriptor) == 1 else {
            throw Fault(field: "LISTEN_FDS", expected: "a Unix stream socket that is listened on as descriptor \(descriptor)",
                        found: "something else, named \"\(name)\"")
        }
        self.name = name
        self.descriptor = descriptor
        path = Self.path(of: descriptor)
    }

    /// Returns an option of the socket (socket(7)); nil where the descriptor is no socket.
    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func path(of descriptor: CInt) -> String {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        let count = Int(length) - MemoryLayout<sa_family_t>.size
        guard status == 0, count > 0 else { return "" }
        return withUnsafeBytes(of: address.sun_path) { bytes in
            bytes[0] == 0 ? "@" + String(decoding: bytes[1..<min(count, bytes.count)], as: UTF8.self)
                : String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
