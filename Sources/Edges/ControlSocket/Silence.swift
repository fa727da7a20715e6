import NIOCore

/// The dead man's switch of a client that asked for one: when nothing has come from it for too long, it counts as gone. Thread: its
/// event loop.
final class Silence {
    private var heard = NIODeadline.now()
    private var timer: Scheduled<Void>?

    /// Something has come.
    func isBroken() { heard = .now() }

    /// From now on, and instead of what was asked before: calls `giveUp` once nothing has come for `patience`; never, if that is zero.
    func watch(for patience: TimeAmount, on loop: any EventLoop, giveUp: @escaping () -> Void) {
        end()
        guard patience > .zero else { return }
        let this = NIOLoopBound((self, giveUp), eventLoop: loop)
        timer = loop.scheduleTask(deadline: heard + patience) {
            let (silence, giveUp) = this.value
            guard NIODeadline.now() < silence.heard + patience else { return giveUp() }
            silence.watch(for: patience, on: loop, giveUp: giveUp)
        }
    }

    func end() {
        timer?.cancel()
        timer = nil
    }
}
