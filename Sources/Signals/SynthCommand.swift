import Units

/// One instruction to the synth engine, applied at an exact frame. Plain bits, so that it may cross to the render thread.
@frozen
public enum SynthCommand: Sendable, BitwiseCopyable {
    /// Resets the engine to a new one for the next session, with this ceiling. The tone is a sine again.
    case reset(ceiling: Decibels)
    case gate(open: Bool)
    case pitch(Hertz, glide: Seconds)
    case level(Decibels)
    case note(NoteCommand)
    /// A texture begins. `id` follows from its name and is never 0. A texture that sounds already goes on unchanged.
    case texture(Texture, id: UInt64)
    /// A texture ends, softly.
    case endTexture(id: UInt64)
    /// A haptic pattern for a transducer, by its number in the theme.
    case haptic(Int)
    /// The sound fades out or in, whatever else is asked for.
    case mute(Bool)
    /// Sets the level that no sample exceeds, from 50 ms later on.
    case ceiling(Decibels)
    /// Sets the gain of all sound, 0 dB or less, and the time of the change. From `Decibels.silence` down nothing is left.
    case volume(Decibels, fade: Seconds)
    /// Sets the tone's fade from the next time that it begins or ends.
    case toneFade(Seconds)
    /// Sets the tone's partials from the next time that it begins out of silence.
    case tonePartials(TonePartials)
    /// All sound ends within 10 ms.
    case stop
}

/// A chime's note with its capacity fixed.
@frozen
public struct NoteCommand: Sendable, BitwiseCopyable {
    public var start: Seconds
    public var frequency: Hertz
    public var level: Decibels
    public var attack: Seconds
    public var decay: Seconds
    public var partialCount: Int
    public var partials: InlineArray<8, Partial>
    public var glide: ChimeNote.Glide?

    /// Leaves out partials after the eighth, which the theme's reader refuses.
    public init(_ note: ChimeNote) {
        start = note.start
        frequency = note.frequency
        level = note.level
        attack = note.attack
        decay = note.decay
        partialCount = min(note.partials.count, ChimeNote.maximumPartials)
        partials = InlineArray(repeating: Partial(ratio: 1, level: Decibels(-120)))
        for index in 0..<partialCount { partials[index] = note.partials[index] }
        glide = note.glide
    }
}

/// When an event is to take effect, in frames of the output.
@frozen
public struct Due: Equatable, Sendable, BitwiseCopyable {
    /// The first frame at which it may take effect. It does as soon as possible after it.
    public var frame: Frame
    /// The last frame at which the event is not late.
    public var deadline: Frame
    /// When the event happened, CLOCK_MONOTONIC in nanoseconds, if the client says so. It is then to be heard at `frame` exactly, which
    /// leaves time for its way here.
    public var stamp: Int64?

    public init(_ frame: Frame, deadline: Frame? = nil, stamp: Int64? = nil) {
        self.frame = frame
        self.deadline = deadline ?? frame
        self.stamp = stamp
    }

    /// Returns the same due time, but not before `other`.
    public func notBefore(_ other: Frame) -> Due {
        Due(max(frame, other), deadline: max(deadline, other), stamp: stamp)
    }
}

/// All commands of one event, which take effect on one frame: the one at which it is due, or a later one where it comes too late.
public struct CommandBatch: Sendable {
    public var due: Due
    /// The least distance from the batch before, in frames.
    public var gap: FrameCount
    /// The commands; may be empty, because the event has its place in time all the same.
    public var commands: [SynthCommand]
    /// The most commands of one event: a new engine and the theme's tone, a run's opening cues, and those of its first event.
    public static var capacity: Int { @_noLocks @_noAllocation get { 65 } }

    public init(due: Due, gap: FrameCount = .zero, commands: [SynthCommand]) {
        self.due = due
        self.gap = gap
        self.commands = commands
    }
}
