import Experience
import Fields
import JournalFile
import SystemPackage

/// The rows of a piece's table that have not been sent yet. The journals are the outbox; a position in them, which somebody keeps, says up
/// to where they have been sent. Nothing is taken out of them, so a batch that was not marked as sent is there again.
public struct TelemetryOutbox: Sendable {
    public typealias Position = TelemetryExport.Cursor

    /// The next rows, with their sessions' names, so that a receiver can tell rows that it has.
    public struct Batch: Sendable {
        /// The text: whole lines, with the heading where the format has one.
        public var text: String
        public var rows: Int
        public var notes: [String]
        /// The position after these rows; nil while there is no journal.
        public var position: Position?
        /// Whether there was nothing more.
        public var isLast: Bool
        /// The bookmark from which the next batch reads; nil where it begins with a journal.
        public var bookmark: TelemetryBookmark?
        /// The bytes of journals that were read to make this batch.
        public var bytesRead: Int64 = 0
    }

    private let text: TelemetryText
    private let folder: SessionFolder
    private let piece: any Experience.Type

    /// Prepares batches. `table` has a topic: the record of a session is not final while the session lasts.
    public init(_ table: TelemetryTable, as format: TelemetryText.Format, in folder: SessionFolder, _ piece: any Experience.Type) {
        text = TelemetryText(format, table, namesSessions: true)
        self.folder = folder
        self.piece = piece
    }

    /// Returns the next rows after `position`. Rows that the end of a session under way may still change come after that end. `position` is
    /// nil for the beginning; one whose journal has been removed stands before the next journal. `bookmarks` are those that earlier batches
    /// have left: with them there is less to read. Throws `Fault` and `Errno`.
    public func batch(after position: Position?, limit: Int, at bookmarks: [TelemetryBookmark] = []) throws -> Batch {
        let journals = try (position.map { try folder.sessions(from: $0.session) } ?? folder.sessions()).map(\.path)
        guard let first = journals.first?.stem else {
            return Batch(text: text.heading, rows: 0, notes: [], position: position, isLast: true)
        }
        let start = position.flatMap { $0.session == first ? $0 : nil } ?? Position(session: first, row: 0)
        let part = try TelemetryExport(text, of: journals, piece, isForGood: true).part(from: start, limit: limit, at: bookmarks)
        return Batch(text: text.heading + part.text, rows: part.rows, notes: part.notes, position: part.end, isLast: part.next == nil,
                     bookmark: part.bookmark, bytesRead: part.bytesRead)
    }

    /// Checks a position. Throws `Fault` for the field `position` unless a batch can have ended there.
    public func check(_ position: Position) throws {
        guard try folder.sessions().contains(where: { $0.path.stem == position.session }) else {
            throw Fault(field: "position", expected: "one that telemetry.unsent has told, while its session is there",
                        found: "\"\(position.text)\"")
        }
    }

    /// Whether `position` goes beyond `former`; nil stands for the beginning.
    public func isBeyond(_ position: Position, _ former: Position?) throws -> Bool {
        guard let former else { return true }
        guard position.session != former.session else { return position.row > former.row }
        return try folder.sessions(from: former.session).contains { $0.path.stem == position.session }
    }
}
