import Units

/// One instruction to the outputs, due at the frame of the event that caused it.
public enum Cue: Equatable, Sendable {
    case toneGate(open: Bool)
    case tonePitch(Hertz, glide: Seconds)
    case toneLevel(Decibels)
    /// A chime of the theme, by name.
    case chime(String)
    /// A texture of the theme, by name, begins or ends. It goes on as it began, whatever theme comes, until it is ended.
    case texture(String, on: Bool)
    /// A haptic pattern of the theme, by name.
    case haptic(String)
    /// A haptic pattern that is not the theme's.
    case pattern(HapticPattern)
    case mute(Bool)
    case ceiling(Decibels)
    case volume(Decibels, fade: Seconds)
    /// From now on names mean what they do in this one.
    case theme(Theme)
    /// Everything off, softly.
    case stop

    /// Of the tone's pitch, in hertz, and how long that may take to arrive, in seconds: what journals can hold.
    public static let pitches = 20.0...5_000
    public static let glides = 0.0...10
    /// Of the tone's level, in dBFS.
    public static let levels = -120.0...0
}
