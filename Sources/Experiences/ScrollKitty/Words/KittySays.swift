import Experience
import Signals

/// The cat says something, in its own words.
public struct KittySays: AnnouncementBody {
    public var topic: String { "message" }
    /// The text's id, for instance `band-80-07`.
    public var id: String
    /// What it is for, for instance `band-80`.
    public var group: String
    public var text: Words
}
