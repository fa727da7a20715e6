import ControlSocket
import Fields
import Glibc
import Live
import Settings

// Who may connect, and what clients may take up.
extension SettingsReader {
    var access: PeerAccess {
        let catalog = values.table.catalog
        let group = values.socketGroup.flatMap { name in
            // The last number means none (chown(2)).
            let number = (gid_t(name) ?? getgrnam(name)?.pointee.gr_gid).flatMap { $0 == gid_t.max ? nil : $0 }
            if number == nil { note(catalog.socketGroup.entry, found: name) }
            return number
        }
        let access = PeerAccess(group: group, users: values.users.map { users($0, catalog.users) },
                                watchers: values.watchers.map { users($0, catalog.watchers) } ?? [])
        if values.socketGroup == nil, let one = [catalog.users, catalog.watchers].first(where: { given[$0.entry.name] != nil }) {
            note(Fault(field: one.entry.name, expected: "socket-group beside it, without which nobody else gets to the socket",
                       found: "none"))
        }
        return access
    }

    private func users(_ names: String, _ setting: Setting<String?>) -> Set<uid_t> {
        Set(names.split(separator: ",").compactMap { word in
            let name = word.filter { $0 != " " }
            let user = uid_t(name) ?? getpwnam(name)?.pointee.pw_uid
            if user == nil { note(setting.entry, found: name) }
            return user
        })
    }

    /// Journals, devices, the sound server and the libraries have files open, too.
    func boundClients() {
        let room = max(1, raiseOpenFiles() - 128)
        guard values.maxClients > room else { return }
        if values.isGiven(\.maxClients) {
            note(Fault(field: values.table.catalog.maxClients.entry.name,
                       expected: "at most \(room), by the files this process may have open (RLIMIT_NOFILE)", found: "\(values.maxClients)"))
        }
        values.maxClients = room
    }

    /// Nil when nothing was given. Nobody may connect by default, so there must be somebody who may.
    var webSocket: LiveSettings.WebSocket? {
        guard let port = values.webSocket else { return nil }
        let origins = (values.webSocketOrigins ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
        // A browser says exactly this, and anything else would never be let in.
        for origin in origins where origin.wholeMatch(of: /null|[a-z][a-z0-9+.\-]*:\/\/[^\/?#\s]+/) == nil {
            note(Fault(field: "websocket-origins", expected: "origins such as http://localhost:8080, without a path",
                       found: "\"\(origin)\""))
        }
        let access = WebSocketAccess(origins: origins, token: values.webSocketToken, watchToken: values.webSocketWatchToken)
        if origins.isEmpty, given["websocket-token"] == nil, given["websocket-watch-token"] == nil {
            note(Fault(field: "websocket", expected: "websocket-origins, websocket-token or websocket-watch-token beside it",
                       found: "none"))
        }
        return LiveSettings.WebSocket(port: port, access: access)
    }
}
