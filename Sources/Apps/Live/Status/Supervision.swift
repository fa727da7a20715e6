import Systemd

/// Tells the service manager how the engine is, and that it is alive: the control loop by calling, the render thread by going on.
/// Thread: the event loop.
struct Supervision {
    private let notifier: Notifier
    /// From one sign of life to the next, in nanoseconds; nil where nobody waits for any.
    private let period: Int64?
    private var lastSign = Int64.min
    private var lastStatus = ""
    /// The render thread's wake-ups, when it was last seen to go on.
    private var wakeUps: UInt64?
    private var isToSign = true

    init(_ notifier: Notifier) {
        self.notifier = notifier
        // A quarter of what is allowed, so that one sign may be late.
        period = notifier.watchdogPeriod.map { $0.components.seconds * 250_000_000 + $0.components.attoseconds / 4_000_000_000 }
    }

    /// To be called often. `wakeUps` are the render thread's so far: it must go on for a sign of life to be given.
    mutating func tick(_ now: Int64, wakeUps: UInt64, status: String) {
        if wakeUps != self.wakeUps { isToSign = true }
        self.wakeUps = wakeUps
        if let period, isToSign, lastSign == .min || now - lastSign >= period {
            notifier.watchdog()
            lastSign = now
            isToSign = false
        }
        if status != lastStatus { notifier.status(status) }
        lastStatus = status
    }
}
