import Calendar
import Units

/// The moment of an event, or of a question: a piece is told it with each call, and has no other clock.
public struct Now: Equatable, Sendable {
    /// Counts from the run's start, and never goes back.
    public var frame: Frame
    /// What the house's clock shows, as far as the run has been told: by its arrival and its ticks, and by frames from there on. It begins
    /// in 1970 where the run has been told nothing.
    public var civilTime: CivilTime

    public init(frame: Frame, civilTime: CivilTime) {
        self.frame = frame
        self.civilTime = civilTime
    }
}
