import Glibc
import NIOCore
import Wire

/// Which users may connect to the control socket, by what the kernel says of them, and what they may do. The daemon's own user and root
/// always may everything.
public struct PeerAccess: Sendable {
    /// Of the socket's file, which its members may connect to; nil leaves it to its owner.
    public var group: gid_t?
    /// Who may control; nil is everybody who can connect.
    public var users: Set<uid_t>?
    /// Who may only watch, whether or not they are among `users`.
    public var watchers: Set<uid_t>

    public init(group: gid_t? = nil, users: Set<uid_t>? = nil, watchers: Set<uid_t> = []) {
        self.group = group
        self.users = users
        self.watchers = watchers
    }

    /// Nil for one who may not connect.
    func wayIn(of user: uid_t) -> WayIn? {
        if user == 0 || user == geteuid() { return .user }
        if watchers.contains(user) { return .watcher }
        return users?.contains(user) != false ? .user : nil
    }

    /// Who is at the other end of a Unix socket (SO_PEERCRED, socket(7)).
    static func user(of channel: any Channel) -> EventLoopFuture<uid_t> {
        guard let options = channel as? any SocketOptionProvider else {
            preconditionFailure("every socket's channel can be asked for the socket's options")
        }
        let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(level: .socket, name: .init(rawValue: SO_PEERCRED))
        return credentials.map(\.user)
    }

    /// `struct ucred` of unix(7), which Glibc's module leaves out.
    private struct Credentials {
        var process: pid_t
        var user: uid_t
        var group: gid_t
    }
}
