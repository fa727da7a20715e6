import Publishing
import Signals
import StateStore

/// The documents of the piece, as far as they are kept, and those that have come into force and not reached the run yet. A plain value.
/// Thread: the event loop.
struct DocumentBook {
    var book: Publications
    /// Why nothing can be published, in words; nil where it can.
    let refusal: String?
    /// Versions with a step that is on its way to the disk. None takes another before it is known whether that one counts.
    private var underWay: [DocumentVersion] = []
    /// Versions that are on the disk, in the order in which they came into force.
    private var waiting: [PublishedDocument] = []

    init(_ book: Publications, refusal: String?) {
        self.book = book
        self.refusal = refusal
    }

    func isUnderWay(_ version: DocumentVersion) -> Bool {
        underWay.contains { $0.kind == version.kind && $0.version == version.version }
    }

    mutating func begin(_ versions: [DocumentVersion]) { underWay += versions }
    mutating func end(_ versions: [DocumentVersion]) { underWay.removeAll { versions.contains($0) } }

    /// `version` is on the disk.
    mutating func kept(_ version: DocumentVersion) {
        guard version.state == .published else { return }
        waiting.append(PublishedDocument(kind: version.kind, version: version.version, body: Publications.value(version.body)))
    }

    /// The next one that the run is to go by, which is returned once.
    mutating func next() -> PublishedDocument? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
