import Signals

/// A row of moments in the picture of a session: which announcements of the piece are in it.
public struct HighlightDeclaration: Sendable {
    /// For instance `rare unlocks`.
    public let title: String
    private let read: @Sendable (any AnnouncementBody) -> String?

    /// `label` says in a few words what a moment is, and nil of an announcement that does not belong in this row. A moment without words is
    /// called by its place in the row, counted from 1.
    public init<Body: AnnouncementBody>(_ title: String, _ label: @escaping @Sendable (Body) -> String?) {
        self.title = title
        read = { body in (body as? Body).flatMap(label) }
    }

    public func label(of announcement: Announcement) -> String? { read(announcement.body) }
}
