import Glibc
import Synchronization

/// Records that SIGINT or SIGTERM has come, so that a command can end gracefully. Thread: any.
public enum Interruption {
    private static let mark = Atomic<Bool>(false)

    public static var hasCome: Bool { mark.load(ordering: .relaxed) }

    /// Makes SIGINT end the program at once. A shell without job control makes the programs that it starts with & ignore SIGINT, but a
    /// command that lasts until it is interrupted must not ignore it.
    public static func endsProgram() { signal(SIGINT, SIG_DFL) }

    /// Has the first signal from now on only be recorded, and a second one end the program.
    public static func watch() {
        // The global is allocated here, because a signal handler must not allocate.
        mark.store(false, ordering: .relaxed)
        for signalNumber in [SIGINT, SIGTERM] {
            signal(signalNumber) { number in
                Interruption.mark.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }
}
