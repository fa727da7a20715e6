import Synth

/// Finds out whether the sink is silent although sound is played. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct MonitorWatch {
    /// Softer sound need not show at the monitor: −40 dBFS.
    private static let leastPeak: Float = 0.01
    /// How long there must be sound while the monitor is silent: longer than any sink's delay.
    private static let patience: Int64 = 2_500_000_000

    /// Since when there was sound all the time.
    private var meantSince: Int64?
    /// Sound is played, and the monitor has nothing of it.
    private(set) var isSilent = false

    /// To be called ten times a second. `peak` is what the sink should have had at its loudest since the last call, after everybody's
    /// volumes, 1 being full scale; nil if it is not known, or nothing was played.
    mutating func look(at now: Int64, peak: Float?, monitor: Monitor?) {
        guard let peak, peak >= Self.leastPeak else {
            meantSince = nil
            isSilent = false
            return
        }
        let since = meantSince ?? now
        meantSince = since
        let silence = monitor?.silence(at: now) ?? 0
        isSilent = min(now - since, silence) >= Self.patience
    }
}
