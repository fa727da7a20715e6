/// A message of a piece to front ends that draw, under one of the topics that it declares.
public struct Announcement: Encodable, Equatable, Sendable {
    public let body: any AnnouncementBody

    public init(_ body: any AnnouncementBody) { self.body = body }

    public var topic: String { body.topic }

    public func encode(to encoder: any Encoder) throws { try body.encode(to: encoder) }

    public static func == (a: Announcement, b: Announcement) -> Bool { a.body.isEqual(to: b.body) }
}

/// The content of an announcement: an object in JSON.
public protocol AnnouncementBody: Encodable, Equatable, Sendable {
    /// The topic, which is the same for all values of a type.
    var topic: String { get }
}

extension AnnouncementBody {
    fileprivate func isEqual(to other: any AnnouncementBody) -> Bool { other as? Self == self }
}

/// A value that names a moment of its run in seconds since the run's start, and can also name it by the machine's clock.
public protocol Clocked: Sendable {
    /// Returns the value with its moments also given by the machine's clock. `moment` converts seconds of the run to CLOCK_MONOTONIC in
    /// nanoseconds.
    func clocked(_ moment: (Double) -> Int64) -> Self
}

extension Announcement {
    /// Returns the announcement with its moments also given by the machine's clock. `moment` converts seconds of the run to CLOCK_MONOTONIC
    /// in nanoseconds.
    public func clocked(_ moment: (Double) -> Int64) -> Announcement {
        guard let body = body as? any AnnouncementBody & Clocked else { return self }
        return Announcement(body.clocked(moment))
    }
}
