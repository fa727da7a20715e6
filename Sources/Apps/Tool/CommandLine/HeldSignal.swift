import Glibc
import Synchronization

/// Delays the effect of signals such as Ctrl-C until the terminal is restored.
enum HeldSignal {
    /// The number of the last signal whose effect is delayed; 0 where there is none.
    private static let last = Atomic<Int32>(0)

    /// Delays the effect of signals from now on: `take()` returns them, and `obey(_:)` lets them take effect.
    static func watch() {
        // The global is allocated here, because a signal handler must not allocate.
        last.store(0, ordering: .relaxed)
        for signalNumber in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
            signal(signalNumber) { HeldSignal.last.store($0, ordering: .relaxed) }
        }
    }

    /// Returns the number of the signal whose effect is delayed, and forgets it; nil where there is none.
    static func take() -> Int32? {
        let number = last.exchange(0, ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Lets the signal `number` take its usual effect. After Ctrl-Z this returns once somebody has continued the program.
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
