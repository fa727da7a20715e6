/// What a piece tells whoever draws, under one of the topics that it declares.
public struct Announcement: Encodable, Equatable, Sendable {
    public let body: any AnnouncementBody

    public init(_ body: any AnnouncementBody) { self.body = body }

    public var topic: String { body.topic }

    public func encode(to encoder: any Encoder) throws { try body.encode(to: encoder) }

    public static func == (a: Announcement, b: Announcement) -> Bool { a.body.isEqual(to: b.body) }
}

/// What an announcement says: an object in JSON.
public protocol AnnouncementBody: Encodable, Equatable, Sendable {
    /// The same for all of a type.
    var topic: String { get }
}

extension AnnouncementBody {
    fileprivate func isEqual(to other: any AnnouncementBody) -> Bool { other as? Self == self }
}
