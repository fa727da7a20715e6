import ArgumentParser
import Glibc
import Synchronization
import SystemPackage

/// Draws the view on the terminal: one task passes in notifications, another draws.
final class LiveScreen: Sendable {
    private struct State {
        var view: LiveView
        var terminal = Terminal()
        var isClosed = false
    }

    private let state: Mutex<State>

    init(_ view: LiveView) {
        state = Mutex(State(view: view))
        HeldSignal.watch()
    }

    func take(_ line: [UInt8]) throws {
        try state.withLock { try $0.view.take(line, at: .now) }
    }

    /// The name of the piece that runs.
    var experience: String { state.withLock { $0.view.status.experience } }

    /// Draws what is different, or puts the terminal in order for a signal.
    func draw() {
        state.withLock { state in
            guard !state.isClosed else { return }
            if let number = HeldSignal.take() {
                state.terminal.leave()
                HeldSignal.obey(number)
            }
            for key in state.terminal.keys { state.view.press(key) }
            if state.view.controls.wantsToQuit {
                state.terminal.leave()
                exit(0)
            }
            let size = state.terminal.size
            // The last column stays free: where a line fills it, erasing the rest would take its last character.
            let lines = state.view.lines(width: size.width - 1, height: size.height, at: .now)
            do {
                try state.terminal.show(lines)
            } catch Errno.resourceTemporarilyUnavailable {
                // It takes nothing just now; the next drawing has it all.
            } catch {
                // Nobody can see anything any more.
                exit(Exit.inputOutput.rawValue)
            }
        }
    }

    /// Gives the terminal back.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.terminal.leave()
        }
    }
}
