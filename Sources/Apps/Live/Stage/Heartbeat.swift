import NIOCore
import Units

/// Knows what is due as time goes by. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct Heartbeat {
    /// The longest time from one beat to the next while nobody is there, in nanoseconds.
    static let idlePause: Int64 = 1_000_000_000
    /// The longest time from one beat to the next while a visitor is there, in nanoseconds.
    static let busyPause: Int64 = 100_000_000
    /// The time after which a late beat means that the process stood still, in nanoseconds.
    private static let stillness: Int64 = 3_000_000_000
    /// How much of the journal a power cut costs at most, in nanoseconds.
    private static let syncPeriod: Int64 = 500_000_000

    struct Beat: Equatable {
        /// How long the process stood still, in seconds; nil when the last beat was not long ago.
        var stoodStill: Int64?
        /// Whether the journal is to be written to the disk.
        var isToSync: Bool
    }

    /// Returns the first moment after `now` that is a whole number of pauses: timers with the same pause share their wake-ups.
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

/// What the stage has asked the event loop to do later.
struct Timers {
    var tick: Scheduled<Void>?
    /// Looks again whether a session's end is known to have been heard.
    var settling: Scheduled<Void>?
    /// The frame at which the piece wants to be woken, and what wakes it.
    var wake: (frame: Frame, timer: Scheduled<Void>)?
}
