import Offline

/// Where exports of clients have come to in journals, so that a part does not begin to read its journal from the beginning. The oldest are
/// forgotten first; a part without one is the same, and takes longer. Thread: the event loop.
struct TelemetryBookmarks {
    /// Of all clients, and of one: each has a run, which takes some 10 to 100 KiB.
    static let limit = 16, share = 4

    /// From the one that was left longest ago on.
    private var left: [(client: Int, bookmark: TelemetryBookmark)] = []

    func of(_ client: Int) -> [TelemetryBookmark] { left.filter { $0.client == client }.map(\.bookmark) }

    /// In place of the one that `client` left in the same journal for the same table. Nil changes nothing.
    mutating func leave(_ bookmark: TelemetryBookmark?, by client: Int) {
        guard let bookmark else { return }
        left.removeAll { $0.client == client && $0.bookmark.isBeside(bookmark) }
        left.append((client, bookmark))
        if left.count(where: { $0.client == client }) > Self.share, let first = left.firstIndex(where: { $0.client == client }) {
            left.remove(at: first)
        }
        if left.count > Self.limit { left.removeFirst() }
    }

    mutating func forget(_ client: Int) { left.removeAll { $0.client == client } }
}
