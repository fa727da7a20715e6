import Signals

/// A visitor has come or gone.
public struct SessionAnnouncement: AnnouncementBody {
    public enum Phase: String, Encodable, Sendable { case began, ended }

    public var topic: String { "session" }
    public var phase: Phase
    /// What it came to, once it has ended; nil for an experience that counts nothing.
    public var record: Announcement?

    public init(_ phase: Phase, record: Announcement? = nil) {
        self.phase = phase
        self.record = record
    }

    private enum CodingKeys: CodingKey { case phase, record }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(phase, forKey: .phase)
        try container.encodeIfPresent(record, forKey: .record)
    }
}
