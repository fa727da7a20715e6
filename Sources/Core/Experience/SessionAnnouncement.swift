import Signals
import Units

/// Announces that a visitor has come or gone, or will soon count as gone.
public struct SessionAnnouncement: AnnouncementBody {
    public enum Phase: Equatable, Sendable {
        case began
        /// Nothing has happened for long. The visit ends after `endsIn`, unless something happens.
        case leaving(endsIn: Seconds)
        /// Something has happened after `leaving`, so the visit goes on.
        case stayed
        case ended

        fileprivate var name: Name {
            switch self {
            case .began: .began
            case .leaving: .leaving
            case .stayed: .stayed
            case .ended: .ended
            }
        }
    }

    fileprivate enum Name: String, CaseIterable, Encodable { case began, leaving, stayed, ended }

    public var topic: String { "session" }
    public var phase: Phase
    /// The time at which the visit ends if nothing happens, in seconds since the run's start. It comes with `leaving` only; nil while there
    /// is no run.
    public var endsAt: Seconds?
    /// The time at which the visit ends if nothing happens, by CLOCK_MONOTONIC in nanoseconds; nil where there is no such clock, as in
    /// simulations.
    public var endsAtMonotonic: Int64?
    /// The run's record (its result), which comes with `ended`; nil for a piece without records.
    public var record: Announcement?

    public init(_ phase: Phase, endsAt: Seconds? = nil, record: Announcement? = nil) {
        self.phase = phase
        self.endsAt = endsAt
        self.record = record
    }

    private enum CodingKeys: CodingKey { case phase, endsIn, endsAt, endsAtMonotonic, record }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(phase.name, forKey: .phase)
        if case .leaving(let endsIn) = phase { try container.encode(endsIn.rawValue, forKey: .endsIn) }
        try container.encodeIfPresent(endsAt?.rawValue, forKey: .endsAt)
        try container.encodeIfPresent(endsAtMonotonic, forKey: .endsAtMonotonic)
        try container.encodeIfPresent(record, forKey: .record)
    }
}

extension SessionAnnouncement: Clocked {
    public func clocked(_ moment: (Double) -> Int64) -> SessionAnnouncement {
        var clocked = self
        clocked.endsAtMonotonic = endsAt.map { moment($0.rawValue) }
        return clocked
    }
}
