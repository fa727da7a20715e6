/// What is due as time goes by. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct Heartbeat {
    /// From one beat to the next, at most, while nobody is there.
    static let idlePause: Int64 = 1_000_000_000
    /// The same while a visitor is there.
    static let busyPause: Int64 = 100_000_000
    /// A beat that is later than this means that the process stood still.
    private static let stillness: Int64 = 3_000_000_000
    /// A power cut costs at most so much of the journal.
    private static let syncPeriod: Int64 = 500_000_000

    struct Beat: Equatable {
        /// Seconds; nil when the last beat was not long ago.
        var stoodStill: Int64?
        /// Whether the journal is to be written to the disk.
        var isToSync: Bool
    }

    /// The first moment after `now` that is a whole number of pauses: timers with the same pause share their wake-ups.
    static func next(after now: Int64, each pause: Int64) -> Int64 { (now / pause + 1) * pause }

    private var last: Int64?
    private var nextSync: Int64 = 0

    mutating func beat(at now: Int64) -> Beat {
        let pause = last.map { now - $0 } ?? 0
        last = now
        let isToSync = now >= nextSync
        if isToSync { nextSync = now + Self.syncPeriod }
        return Beat(stoodStill: pause > Self.stillness ? pause / 1_000_000_000 : nil, isToSync: isToSync)
    }
}
