import Signals
import Units

/// What the control side tells the render thread. Plain bits, through a ring.
@frozen
public enum Instruction: Sendable, BitwiseCopyable {
    /// An event, and when it is due, but not earlier than `gap` after the event before it; its commands follow. It is answered
    /// by `Notice.placed`.
    case event(due: Due, gap: FrameCount)
    case command(SynthCommand)
    /// Whether a session is under way.
    case visitor(present: Bool)
}

/// What the render thread tells the control side, through a ring the other way.
@frozen
public enum Notice: Sendable, BitwiseCopyable {
    /// The next event in order takes effect at this frame.
    case placed(Frame)
    /// A change was written too late, or may have been: up to this many frames from its own on were played without it.
    case late(at: Frame, FrameCount)
    /// Nothing that is rendered is heard from this frame on, as far as is certain.
    case silent(from: Frame)
    /// From this frame on it is heard again, as it is rendered.
    case heard(from: Frame)
}
