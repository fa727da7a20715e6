import Units

/// One instruction to the synth engine, applied at an exact frame. Plain bits, so that it may cross to the render thread.
@frozen
public enum SynthCommand: Sendable, BitwiseCopyable {
    /// The engine becomes as new, for the next session, with this ceiling; the tone is a sine again.
    case reset(ceiling: Decibels)
    case gate(open: Bool)
    case pitch(Hertz, glide: Seconds)
    case level(Decibels)
    case note(NoteCommand)
    /// A texture begins; `id` is its name's, never 0. One that sounds already goes on as it began.
    case texture(Texture, id: UInt64)
    /// A texture ends, softly.
    case endTexture(id: UInt64)
    /// A haptic pattern for a transducer, by its number in the theme.
    case haptic(Int)
    /// The sound fades out or in, whatever else is asked for.
    case mute(Bool)
    /// No sample passes it when 50 ms have gone.
    case ceiling(Decibels)
    /// How far the sound is turned down, at most 0 dB, and how long that takes. From `Decibels.silence` on nothing is left.
    case volume(Decibels, fade: Seconds)
    /// Of the tone, from the next time on that it begins or ends.
    case toneFade(Seconds)
    /// Of the tone, from the next time on that it begins out of silence.
    case tonePartials(TonePartials)
    /// Everything off within 10 ms.
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

    /// Partials past the eighth are left out; the theme's reader refuses them before.
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
    /// Not before this frame, and then as soon as possible.
    public var frame: Frame
    /// After this frame is late.
    public var deadline: Frame
    /// When it happened, CLOCK_MONOTONIC in nanoseconds, if whoever reports it says so: then it is to be heard at `frame`
    /// exactly, which leaves time for its way here.
    public var stamp: Int64?

    public init(_ frame: Frame, deadline: Frame? = nil, stamp: Int64? = nil) {
        self.frame = frame
        self.deadline = deadline ?? frame
        self.stamp = stamp
    }

    /// The same, but not before `other`.
    public func notBefore(_ other: Frame) -> Due {
        Due(max(frame, other), deadline: max(deadline, other), stamp: stamp)
    }
}

/// All that one event has the synth do, on one frame: the one it is due at, or later where it comes too late.
public struct CommandBatch: Sendable {
    public var due: Due
    /// Not earlier than this after the batch before.
    public var gap: FrameCount
    /// May be empty: the event has its place in time all the same.
    public var commands: [SynthCommand]
    /// The most one event has: a new engine and the theme's tone, a run's opening cues, and those of its first event.
    public static var capacity: Int { @_noLocks @_noAllocation get { 65 } }

    public init(due: Due, gap: FrameCount = .zero, commands: [SynthCommand]) {
        self.due = due
        self.gap = gap
        self.commands = commands
    }
}
