import Signals
import Units

/// A visitor has come or gone, or is about to be taken for gone.
public struct SessionAnnouncement: AnnouncementBody {
    public enum Phase: Equatable, Sendable {
        case began
        /// Nothing has happened for long: the visit ends in so much time, unless something does.
        case leaving(endsIn: Seconds)
        /// Something has happened after all.
        case stayed
        case ended

        var name: String {
            switch self {
            case .began: "began"
            case .leaving: "leaving"
            case .stayed: "stayed"
            case .ended: "ended"
            }
        }
    }

    public var topic: String { "session" }
    public var phase: Phase
    /// The run's record, with `ended`; nil for a piece without one.
    public var record: Announcement?

    public init(_ phase: Phase, record: Announcement? = nil) {
        self.phase = phase
        self.record = record
    }

    private enum CodingKeys: CodingKey { case phase, endsIn, record }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(phase.name, forKey: .phase)
        if case .leaving(let endsIn) = phase { try container.encode(endsIn.rawValue, forKey: .endsIn) }
        try container.encodeIfPresent(record, forKey: .record)
    }
}
