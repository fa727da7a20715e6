import NIOCore

/// What clients may take up.
public struct Limits: Sendable {
    /// At once, by whatever way.
    public var clients: Int
    /// Bytes of a line, without its newline.
    public var line: Int
    /// Requests of one client in a second.
    public var rate: Int
    /// Clients that are told of something, at once.
    public var subscribers: Int
    /// How long a client may leave unread more than its socket and `Outbox.waterMark` hold. Then it counts as gone.
    public var patience: TimeAmount

    public init(clients: Int, line: Int, rate: Int, subscribers: Int, patience: TimeAmount = .seconds(10)) {
        self.clients = clients
        self.line = line
        self.rate = rate
        self.subscribers = subscribers
        self.patience = patience
    }
}

/// Requests that a client may still make: as many as in a second at once, and then as they come back.
struct Allowance {
    let rate: Int
    private var left: Double
    private var counted = NIODeadline.now()

    init(rate: Int) {
        self.rate = rate
        left = Double(rate)
    }

    /// Takes one, if there is one. What lets go of something is never refused all the same: it would be held for ever.
    mutating func take() -> Bool {
        let now = NIODeadline.now()
        left = min(Double(rate), left + Double((now - counted).nanoseconds) * 1e-9 * Double(rate))
        counted = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
