import Glibc
import Synchronization

/// The wish to end softly: SIGINT or SIGTERM.
enum Interruption {
    private static let mark = Atomic<Bool>(false)

    static var hasCome: Bool { mark.load(ordering: .relaxed) }

    /// From now on the first one is only noted; a second one ends the program.
    static func watch() {
        // Made here, because a signal's handler may make nothing.
        mark.store(false, ordering: .relaxed)
        for signalNumber in [SIGINT, SIGTERM] {
            signal(signalNumber) { number in
                Interruption.mark.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }
}
