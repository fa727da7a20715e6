import CLinux
import Conductor
import NIOCore
import Units

// Wakes the piece when it asked for it, and keeps what it wants kept.
extension Stage {
    /// To be called whenever the conductor may have acted.
    func followConductor() {
        keepWhatLasts()
        // What a piece plays by itself is to be as exact as what a visitor hears.
        outputs.port.tell(visitorIsPresent: conductor.visit != nil || conductor.nextWake != nil)
        guard conductor.nextWake != timers.wake?.frame else { return }
        timers.wake?.timer.cancel()
        timers.wake = nil
        if let frame = conductor.nextWake { schedule(frame) }
    }

    private func keepWhatLasts() {
        let name = conductor.piece.declaration.name
        for keeping in outputs.takeKeepings() {
            guard let ticket = keeping.ticket else {
                kept.keep(keeping, of: name)
                continue
            }
            clients.receipts.awaitCommit(of: ticket)
            kept.keep(keeping, of: name) { [loop] result in
                loop.execute { self.assumeIsolated { $0.clients.receipts.committed(ticket, $0.timing.rate, result) } }
            }
        }
    }

    /// How long to wait for a render thread that stands still, or has said nothing yet, in nanoseconds.
    private static let patience: Int64 = 10_000_000

    private func schedule(_ frame: Frame, notBefore moment: Int64 = 0) {
        let moment = max(moment, timing.moment(forTickAt: frame, outputs.reports.read()) ?? monotonicNanoseconds() + Self.patience)
        let timer = loop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, moment)))) {
            self.assumeIsolated { $0.wakePiece(at: frame) }
        }
        timers.wake = (frame, timer)
    }

    private func wakePiece(at frame: Frame) {
        timers.wake = nil
        guard !isClosing else { return }
        let now = monotonicNanoseconds()
        guard outputs.port.isOpen, let moment = timing.moment(forTickAt: frame, outputs.reports.read()) else {
            return schedule(frame, notBefore: now + Self.patience)
        }
        // The clock has been found to go slower meanwhile.
        guard moment <= now + 1_000_000 else { return schedule(frame) }
        conductor.wake(at: frame)
        followConductor()
    }
}
