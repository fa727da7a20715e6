import Glibc
import Synchronization

/// Notes SIGINT and SIGTERM, so that a command ends gracefully.
enum Interruption {
    private static let mark = Atomic<Bool>(false)

    static var hasCome: Bool { mark.load(ordering: .relaxed) }

    /// Has SIGINT end the program at once. A shell that starts a program with & has it ignore SIGINT, unless the shell manages jobs: what
    /// lasts until it is interrupted must not.
    static func endsProgram() { signal(SIGINT, SIG_DFL) }

    /// Has the first signal be noted only, from now on; a second one ends the program.
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

/// Holds back signals until the terminal is restored.
enum HeldSignal {
    /// The signal that has come last; 0 for none.
    private static let last = Atomic<Int32>(0)

    /// Has signals wait from now on.
    static func watch() {
        // Allocated here, because a signal handler must not allocate.
        last.store(0, ordering: .relaxed)
        for signalNumber in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
            signal(signalNumber) { HeldSignal.last.store($0, ordering: .relaxed) }
        }
    }

    /// Takes the signal that waits; nil where none does.
    static func take() -> Int32? {
        let number = last.exchange(0, ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Does what the signal would have done. Returns after Ctrl-Z, when somebody has had the program go on.
    static func obey(_ number: Int32) {
        guard number != SIGTSTP else {
            raise(SIGSTOP)
            return
        }
        // Threads of the language's own block signals.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        signal(number, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
