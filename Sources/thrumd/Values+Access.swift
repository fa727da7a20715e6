import ControlSocket
import Glibc
import Signals
import Wire

// Who may connect to the control socket, and what clients may take up.
extension Values {
    func access() throws -> PeerAccess {
        let group = try text("socket-group").map { name in
            // The last number means none (chown(2)).
            guard let group = gid_t(name) ?? getgrnam(name)?.pointee.gr_gid, group != gid_t.max else {
                throw Fault(field: "socket-group", expected: "a group of this machine", found: "\"\(name)\"")
            }
            return group
        }
        let access = PeerAccess(group: group, users: try users("users"), watchers: try users("watchers") ?? [])
        guard group != nil || (access.users == nil && access.watchers.isEmpty) else {
            let key = access.users == nil ? "watchers" : "users"
            throw Fault(field: key, expected: "socket-group beside it, without which nobody else gets to the socket", found: "none")
        }
        return access
    }

    private func users(_ key: String) throws -> Set<uid_t>? {
        guard let text = text(key) else { return nil }
        return Set(try text.split(separator: ",").map { word in
            let name = word.filter { $0 != " " }
            guard let user = uid_t(name) ?? getpwnam(name)?.pointee.pw_uid else {
                throw Fault(field: key, expected: "users of this machine, separated by commas", found: "\"\(name)\"")
            }
            return user
        })
    }

    func limits() throws -> Limits {
        var limits = Limits()
        // Journals, devices, the sound server and the libraries have files open, too.
        let room = max(1, raiseOpenFiles() - 128)
        let clients = try integer("max-clients", in: 1...4096) ?? min(limits.clients, room)
        guard clients <= room else {
            throw Fault(field: "max-clients", expected: "at most \(room), by the files this process may have open (RLIMIT_NOFILE)",
                        found: "\(clients)")
        }
        limits.clients = clients
        limits.line = try integer("max-line", in: 1024...1_048_576, unit: "bytes") ?? limits.line
        limits.rate = try integer("max-rate", in: 1...1_000_000, unit: "requests a second") ?? limits.rate
        limits.subscribers = try integer("max-subscribers", in: 0...4096) ?? limits.subscribers
        return limits
    }
}
