import Signals
import Units

/// The engine and where it is on the sample clock.
///
/// A plain value: a copy is a checkpoint, and rendering from it again with other commands is how audio that was rendered
/// ahead is revised.
public struct Timeline: Sendable {
    public private(set) var engine: Engine
    /// The next frame to be rendered.
    public private(set) var position: Frame = .zero

    @_noLocks @_noAllocation
    public init(_ settings: EngineSettings) { engine = Engine(settings) }

    /// Renders up to `frame`, exclusive, into `out` from frame `start` on; nothing when `frame` has been reached already.
    /// Returns the frames written.
    @_noLocks @_noAllocation
    public mutating func render(until frame: Frame, into out: inout MutableSpan<Float>, at start: Int) -> Int {
        render(until: frame, into: &out, at: start, nil)
    }

    /// The same samples, with or without `kept`.
    @_noLocks @_noAllocation
    mutating func render(until frame: Frame, into out: inout MutableSpan<Float>, at start: Int, _ kept: KeptNotes?) -> Int {
        let count = Int(frame.rawValue - position.rawValue)
        guard count > 0 else { return 0 }
        engine.render(into: &out, at: start, count: count, kept)
        position = frame
        return count
    }

    /// Applies a command to the next frame.
    @_noLocks @_noAllocation
    public mutating func apply(_ command: SynthCommand) { engine.apply(command) }

    /// As `apply`; the command's `number` is its own among all.
    @_noLocks @_noAllocation
    mutating func apply(_ command: SynthCommand, number: UInt64) { engine.apply(command, number: number) }
}
