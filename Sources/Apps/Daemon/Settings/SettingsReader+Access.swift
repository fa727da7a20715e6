import ControlSocket
import Fields
import Files
import Glibc
import HTTPServer
import Live
import Settings
import SignedReceipts
import SystemPackage
import Wire

// Who may connect, and the limits of clients.
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

    /// Lowers the number of clients if they would take the files that journals, devices, the sound server and libraries need.
    func boundClients() {
        let room = max(1, raiseOpenFiles() - 128)
        guard values.maxClients > room else { return }
        if values.isGiven(\.maxClients) {
            note(Fault(field: values.table.catalog.maxClients.entry.name,
                       expected: "at most \(room), by the files this process may have open (RLIMIT_NOFILE)", found: "\(values.maxClients)"))
        }
        values.maxClients = room
    }

    /// Returns the settings of the HTTP server; nil when no address was given. `folder` is the folder of Thrum's own pages. The kit comes
    /// from there, and so do all pages unless the settings name another folder. `docs` is the folder of the documentation as pages.
    func http(_ folder: String?, docs: String?) -> LiveSettings.HTTP? {
        let catalog = values.table.catalog
        let origins = LiveSettings.words(values.httpOrigins)
        // Browsers send exactly this form; any other would never match.
        for origin in origins where origin.wholeMatch(of: /null|[a-z][a-z0-9+.\-]*:\/\/[^\/?#\s]+/) == nil {
            note(Fault(field: catalog.httpOrigins.entry.name, expected: "origins such as http://localhost:8080, without a path",
                       found: "\"\(origin)\""))
        }
        let names = LiveSettings.words(values.httpNames)
        for name in names where name.wholeMatch(of: /[A-Za-z0-9._\-]+|[0-9a-fA-F:]+/) == nil {
            note(Fault(field: catalog.httpNames.entry.name, expected: "names such as console.example.org, without a port",
                       found: "\"\(name)\""))
        }
        guard let endpoint = values.http else { return nil }
        // Tokens and what is done with them would pass a network in plain text. Somebody has to have asked for that by its name.
        if !endpoint.isLoopback, !values.httpUnencrypted {
            note(Fault(field: catalog.http.entry.name,
                       expected: "an address of this machine alone, such as 127.0.0.1:\(endpoint.port), with a proxy for others, or "
                           + "\(catalog.httpUnencrypted.entry.name): yes beside it, because nothing is encrypted", found: endpoint.host))
        }
        let access = HTTPAccess(names: names, origins: origins, localRole: Role(rawValue: values.httpLocalRole.rawValue))
        return LiveSettings.HTTP(endpoint: endpoint, access: access, pages: (values.www ?? folder).map { Pages(in: $0) },
                                 kit: folder.map { Pages(in: $0 + "/kit") }, docs: docs.map { Pages(in: $0) })
    }

    /// Notes a fault for each word of `osc-operators` that is no IP address, and one where OSC is off, because then nothing receives what
    /// operators send.
    func checkOSCOperators() {
        let entry = values.table.catalog.oscOperators.entry
        for word in LiveSettings.words(values.oscOperators) where HostAddress(word) == nil {
            note(Fault(field: entry.name, expected: "IP addresses of single machines, such as 192.168.7.20 or 2001:db8::7, without a port",
                       found: "\"\(word)\""))
        }
        if values.oscOperators != nil, values.osc == nil {
            note(Fault(field: entry.name, expected: "osc beside it, without which nobody sends", found: "none"))
        }
    }

    /// Notes a fault for each destination of `osc-out` that is no IP address with a port. Does so, too, for each topic of `osc-out-topics`
    /// that does not exist or that strangers may not hear, and for topics without any destination.
    func checkOSCOut() {
        let (out, topics) = (values.table.catalog.oscOut.entry, values.table.catalog.oscOutTopics.entry)
        for word in LiveSettings.words(values.oscOut) where OSCSender.Destination(word) == nil {
            note(Fault(field: out.name, expected: "IP addresses with ports, such as 192.168.7.30:53000 or [2001:db8::7]:9000",
                       found: "\"\(word)\""))
        }
        let known = TopicTable(values.table.pieces).names.filter { !Topic.inspected.contains(Topic($0)) }
        for word in LiveSettings.words(values.oscOutTopics) where !known.contains(word) {
            note(Fault(field: topics.name, expected: "topics that strangers may hear: " + known.joined(separator: ", "),
                       found: "\"\(word)\"" + Spelling.hint(for: word, among: known)))
        }
        if values.oscOutTopics != nil, values.oscOut == nil {
            note(Fault(field: topics.name, expected: "osc-out beside it, without which nobody is told", found: "none"))
        }
    }
}

// Whose receipts count.
extension SettingsReader {
    private static let longestFile = 65_536

    /// The verifier of receipts of the app store; nil where the settings allow no purchases.
    var receipts: ReceiptVerifier? {
        let catalog = values.table.catalog
        guard values.receiptRoot == nil || values.receiptKey == nil else {
            note(Fault(field: catalog.receiptKey.entry.name, expected: "either receipt-root or receipt-key", found: "both"))
            return nil
        }
        let root = values.receiptRoot.flatMap { trust($0, catalog.receiptRoot.entry) { .root(in: $0) } }
        let key = values.receiptKey.flatMap { trust($0, catalog.receiptKey.entry) { .key(in: $0) } }
        guard let trust = root ?? key else { return nil }
        guard let bundleId = values.receiptBundleId else {
            note(Fault(field: catalog.receiptBundleId.entry.name, expected: "the bundle ID of the app whose receipts count", found: "none"))
            return nil
        }
        return ReceiptVerifier(trust, bundleId: bundleId, environment: values.receiptEnvironment)
    }

    private func trust(_ path: String, _ entry: SettingEntry, _ read: ([UInt8]) -> ReceiptVerifier.Trust?) -> ReceiptVerifier.Trust? {
        attempt {
            let bytes: [UInt8]
            do {
                bytes = try PlainFile.bytes(of: FilePath(path), atMost: Self.longestFile)
            } catch {
                throw Fault(field: entry.name, expected: entry.expected, found: "\(path): \(error)")
            }
            guard let trust = read(bytes) else { throw Fault(field: entry.name, expected: entry.expected, found: path) }
            return trust
        }
    }
}

/// Raises the number of files and sockets that this process may have open, as far as the system lets it, and returns that number. Shells
/// allow 1,024 for the sake of programs that use `select`; this one does not use it.
private func raiseOpenFiles() -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return 1024 }
    limit.rlim_cur = min(limit.rlim_max, 1 << 16)
    setrlimit(resource, &limit)
    guard getrlimit(resource, &limit) == 0 else { return 1024 }
    return Int(min(limit.rlim_cur, 1 << 16))
}
