/// The answer to `client.list`.
public struct ConnectedClients: Codable, Equatable, Sendable {
    public struct Client: Codable, Equatable, Sendable {
        /// As events in the journal name it.
        public var client: Int
        /// By its own `hello`; nil when it said none.
        public var name: String?
        public var role: Role
        /// Whether it is on this machine.
        public var isLocal: Bool

        public init(client: Int, name: String?, role: Role, isLocal: Bool) {
            self.client = client
            self.name = name
            self.role = role
            self.isLocal = isLocal
        }
    }

    /// By their numbers.
    public var clients: [Client]

    public init(clients: [Client]) { self.clients = clients }
}
