import Signals

/// What whoever draws may be shown of a piece without living through it.
public struct Rehearsal: Sendable {
    /// One of the piece's announcements as it might be, with a content that can be drawn.
    public struct Scene: Sendable {
        /// Lower-case letters, digits and hyphens; no two of a topic have the same.
        public let name: String
        /// Its moments count from when it is shown.
        public let announcement: Announcement

        public var topic: String { announcement.topic }

        public init(_ name: String, _ body: any AnnouncementBody) {
            self.name = name
            announcement = Announcement(body)
        }
    }

    /// The query whose answer says how the piece really is; without parameters.
    public let query: String
    private let makeScenes: @Sendable () -> [Scene]
    private let put: @Sendable (any Encodable & Sendable) -> (any AnnouncementBody)?

    /// `correction` puts right what was shown: what is announced with the answer to `query`; nil for no answer of that kind. `scenes` are
    /// made when they are wanted, because programs that rehearse nothing would wait for them.
    public init(query: String, correction: @escaping @Sendable (any Encodable & Sendable) -> (any AnnouncementBody)?,
                scenes: @escaping @Sendable () -> [Scene]) {
        self.query = query
        put = correction
        makeScenes = scenes
    }

    /// Every topic of the piece, each in all its kinds, in the order in which they are shown.
    public var scenes: [Scene] { makeScenes() }

    public func correction(by answer: any Encodable & Sendable) -> Announcement? { put(answer).map { Announcement($0) } }
}
