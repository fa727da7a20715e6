import CLinux
import Wire

/// Restarts, for operators, the daemon or the kiosk of its machine. Thread: the event loop.
struct RestartDesk {
    /// Ends the daemon with a fade, so that the service manager starts it again; nil where no service manager would.
    private let restart: (@Sendable () -> Void)?

    init(_ restart: (@Sendable () -> Void)?) { self.restart = restart }

    /// Restarts the daemon. Answers before it does so, because the client's connection ends with the daemon. Refuses where no service
    /// manager would start it again.
    func restartDaemon(_ caller: Caller, on stage: isolated Stage) {
        guard let restart else {
            return caller.refuse(ErrorReply(.refused(.unavailable), """
                nobody would start thrumd again, because systemd has not started it (NOTIFY_SOCKET): start it anew where it was started
                """))
        }
        stage.logger.notice("the daemon starts anew, because somebody has asked for it", metadata: ["by": "\(name(of: caller, stage))"])
        caller.answer(Receipt(frame: nil))
        restart()
    }

    /// Has the kiosk start anew, and answers at once. The kiosk learns of this at its next report, within a second or two.
    func restartKiosk(_ caller: Caller, on stage: isolated Stage) {
        guard stage.desks.kiosk.askToRestart(at: monotonicNanoseconds()) else {
            let words = "no kiosk reports to this thrumd: see systemctl status thrum-kiosk, and thrum kiosk --check"
            return caller.refuse(ErrorReply(.refused(.unavailable), words))
        }
        stage.logger.notice("the kiosk starts anew, because somebody has asked for it", metadata: ["by": "\(name(of: caller, stage))"])
        caller.answer(Receipt(frame: nil))
    }

    private func name(of caller: Caller, _ stage: isolated Stage) -> String {
        stage.clients.presence.words(for: .connection(caller.client))
    }
}
