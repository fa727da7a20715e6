import ControlSocket
import Fields
import Glibc
import Live
import Signals
import Wire

// Who may connect, and what clients may take up.
extension Values {
    var access: PeerAccess {
        let group: gid_t? = read("socket-group") { _, name in
            // The last number means none (chown(2)).
            (gid_t(name) ?? getgrnam(name)?.pointee.gr_gid).flatMap { $0 == gid_t.max ? nil : $0 }
        }
        let access = PeerAccess(group: group, users: users("users"), watchers: users("watchers") ?? [])
        if text("socket-group") == nil, let key = ["users", "watchers"].first(where: { text($0) != nil }) {
            note(Fault(field: key, expected: "socket-group beside it, without which nobody else gets to the socket", found: "none"))
        }
        return access
    }

    private func users(_ key: String) -> Set<uid_t>? {
        guard let text = text(key), let kind = Key.byName[key] else { return nil }
        return Set(text.split(separator: ",").compactMap { word in
            let name = word.filter { $0 != " " }
            guard let user = uid_t(name) ?? getpwnam(name)?.pointee.pw_uid else {
                note(Fault(field: key, expected: kind.expected, found: "\"\(name)\""))
                return nil
            }
            return user
        })
    }

    var limits: Limits {
        var limits = Limits()
        // Journals, devices, the sound server and the libraries have files open, too.
        let room = max(1, raiseOpenFiles() - 128)
        limits.clients = integer("max-clients") ?? min(limits.clients, room)
        if limits.clients > room {
            note(Fault(field: "max-clients", expected: "at most \(room), by the files this process may have open (RLIMIT_NOFILE)",
                       found: "\(limits.clients)"))
        }
        limits.line = integer("max-line") ?? limits.line
        limits.rate = integer("max-rate") ?? limits.rate
        limits.subscribers = integer("max-subscribers") ?? limits.subscribers
        return limits
    }

    /// Nil when nothing was given. Nobody may connect by default, so there must be somebody who may.
    var webSocket: LiveSettings.WebSocket? {
        guard let port = integer("websocket") else { return nil }
        let origins = (text("websocket-origins") ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
        // A browser says exactly this, and anything else would never be let in.
        for origin in origins where origin.wholeMatch(of: /null|[a-z][a-z0-9+.\-]*:\/\/[^\/?#\s]+/) == nil {
            note(Fault(field: "websocket-origins", expected: "origins such as http://localhost:8080, without a path",
                       found: "\"\(origin)\""))
        }
        let isPlain: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || "._~-".contains($0)) }
        func token(_ key: String) -> String? { read(key) { _, text in text.allSatisfy(isPlain) ? text : nil } }
        let access = WebSocketAccess(origins: origins, token: token("websocket-token"), watchToken: token("websocket-watch-token"))
        if origins.isEmpty, text("websocket-token") == nil, text("websocket-watch-token") == nil {
            note(Fault(field: "websocket", expected: "websocket-origins, websocket-token or websocket-watch-token beside it",
                       found: "none"))
        }
        return LiveSettings.WebSocket(port: port, access: access)
    }

    var osc: LiveSettings.OSC? {
        integer("osc").map { LiveSettings.OSC(address: text("osc-address") ?? "127.0.0.1", port: $0) }
    }
}
