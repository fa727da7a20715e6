import Glibc
import Synchronization

/// Holds back signals until the terminal is restored.
enum HeldSignal {
    /// The signal that has come last and waits; 0 for none.
    private static let last = Atomic<Int32>(0)

    /// Has signals wait for `take()` from now on.
    static func watch() {
        // The global is allocated here, because a signal handler must not allocate.
        last.store(0, ordering: .relaxed)
        for signalNumber in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
            signal(signalNumber) { HeldSignal.last.store($0, ordering: .relaxed) }
        }
    }

    /// Returns the signal that waits, and forgets it; nil where none waits.
    static func take() -> Int32? {
        let number = last.exchange(0, ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Has the signal take its usual effect. After Ctrl-Z this returns once somebody has continued the program.
    static func obey(_ number: Int32) {
        guard number != SIGTSTP else {
            raise(SIGSTOP)
            return
        }
        // The signal is blocked in threads that Swift's runtime makes.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        signal(number, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
