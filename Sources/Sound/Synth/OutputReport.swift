import Realtime
import Signals
import Units

/// What the render thread says about itself, whenever something has changed. Plain bits, always whole.
@frozen
public struct OutputReport: Sendable, Equatable, BitwiseCopyable {
    public var clock = PlayClock()
    /// The frame after the last that is rendered: nothing of it is heard yet.
    public var rendered = Frame.zero
    /// Of every frame before this one it is certain that it was heard, or that it was not: then `Notice.silent` was told before.
    /// In frames of commands, as notices are.
    public var settled = Frame.zero
    public var state = OutputState.waiting
    /// The output's own error code while it waits; 0 for none.
    public var fault: Int32 = 0
    /// Whether what is queued can be overwritten.
    public var revises = true
    /// From an event to the frame its sound begins at; constant but for what is learned.
    public var lead = FrameCount.zero
    /// From the frame being heard to the first that can still be changed.
    public var margin = FrameCount.zero
    /// From an event that says when it happened to its change being written, in nanoseconds: half were no longer.
    public var travel: Int64 = 0
    /// Frames queued and not heard yet, when last looked.
    public var fill = FrameCount.zero
    /// The most frames the sink was seen to take at once.
    public var sinkBlock = FrameCount.zero
    /// Root mean square of what the clock's last predictions were off by.
    public var clockErrorNanoseconds: Int64 = 0
    /// Of the server's clock against CLOCK_MONOTONIC, relative.
    public var drift = 0.0
    public var server = FixedText()
    public var sink = FixedText()
    /// Of the sink; 0 as long as it is not known.
    public var sinkChannels = 0
    public var attenuation = Attenuation()
    /// Nil while it is not listened to.
    public var monitor: Monitor?
    /// Whether the server has suspended the sink, or the machine slept and its card is not back yet: it takes nothing.
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
    /// Nowhere, on purpose.
    case null
    /// Nowhere until a sound server can be reached.
    case waiting
    case connected
}

/// Which frame is heard when: a line through one moment.
@frozen
public struct PlayClock: Sendable, Equatable, BitwiseCopyable {
    /// Heard at `nanoseconds`; between frames as a rule.
    public var frame: Double
    /// CLOCK_MONOTONIC.
    public var nanoseconds: Int64
    public var framesPerNanosecond: Double

    public init(frame: Double = 0, nanoseconds: Int64 = 0, framesPerNanosecond: Double = 0) {
        self.frame = frame
        self.nanoseconds = nanoseconds
        self.framesPerNanosecond = framesPerNanosecond
    }

    /// The frame heard at the moment `nanoseconds` (CLOCK_MONOTONIC), to a fraction.
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
