import AudioOutput
import NIOCore

/// Wakes the render thread, which has been sent something: at once for the first event of an event loop's turn, and for all others of the
/// turn together when it is over. A flood of events wakes it twice a turn and not with each event.
///
/// Thread: the event loop's.
final class RenderBell {
    private let bell: Doorbell
    private let loop: any EventLoop
    /// In this turn.
    private var hasRung = false
    private var isOwed = false

    init(_ bell: Doorbell, on loop: any EventLoop) {
        self.bell = bell
        self.loop = loop
    }

    func ring() {
        guard !hasRung else { return isOwed = true }
        hasRung = true
        bell.ring()
        loop.assumeIsolated().execute { self.endTurn() }
    }

    private func endTurn() {
        if isOwed { bell.ring() }
        (hasRung, isOwed) = (false, false)
    }
}
