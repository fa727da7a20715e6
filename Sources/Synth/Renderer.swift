import Realtime
import Signals
import Units

/// The render thread's whole world: commands from a ring in, samples out, a report published after every block.
///
/// Thread: render, whichever thread runs the output.
public struct Renderer: ~Copyable, Sendable {
    private var timeline: Timeline
    private var commands: RingConsumer<StampedCommand>
    private var reports: LatestWriter<RenderReport>
    private var report = RenderReport()

    public init(_ settings: EngineSettings, commands: consuming RingConsumer<StampedCommand>,
                reports: consuming LatestWriter<RenderReport>) {
        timeline = Timeline(settings)
        self.commands = commands
        self.reports = reports
    }

    public var rate: SampleRate { timeline.engine.settings.rate }

    /// Renders `out.count` frames, each command on its frame. `now` is CLOCK_MONOTONIC in nanoseconds and `state` says
    /// where the frames are going.
    @_noLocks @_noAllocation
    public mutating func render(into out: inout MutableSpan<Float>, now: Int64, state: OutputState) {
        let end = timeline.position + FrameCount(Int64(out.count))
        var written = 0
        // A command further ahead than a second was stamped by a clock gone wrong; waiting for it would hold up all others.
        let horizon = end + FrameCount(Int64(rate.hertz))
        while let next = commands.peek(), next.frame < end || next.frame > horizon {
            if next.frame > horizon {
                timeline.applyMisplaced(next)
                commands.drop()
                continue
            }
            written += timeline.render(until: next.frame, into: &out, at: written)
            timeline.apply(next)
            commands.drop()
        }
        written += timeline.render(until: end, into: &out, at: written)
        report.state = state
        report.anchor = ClockAnchor(frame: timeline.position, nanoseconds: now)
        report.lateCommands = timeline.late
        report.counters = timeline.engine.counters
        reports.publish(report)
    }

    /// Publishes that the output's state changed, between blocks.
    /// `fault` is the output's own error code, 0 for none.
    @_noLocks @_noAllocation
    public mutating func note(_ state: OutputState, fault: Int32) {
        if state == .connected { report.connections += 1 }
        report.state = state
        report.fault = fault
        reports.publish(report)
    }

    @_noLocks @_noAllocation
    public mutating func noteUnderrun() { report.underruns += 1 }
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

/// Up to which frame has been rendered, and when that was asked for: frames from this one on can still be changed.
@frozen
public struct ClockAnchor: Sendable, Equatable, BitwiseCopyable {
    public var frame: Frame
    /// CLOCK_MONOTONIC.
    public var nanoseconds: Int64

    public init(frame: Frame, nanoseconds: Int64) {
        self.frame = frame
        self.nanoseconds = nanoseconds
    }
}

/// What the render thread says about itself after every block.
@frozen
public struct RenderReport: Sendable, Equatable, BitwiseCopyable {
    public var anchor = ClockAnchor(frame: .zero, nanoseconds: 0)
    public var state = OutputState.waiting
    /// The output's own error code while it waits; 0 for none.
    public var fault: Int32 = 0
    public var lateCommands: UInt64 = 0
    public var underruns: UInt64 = 0
    public var connections: UInt64 = 0
    public var counters = EngineCounters()

    public init() {}
}
