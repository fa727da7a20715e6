import NIOCore
import Units

/// Decides which regular work is due. A plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds).
struct Heartbeat {
    /// The longest time between two calls of `beat` while no visitor is there, in nanoseconds.
    static let idlePause: Int64 = 1_000_000_000
    /// The longest time between two calls of `beat` while a visitor is there, in nanoseconds.
    static let busyPause: Int64 = 100_000_000
    /// The time between two calls of `beat` from which on the process counts as having stood still, in nanoseconds.
    private static let stillness: Int64 = 3_000_000_000
    /// The time between two syncs of the journal to the disk, in nanoseconds. A power failure costs at most that much of the journal.
    private static let syncPeriod: Int64 = 500_000_000

    struct Beat: Equatable {
        /// The time for which the process stood still, in seconds; nil if it did not.
        var stoodStill: Int64?
        /// Whether the journal must be written to the disk now.
        var isToSync: Bool
    }

    /// Returns the first moment after `now` that is a multiple of `pause`, so that timers with the same pause share their wake-ups.
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

/// The timers that the stage has started on the event loop.
struct Timers {
    var tick: Scheduled<Void>?
    /// The timer at which it is checked again whether the render thread has reported that a session's end was heard.
    var settling: Scheduled<Void>?
    /// The frame at which the piece wants to be woken, and the timer that wakes it.
    var wake: (frame: Frame, timer: Scheduled<Void>)?
}
