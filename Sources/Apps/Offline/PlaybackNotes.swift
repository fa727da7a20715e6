import Journal
import Units

/// What whoever hears a played journal should know of it.
public struct PlaybackNotes: Sendable {
    /// The line at which the session was cut off; nil if it ended as it should.
    public var cutLine: Int?
    /// How long the silence is that a session without an event comes to; nil where there is one.
    public var silence: Seconds?
    /// What the sums of all lines say.
    public var integrity: JournalIntegrity
    /// Entries that are missing from the journal; nil if none is.
    public var loss: Loss?
    /// Sound files of the theme's patterns that cannot be read, and are silent.
    public var missingFiles: [String]
}
