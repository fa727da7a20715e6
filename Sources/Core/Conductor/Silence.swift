/// What keeps the sound from being heard. Each may begin and end while the other lasts.
public enum Silence: CaseIterable, Sendable {
    /// The output plays nothing.
    case output
    /// Others have muted what it plays, or turned it down to nothing.
    case others
}
