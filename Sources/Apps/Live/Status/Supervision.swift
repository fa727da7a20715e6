import Systemd

/// Decides when systemd gets a status and a sign of life. The control loop is alive if it calls this; the render thread is alive if its
/// wake-ups grow. A plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds).
struct Supervision {
    struct Signs: Equatable {
        /// Whether to send a sign of life.
        var isAlive: Bool
        /// The status to send; nil where it has not changed.
        var status: String?
    }

    /// The time between two signs of life, in nanoseconds; nil where none is expected.
    private let period: Int64?
    private var lastSign = Int64.min
    private var lastStatus = ""
    /// The render thread's count of wake-ups at the last call.
    private var wakeUps: UInt64?
    private var isToSign = true

    /// `watchdogPeriod` is the time within which the service manager expects a sign of life; nil where it expects none.
    init(watchdogPeriod: Duration?) {
        // Signs are sent four times in each period, so that one may be late.
        period = watchdogPeriod.map { $0.components.seconds * 250_000_000 + $0.components.attoseconds / 4_000_000_000 }
    }

    /// Returns the signs to send now; must be called often. `wakeUps` is the render thread's count so far, which must grow for a sign of
    /// life.
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

/// Sends the service manager signs of life, and the status in words when it has changed.
struct LifeSigns {
    private let notifier: Notifier
    private var supervision: Supervision

    init(_ notifier: Notifier) {
        self.notifier = notifier
        supervision = Supervision(watchdogPeriod: notifier.watchdogPeriod)
    }

    /// Sends the signs that are due; must be called often. `now` is CLOCK_MONOTONIC in nanoseconds; `wakeUps` is the render thread's count
    /// of wake-ups so far.
    mutating func give(_ now: Int64, wakeUps: UInt64, status: String) {
        let signs = supervision.tick(now, wakeUps: wakeUps, status: status)
        if signs.isAlive { notifier.watchdog() }
        if let words = signs.status { notifier.status(words) }
    }
}
