import NIOCore

/// The limits of what clients may use.
public struct Limits: Sendable {
    /// The largest number of clients at once, by all ways in together.
    public var clients: Int
    /// The largest number of bytes in a line, without its newline.
    public var line: Int
    /// The largest number of requests that one client may make in a second.
    public var rate: Int
    /// The largest number of clients that subscribe to notifications at once.
    public var subscribers: Int
    /// The time after which a client that does not read its data counts as gone. It begins when more data is unread than `Outbox.waterMark`
    /// and the client's socket hold.
    public var timeout: TimeAmount

    public init(clients: Int, line: Int, rate: Int, subscribers: Int, timeout: TimeAmount = .seconds(10)) {
        self.clients = clients
        self.line = line
        self.rate = rate
        self.subscribers = subscribers
        self.timeout = timeout
    }
}

/// The number of requests that a client may still make. It is at most the number for one second, and grows at the client's rate.
struct Allowance {
    let rate: Int
    private var left: Double
    private var counted = NIODeadline.now()

    init(rate: Int) {
        self.rate = rate
        left = Double(rate)
    }

    /// Takes one request from the allowance; returns false when none is left. Even then, callers admit a request that releases something,
    /// because the finger or tone would otherwise be held for ever.
    mutating func take() -> Bool {
        let now = NIODeadline.now()
        left = min(Double(rate), left + Double((now - counted).nanoseconds) * 1e-9 * Double(rate))
        counted = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}

/// The idle timeout of a client that asked for one: if the client sends nothing for longer, it counts as gone. Thread: its event loop.
final class IdleTimeout {
    private var heard = NIODeadline.now()
    private var timer: Scheduled<Void>?

    /// Notes that the client has sent something.
    func restart() { heard = .now() }

    /// Replaces an earlier timeout. Calls `giveUp` once nothing has come for `limit`; a `limit` of zero sets no timeout.
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
