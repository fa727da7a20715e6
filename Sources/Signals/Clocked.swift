/// What names a moment of its run in seconds since the run's start, and can name it by the machine's clock, too.
public protocol Clocked: Sendable {
    /// `moment` says when so many seconds of the run are over, by CLOCK_MONOTONIC in nanoseconds.
    func clocked(_ moment: (Double) -> Int64) -> Self
}

extension Announcement {
    /// With its moments by the machine's clock.
    public func clocked(_ moment: (Double) -> Int64) -> Announcement {
        guard let body = body as? any AnnouncementBody & Clocked else { return self }
        return Announcement(body.clocked(moment))
    }
}
