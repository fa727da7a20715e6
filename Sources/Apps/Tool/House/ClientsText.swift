import Wire

/// Who is connected, in a line for people.
struct ClientsText {
    /// For instance `operator: console, 2 without a name; visitor: page (3)`.
    let words: String

    init(_ clients: [ConnectedClients.Client]) {
        let parts = Role.allCases.reversed().compactMap { role -> String? in
            let own = clients.filter { $0.role == role }
            guard !own.isEmpty else { return nil }
            let named = Dictionary(grouping: own.compactMap(\.name)) { $0 }.sorted { $0.key < $1.key }.map { name, all in
                name.printable + (all.count > 1 ? " (\(all.count))" : "")
            }
            let unnamed = own.count { $0.name == nil }
            return "\(role.rawValue): " + (named + (unnamed > 0 ? ["\(unnamed) without a name"] : [])).joined(separator: ", ")
        }
        words = parts.isEmpty ? "none" : parts.joined(separator: "; ")
    }
}
