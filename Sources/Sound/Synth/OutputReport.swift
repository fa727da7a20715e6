import Realtime
import Signals
import Units

/// The render thread's report on itself, published whenever something has changed. Plain bits, always seen whole.
@frozen
public struct OutputReport: Sendable, Equatable, BitwiseCopyable {
    public var clock = PlayClock()
    /// The frame after the last rendered one, so nothing from here on has been heard.
    public var rendered = Frame.zero
    /// The frame before which it is certain of every frame whether it was heard. Where some were not, `Notice.silent` was told before. In
    /// frames of commands, as notices are.
    public var settled = Frame.zero
    public var state = OutputState.waiting
    /// The output's own error code while it waits; 0 for none.
    public var fault: Int32 = 0
    /// Whether queued audio can be overwritten.
    public var revises = true
    /// The frames from an event to the first frame of its sound; constant except for what the output learns of its timing.
    public var lead = FrameCount.zero
    /// The frames from the one being heard to the first that can still be changed.
    public var margin = FrameCount.zero
    /// The median time from an event that says when it happened to its change being written, in nanoseconds.
    public var travel: Int64 = 0
    /// The frames that were queued and not heard yet when last measured.
    public var fill = FrameCount.zero
    /// The most frames that the sink was seen to take at once.
    public var sinkBlock = FrameCount.zero
    /// The error of the clock's last predictions, root mean square, in nanoseconds.
    public var clockErrorNanoseconds: Int64 = 0
    /// The drift of the server's clock against CLOCK_MONOTONIC, as a ratio; 0 for none.
    public var drift = 0.0
    public var server = FixedText()
    public var sink = FixedText()
    /// The sink's number of channels; 0 as long as it is not known.
    public var sinkChannels = 0
    public var attenuation = Attenuation()
    /// The sink's monitor; nil while nobody listens to it.
    public var monitor: Monitor?
    /// Whether the sink takes nothing: the server has suspended it, or the machine slept and its card is not back yet.
    public var isSuspended = false
    /// Whether the render thread has real-time priority.
    public var isRealtime = false
    public var counters = OutputCounters()
    public var wakeUps: UInt64 = 0
    public var engine = EngineCounters()

    public init() {}
}

/// The place to which rendered frames go.
@frozen
public enum OutputState: Sendable, Equatable, BitwiseCopyable {
    /// Nowhere, on purpose.
    case null
    /// Nowhere until a sound server can be reached.
    case waiting
    case connected
}

/// Tells which frame is heard when, by a line through one moment.
@frozen
public struct PlayClock: Sendable, Equatable, BitwiseCopyable {
    /// The position heard at `nanoseconds`, in frames; between two frames as a rule.
    public var frame: Double
    /// The moment, CLOCK_MONOTONIC.
    public var nanoseconds: Int64
    public var framesPerNanosecond: Double

    public init(frame: Double = 0, nanoseconds: Int64 = 0, framesPerNanosecond: Double = 0) {
        self.frame = frame
        self.nanoseconds = nanoseconds
        self.framesPerNanosecond = framesPerNanosecond
    }

    /// Returns the position heard at the moment `nanoseconds` (CLOCK_MONOTONIC), in frames with a fraction.
    public func position(at nanoseconds: Int64) -> Double {
        frame + Double(nanoseconds - self.nanoseconds) * framesPerNanosecond
    }

    /// The frame heard at the moment `nanoseconds` (CLOCK_MONOTONIC).
    public func frame(at nanoseconds: Int64) -> Frame { Frame(Int64(position(at: nanoseconds).rounded(.down))) }

    /// The moment (CLOCK_MONOTONIC, nanoseconds) at which `frame` is heard.
    public func moment(of frame: Frame) -> Int64 {
        guard framesPerNanosecond > 0 else { return nanoseconds }
        return nanoseconds + Int64((Double(frame.rawValue) - self.frame) / framesPerNanosecond)
    }
}

/// The volumes and mutes that others have set in the sound server for our stream and its sink.
@frozen
public struct Attenuation: Sendable, Equatable, BitwiseCopyable {
    @frozen
    public struct Stage: Sendable, Equatable, BitwiseCopyable {
        public var isMuted: Bool
        /// The linear gain; 1 changes nothing.
        public var magnitude: Double

        public init(isMuted: Bool = false, magnitude: Double = 1) {
            self.isMuted = isMuted
            self.magnitude = magnitude
        }
    }

    public var stream = Stage()
    public var sink = Stage()

    public init() {}
}

/// The sound of the sink's monitor: all that the sound server plays, after others' volumes. Moments are CLOCK_MONOTONIC in nanoseconds.
@frozen
public struct Monitor: Sendable, Equatable, BitwiseCopyable {
    /// The peak below which sound counts as silence: −80 dBFS.
    private static let silence: Float = 1e-4
    /// The longest pause between two pieces of the monitor, in nanoseconds. After a longer one its sound is not known.
    static let longestBreak: Int64 = 1_000_000_000

    /// The moment of the last piece.
    public private(set) var latest: Int64
    /// The moment since which the monitor is known to be silent.
    public private(set) var silentSince: Int64
    /// The peak of the last piece, which has about 200 ms; 1 is full scale.
    public private(set) var peak: Float = 0

    /// Begins to listen at `now`.
    public init(at now: Int64) {
        latest = now
        silentSince = now
    }

    /// Notes a piece with the peak `peak`; nil if the piece is missing.
    public mutating func hear(_ peak: Float?, at now: Int64) {
        if let peak, peak < Self.silence, now - latest <= Self.longestBreak {
            self.peak = peak
        } else {
            self.peak = peak ?? self.peak
            silentSince = now
        }
        latest = now
    }

    /// Returns for how long the monitor has been silent, in nanoseconds; nil if that is not known because no piece came for a while.
    public func silence(at now: Int64) -> Int64? { now - latest > Self.longestBreak ? nil : now - silentSince }
}
