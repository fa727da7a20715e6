import NIOCore

/// The idle timeout of a client that asked for one: when it has sent nothing for too long, it counts as gone. Thread: its event loop.
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
