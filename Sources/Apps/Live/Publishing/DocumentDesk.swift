import Publishing
import Signals
import StateStore

/// The documents of the piece, as far as they are kept, and those that have come into force and not reached the run yet. A plain value.
/// Thread: the event loop.
struct DocumentDesk {
    var book: Publications
    /// Why nothing can be published, in words; nil where it can.
    let refusal: String?
    /// Versions that are on the disk, in the order in which they came into force.
    private var waiting: [PublishedDocument] = []

    init(_ book: Publications, refusal: String?) {
        self.book = book
        self.refusal = refusal
    }

    /// `version` is on the disk.
    mutating func kept(_ version: DocumentVersion) {
        guard version.state == .published else { return }
        waiting.append(PublishedDocument(kind: version.kind, version: version.version, body: Publications.value(version.body)))
    }

    /// The next one that the run is to go by, which is returned once.
    mutating func next() -> PublishedDocument? { waiting.isEmpty ? nil : waiting.removeFirst() }

    var isWaiting: Bool { !waiting.isEmpty }
}
