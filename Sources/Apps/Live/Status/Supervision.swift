import Systemd

/// When to send systemd a status and a sign of life. The control loop is alive if it calls this, the render thread if its wake-ups grow. A
/// plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct Supervision {
    struct Signs: Equatable {
        /// Whether a sign of life is to be given.
        var isAlive: Bool
        /// Nil when it is what was told before.
        var status: String?
    }

    /// The time from one sign of life to the next, in nanoseconds; nil where nobody waits for any.
    private let period: Int64?
    private var lastSign = Int64.min
    private var lastStatus = ""
    /// The render thread's wake-ups, when it was last seen to go on.
    private var wakeUps: UInt64?
    private var isToSign = true

    /// `watchdogPeriod` is how long the service manager waits for a sign of life; nil for ever.
    init(watchdogPeriod: Duration?) {
        // A quarter of the period, so that one sign may be late.
        period = watchdogPeriod.map { $0.components.seconds * 250_000_000 + $0.components.attoseconds / 4_000_000_000 }
    }

    /// Says which signs to give now; is to be called often. `wakeUps` are the render thread's so far: it must go on for a sign of life.
    mutating func tick(_ now: Int64, wakeUps: UInt64, status: String) -> Signs {
        if wakeUps != self.wakeUps { isToSign = true }
        self.wakeUps = wakeUps
        var signs = Signs(isAlive: false, status: status == lastStatus ? nil : status)
        lastStatus = status
        if let period, isToSign, lastSign == .min || now - lastSign >= period {
            signs.isAlive = true
            lastSign = now
            isToSign = false
        }
        return signs
    }
}

/// Gives the service manager signs of life, and a status in words where it has changed.
struct LifeSigns {
    private let notifier: Notifier
    private var supervision: Supervision

    init(_ notifier: Notifier) {
        self.notifier = notifier
        supervision = Supervision(watchdogPeriod: notifier.watchdogPeriod)
    }

    /// Gives the signs that are due; is to be called often. `now` is CLOCK_MONOTONIC in nanoseconds, and `wakeUps` are the render thread's
    /// so far.
    mutating func give(_ now: Int64, wakeUps: UInt64, status: String) {
        let signs = supervision.tick(now, wakeUps: wakeUps, status: status)
        if signs.isAlive { notifier.watchdog() }
        if let words = signs.status { notifier.status(words) }
    }
}
