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
        /// How many of its requests without an id were refused: they get no answer.
        public var refused: UInt64
        /// Why the last of them was; nil where none was.
        public var lastRefusal: String?

        public init(client: Int, name: String?, role: Role, isLocal: Bool, refused: UInt64 = 0, lastRefusal: String? = nil) {
            self.client = client
            self.name = name
            self.role = role
            self.isLocal = isLocal
            self.refused = refused
            self.lastRefusal = lastRefusal
        }
    }

    /// By their numbers.
    public var clients: [Client]

    public init(clients: [Client]) { self.clients = clients }
}
