import Wire

/// Of whom notifications were refused, which get no answer, in lines for people.
struct RefusalsText {
    /// For instance `notifications of page (client 7): 3, the last because unknown method "tuch"`.
    let lines: [String]

    init(_ refused: StatusReport.Refused, _ clients: [ConnectedClients.Client]) {
        let connected = clients.filter { $0.refused > 0 }
        let lines = connected.map { client in
            let name = client.name.map { "\($0.printable) (client \(client.client))" } ?? "client \(client.client)"
            return Self.line(name, client.refused, client.lastRefusal)
        }
        // A client may have come or gone between the two answers.
        let others = refused.notifications - min(refused.notifications, connected.reduce(0) { $0 + $1.refused })
        let gone = Self.line("clients that are gone", others, lines.isEmpty ? refused.lastNotification : nil)
        self.lines = lines + (others == 0 ? [] : [gone])
    }

    private static func line(_ whose: String, _ count: UInt64, _ last: String?) -> String {
        "notifications of \(whose): \(count)" + (last.map { ", the last because \($0.printable)" } ?? "")
    }
}
