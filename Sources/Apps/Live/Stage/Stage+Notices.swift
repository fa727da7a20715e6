import CLinux
import NIOCore
import Signals
import Synth
import Units

// Handles the render thread's notices.
extension Stage {
    /// Handles the render thread's notices, after it has rung the doorbell.
    func hear() {
        // The report is read before the notices, so that the notices contain everything that the report calls settled.
        let report = outputs.reports.read()
        while let notice = sound.nextNotice() {
            switch notice {
            case .placed(let frame): clients.receipts.confirm(conductor.placed(at: frame), timing.rate)
            case .late(let frame, let count): conductor.late(count, at: frame)
            case .silent(let frame): conductor.fellSilent(at: frame)
            case .heard(let frame): conductor.cameBack(at: frame)
            }
        }
        followAttenuation(report)
        settle(until: report.settled)
        watch(outputs.reports.read())
    }

    /// Writes a session's end line once the render thread has reported what was heard. No doorbell rings for that report, so this function
    /// checks again after a while.
    private func settle(until frame: Frame) {
        conductor.settled(until: frame)
        guard conductor.isSettling, timers.settling == nil else { return }
        timers.settling = loop.assumeIsolated().scheduleTask(in: .milliseconds(20)) {
            self.assumeIsolated {
                $0.timers.settling = nil
                $0.hear()
            }
        }
    }

    /// Handles the render thread's last notices after the output has been stopped, when nothing more is heard.
    func finish() {
        hear()
        timers.settling?.cancel()
        conductor.settled(until: Frame(.max))
    }

    /// Has the conductor record when other programs mute the sound, because it is not heard then.
    func followAttenuation(_ report: OutputReport) {
        switch sound.attenuation.change(report, at: monotonicNanoseconds(), noticedWithin: settings.values.output.muteDelay,
                                  latency: timing.latency) {
        case .silent(let frame)?: conductor.fellSilent(because: .others, at: frame)
        case .heard(let frame)?: conductor.cameBack(because: .others, at: frame)
        case nil: break
        }
    }

    /// Logs a change of the output, if it is worth logging.
    func watch(_ report: OutputReport) {
        guard !isClosing, let change = sound.output.change(report, at: monotonicNanoseconds()) else { return }
        logger.tell(change, report, settings.values.output)
    }
}
