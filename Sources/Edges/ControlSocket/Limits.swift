import NIOCore

/// The limits of what clients may take up.
public struct Limits: Sendable {
    /// The most clients at once, by whatever way they come.
    public var clients: Int
    /// The most bytes of a line, without its newline.
    public var line: Int
    /// The most requests of one client in a second.
    public var rate: Int
    /// The most subscribers at once.
    public var subscribers: Int
    /// The time for which a client may leave unread more than its socket and `Outbox.waterMark` hold. Then it counts as gone.
    public var patience: TimeAmount

    public init(clients: Int, line: Int, rate: Int, subscribers: Int, patience: TimeAmount = .seconds(10)) {
        self.clients = clients
        self.line = line
        self.rate = rate
        self.subscribers = subscribers
        self.patience = patience
    }
}

/// The requests that a client may still make: at most as many as in one second, coming back at its rate.
struct Allowance {
    let rate: Int
    private var left: Double
    private var counted = NIODeadline.now()

    init(rate: Int) {
        self.rate = rate
        left = Double(rate)
    }

    /// Takes one request; false when none is left. Requests that release something are admitted all the same: what they release would be
    /// held for ever.
    mutating func take() -> Bool {
        let now = NIODeadline.now()
        left = min(Double(rate), left + Double((now - counted).nanoseconds) * 1e-9 * Double(rate))
        counted = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}

/// The idle timeout of a client that asked for one: a client that sends nothing for longer counts as gone. Thread: its event loop.
final class IdleTimeout {
    private var heard = NIODeadline.now()
    private var timer: Scheduled<Void>?

    /// The client has sent something.
    func restart() { heard = .now() }

    /// Replaces the earlier limit. Calls `giveUp` once nothing has come for `limit`; never, if that is zero.
    func watch(for limit: TimeAmount, on loop: any EventLoop, giveUp: @escaping () -> Void) {
        cancel()
        guard limit > .zero else { return }
        let this = NIOLoopBound((self, giveUp), eventLoop: loop)
        timer = loop.scheduleTask(deadline: heard + limit) {
            let (timeout, giveUp) = this.value
            guard NIODeadline.now() < timeout.heard + limit else { return giveUp() }
            timeout.watch(for: limit, on: loop, giveUp: giveUp)
        }
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }
}
