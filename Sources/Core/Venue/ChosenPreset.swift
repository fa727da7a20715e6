/// A preset that somebody chose by hand. It stands until the schedule changes, and outlasts a restart.
public struct ChosenPreset: Equatable, Sendable {
    public var name: String
    /// Seconds since 1970-01-01 UTC; nil while the time is unknown. The schedule's next edge ends the choice.
    public var since: Int?

    public init(name: String, since: Int? = nil) {
        self.name = name
        self.since = since
    }
}
