import Realtime
import Signals
import Units

/// The render thread's report on itself, published whenever something in it changes. It contains no pointers, and is always read as a
/// whole.
@frozen
public struct OutputReport: Sendable, Equatable, BitwiseCopyable {
    public var clock = PlayClock()
    /// The frame after the last rendered one. Nothing from this frame on has been heard.
    public var rendered = Frame.zero
    /// The first frame of which it is not yet certain whether it was heard. If earlier frames were not heard, a `Notice.silent` has said
    /// so. The frame is counted like those of notices.
    public var settled = Frame.zero
    public var state = OutputState.waiting
    /// The output's own code of the error for which it waits for its server or card; 0 when there was no error.
    public var fault: Int32 = 0
    /// Whether queued audio can still be overwritten.
    public var revises = true
    /// The number of frames from an event to the first frame of its sound. It changes only when the output learns more about its timing.
    public var eventToSound = FrameCount.zero
    /// The number of frames from the one that is being heard to the first one that can still be changed.
    public var heardToChangeable = FrameCount.zero
    /// The median time, in nanoseconds, from an event to the writing of its sound. Only events that say when they happened are counted.
    public var travel: Int64 = 0
    /// The number of frames that were queued but not heard yet, at the last measurement.
    public var fill = FrameCount.zero
    /// The largest number of frames that the sink has taken at once.
    public var sinkBlock = FrameCount.zero
    /// The root-mean-square error of the clock's recent predictions, in nanoseconds.
    public var clockErrorNanoseconds: Int64 = 0
    /// The drift of the server's clock against CLOCK_MONOTONIC, as a ratio; 0 when both run equally fast.
    public var drift = 0.0
    public var server = FixedText()
    public var sink = FixedText()
    /// The number of the sink's channels; 0 while it is unknown.
    public var sinkChannels = 0
    public var attenuation = Attenuation()
    /// What the sink's monitor records; nil while nobody listens to it.
    public var monitor: Monitor?
    /// Whether the sink takes no sound: the server has suspended it, or the machine has slept and its sound card is not back yet.
    public var isSuspended = false
    /// Whether the render thread has real-time priority.
    public var isRealtime = false
    public var counters = OutputCounters()
    public var wakeUps: UInt64 = 0
    public var engine = EngineCounters()

    public init() {}
}

/// Where rendered frames go.
@frozen
public enum OutputState: Sendable, Equatable, BitwiseCopyable {
    /// Nowhere, as the settings ask.
    case null
    /// Nowhere, until a sound server or card is available.
    case waiting
    case connected
}

/// Says which frame is heard at which moment. The relation is linear, and goes through one measured moment.
@frozen
public struct PlayClock: Sendable, Equatable, BitwiseCopyable {
    /// The position that is heard at `nanoseconds`, in frames; usually between two frames.
    public var frame: Double
    /// The measured moment at which `frame` is heard, by CLOCK_MONOTONIC in nanoseconds.
    public var nanoseconds: Int64
    public var framesPerNanosecond: Double

    public init(frame: Double = 0, nanoseconds: Int64 = 0, framesPerNanosecond: Double = 0) {
        self.frame = frame
        self.nanoseconds = nanoseconds
        self.framesPerNanosecond = framesPerNanosecond
    }

    /// Returns the position that is heard at the moment `nanoseconds` (CLOCK_MONOTONIC), in frames with a fraction.
    public func position(at nanoseconds: Int64) -> Double {
        frame + Double(nanoseconds - self.nanoseconds) * framesPerNanosecond
    }

    /// Returns the frame that is heard at the moment `nanoseconds` (CLOCK_MONOTONIC).
    public func frame(at nanoseconds: Int64) -> Frame { Frame(Int64(position(at: nanoseconds).rounded(.down))) }

    /// Returns the moment at which `frame` is heard (CLOCK_MONOTONIC, in nanoseconds).
    public func moment(of frame: Frame) -> Int64 {
        guard framesPerNanosecond > 0 else { return nanoseconds }
        return nanoseconds + Int64((Double(frame.rawValue) - self.frame) / framesPerNanosecond)
    }
}

/// The volumes and mutes that other programs have set in the sound server, for Thrum's stream and for the sink.
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

/// What the sink's monitor records: everything that the sound server plays, after the volumes that other programs have set. Moments are by
/// CLOCK_MONOTONIC, in nanoseconds.
@frozen
public struct Monitor: Sendable, Equatable, BitwiseCopyable {
    /// A part of the recording with a lower peak counts as silent: −80 dBFS.
    private static let silence: Float = 1e-4
    /// The longest pause between two parts of the recording, in nanoseconds. After a longer pause nobody knows what was played.
    static let longestBreak: Int64 = 1_000_000_000

    /// When the latest part of the recording came, by CLOCK_MONOTONIC in nanoseconds.
    public private(set) var latest: Int64
    /// The moment since which the monitor has certainly been silent, by CLOCK_MONOTONIC in nanoseconds.
    public private(set) var silentSince: Int64
    /// The peak of the latest part of the recording, which is about 200 ms long; 1 is full scale.
    public private(set) var peak: Float = 0

    /// Creates a monitor that begins to record at `now`, by CLOCK_MONOTONIC in nanoseconds.
    public init(at now: Int64) {
        latest = now
        silentSince = now
    }

    /// Takes in the next part of the recording, which came at `now` (CLOCK_MONOTONIC, in nanoseconds). `peak` is its peak; nil if the part
    /// is missing.
    public mutating func hear(_ peak: Float?, at now: Int64) {
        if let peak, peak < Self.silence, now - latest <= Self.longestBreak {
            self.peak = peak
        } else {
            self.peak = peak ?? self.peak
            silentSince = now
        }
        latest = now
    }

    /// Returns for how long the monitor has been silent at `now`, in nanoseconds. nil if that is unknown, because no part of the recording
    /// has come for a while.
    public func silence(at now: Int64) -> Int64? { now - latest > Self.longestBreak ? nil : now - silentSince }
}
