import CLinux
import Conductor
import NIOCore
import Units

// Wakes the piece when it asked for it, and keeps what it wants kept.
extension Stage {
    /// To be called whenever the conductor may have acted.
    func followConductor() {
        keepWhatLasts()
        guard conductor.nextWake != wake?.frame else { return }
        wake?.timer.cancel()
        wake = nil
        if let frame = conductor.nextWake { schedule(frame) }
    }

    private func keepWhatLasts() {
        let name = conductor.piece.declaration.name
        for keeping in outputs.takeKeepings() {
            guard let ticket = keeping.ticket else {
                kept.keep(keeping, of: name)
                continue
            }
            receipts.awaitCommit(of: ticket)
            kept.keep(keeping, of: name) { [loop] result in
                loop.execute { self.assumeIsolated { $0.receipts.committed(ticket, $0.timing.rate, result) } }
            }
        }
    }

    /// Early enough for the tick to be placed at exactly that frame.
    private func schedule(_ frame: Frame, notBefore moment: Int64 = 0) {
        let moment = max(moment, self.moment(for: frame))
        let timer = loop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, moment)))) {
            self.assumeIsolated { $0.wakePiece(at: frame) }
        }
        wake = (frame, timer)
    }

    /// The lead before `frame` is heard, CLOCK_MONOTONIC in nanoseconds.
    private func moment(for frame: Frame) -> Int64 {
        let report = reports.read()
        return timing.stamp(for: report.clock.moment(of: frame + timing.latency), lead: report.lead)
    }

    private func wakePiece(at frame: Frame) {
        wake = nil
        guard !isClosing else { return }
        let now = monotonicNanoseconds()
        // The render thread stands still.
        guard outputs.port.isOpen else { return schedule(frame, notBefore: now + 10_000_000) }
        // The clock has been found to go slower meanwhile.
        guard moment(for: frame) <= now + 1_000_000 else { return schedule(frame) }
        conductor.wake()
        followConductor()
    }
}
