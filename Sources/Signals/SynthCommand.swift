import Units

/// One instruction to the synth engine, carried out at an exact frame. It contains no pointers, so that it may be passed to the render
/// thread.
@frozen
public enum SynthCommand: Sendable, BitwiseCopyable {
    /// Puts the engine into its initial state for the next session, with this ceiling. The tone becomes a sine again. Speech goes on. While
    /// something is spoken, mute, volume and ceiling do not jump, but move to their initial state.
    case reset(ceiling: Decibels)
    case gate(open: Bool)
    case pitch(Hertz, glide: Seconds)
    case level(Decibels)
    case note(NoteCommand)
    /// Begins a texture. `id` is computed from the texture's name and is never 0. A texture that already sounds goes on unchanged.
    case texture(Texture, id: UInt64)
    /// Ends a texture with its fade.
    case endTexture(id: UInt64)
    /// Begins pink noise for a check of loudspeakers, or changes the level of its RMS.
    case noise(Decibels)
    /// Fades the pink noise out.
    case endNoise
    /// Plays a haptic pattern on a transducer, by the pattern's number in the theme.
    case haptic(Int)
    /// Fades all sound out or in. While muted, no other command makes a sound.
    case mute(Bool)
    /// Sets the level that no sample exceeds. It holds from 50 ms after the command on.
    case ceiling(Decibels)
    /// Sets the gain of all sound, 0 dB or less, and the time that the change takes. At `Decibels.silence` and below nothing is heard.
    case volume(Decibels, fade: Seconds)
    /// Sets the tone's fade, which is used when the tone begins or ends next.
    case toneFade(Seconds)
    /// Sets the tone's partials, which are used when the tone begins next after silence.
    case tonePartials(TonePartials)
    /// Speaks `frames` samples of the `SpeechTrack`, beginning with the sample number `from`. An utterance that is still being spoken is
    /// faded out first. During the speech all other sound is turned down.
    case speak(from: Int64, frames: Int)
    /// Fades out what is being spoken, within 10 ms.
    case hush
    /// Ends all sound within 10 ms.
    case stop
}

/// A chime's note. It has room for a fixed number of partials, so that it contains no pointers.
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

    /// Copies a note. Partials after the eighth are left out (no theme that could be read has any).
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
    /// The first frame at which the event may take effect. The event takes effect there, or as soon as possible afterwards.
    public var frame: Frame
    /// The last frame at which the event does not yet count as late.
    public var deadline: Frame
    /// When the event happened, by CLOCK_MONOTONIC in nanoseconds; nil if the client does not say. If it is known, the event is to be heard
    /// exactly at `frame`, which is chosen late enough for the event to arrive in time.
    public var stamp: Int64?

    public init(_ frame: Frame, deadline: Frame? = nil, stamp: Int64? = nil) {
        self.frame = frame
        self.deadline = deadline ?? frame
        self.stamp = stamp
    }

    /// Returns this due time, with `frame` and `deadline` each replaced by `other` if it is earlier than `other`.
    public func notBefore(_ other: Frame) -> Due {
        Due(max(frame, other), deadline: max(deadline, other), stamp: stamp)
    }
}

/// All commands of one event. They take effect together on one frame: the one at which the event is due, or a later one if it comes too
/// late.
public struct CommandBatch: Sendable {
    public var due: Due
    /// The smallest allowed distance from the batch before, in frames.
    public var gap: FrameCount
    /// The commands. A batch without commands is sent, too, because the output reports the frame of every event.
    public var commands: [SynthCommand]
    /// The largest number of commands in a batch: those that reset the engine and set the theme's tone, a run's opening cues, and the cues
    /// of its first event.
    public static var capacity: Int { @_noLocks @_noAllocation get { 65 } }

    public init(due: Due, gap: FrameCount = .zero, commands: [SynthCommand]) {
        self.due = due
        self.gap = gap
        self.commands = commands
    }
}
