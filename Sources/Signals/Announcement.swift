/// A message from a piece to the front ends that draw it, under one of the topics that the piece declares.
public struct Announcement: Encodable, Equatable, Sendable {
    public let body: any AnnouncementBody

    public init(_ body: any AnnouncementBody) { self.body = body }

    public var topic: String { body.topic }

    public func encode(to encoder: any Encoder) throws { try body.encode(to: encoder) }

    public static func == (a: Announcement, b: Announcement) -> Bool { a.body.isEqual(to: b.body) }
}

/// The content of an announcement, which is written as a JSON object.
public protocol AnnouncementBody: Encodable, Equatable, Sendable {
    /// The topic, which is the same for all values of a type.
    var topic: String { get }
}

extension AnnouncementBody {
    fileprivate func isEqual(to other: any AnnouncementBody) -> Bool { other as? Self == self }
}

/// A value that names moments in seconds since the start of its run, and can name the same moments by the machine's clock too.
public protocol Clocked: Sendable {
    /// Returns the value with each of its moments also given by the machine's clock. `moment` converts seconds since the run's start to
    /// CLOCK_MONOTONIC in nanoseconds.
    func clocked(_ moment: (Double) -> Int64) -> Self
}

extension Announcement {
    /// Returns the announcement with each of its moments also given by the machine's clock. `moment` converts seconds since the run's start
    /// to CLOCK_MONOTONIC in nanoseconds.
    public func clocked(_ moment: (Double) -> Int64) -> Announcement {
        guard let body = body as? any AnnouncementBody & Clocked else { return self }
        return Announcement(body.clocked(moment))
    }
}
