import Glibc
import Synchronization

/// SIGINT or SIGTERM: the command ends gracefully.
enum Interruption {
    private static let mark = Atomic<Bool>(false)

    static var hasCome: Bool { mark.load(ordering: .relaxed) }

    /// From now on the first one is only noted; a second one ends the program.
    static func watch() {
        // Allocated here, because a signal handler must not allocate.
        mark.store(false, ordering: .relaxed)
        for signalNumber in [SIGINT, SIGTERM] {
            signal(signalNumber) { number in
                Interruption.mark.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }
}
