import Experience
import Fields
import JournalFile
import Offline
import SystemPackage
import Wire

private let tableAbout = "the name of a table that the piece declares; its first by default"

/// A request for telemetry: for which sessions, which table, and from which row.
struct TelemetryRequest: Sendable {
    private enum Sessions {
        case newest
        case named(String)
        /// The sessions on these days in UTC, in the form 2026-01-31; nil means no limit.
        case days(from: String?, to: String?)
    }

    private let sessions: Sessions
    private let format: TelemetryText.Format
    private let table: String?
    private let isOfSessions: Bool
    private let namesSessions: Bool
    private let cursor: TelemetryExport.Cursor?
    private let limit: Int

    private static let newest = "newest"
    private static let usualLimit = 1000

    /// Reads a request's parameters. Throws `Fault`.
    init(_ fields: Fields) throws {
        let session = try fields.textIfPresent("session", about: "newest, or the name of a journal without .jsonl; newest by default")
        let since = try fields.textIfPresent("since", limit: 10, about: "all sessions from this day on, in UTC, as 2026-01-31")
        let until = try fields.textIfPresent("until", limit: 10, about: "all sessions up to and with this day")
        format = try fields.choiceIfPresent("format", about: "csv by default; jsonl is JSON Lines") ?? .csv
        table = try fields.textIfPresent("table", limit: 40, about: tableAbout)
        isOfSessions = try fields.flagIfPresent("sessions", about: "true: a row for each session as a whole") ?? false
        namesSessions = try fields.flagIfPresent("name", about: "true: each row begins with its session's name, and does not end with it")
            ?? false
        let cursor = try fields.textIfPresent("cursor", limit: 300, about: "of the last answer; from the beginning by default")
        limit = try fields.integerIfPresent("limit", in: TelemetryExport.limits, unit: "rows", about: "of the answer; 1000 by default")
            ?? Self.usualLimit
        self.cursor = try cursor.map { text in
            guard let cursor = TelemetryExport.Cursor(text) else {
                throw fields.fault("cursor", "the cursor of an answer", found: "\"\(text)\"")
            }
            return cursor
        }
        for (name, day) in [("since", since), ("until", until)] {
            guard let day else { continue }
            guard session == nil else { throw fields.fault(name, "no days beside a session", found: "\"\(day)\"") }
            guard day.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil else {
                throw fields.fault(name, "a day as 2026-01-31", found: "\"\(day)\"")
            }
        }
        sessions = switch session {
        case nil where since != nil || until != nil: .days(from: since, to: until)
        case nil, Self.newest?: .newest
        case let name?: .named(name)
        }
    }

    /// Returns the requested part of telemetry. Reads journals, which takes a while. Begins at one of `bookmarks`, the positions at which
    /// earlier parts have stopped, if one fits. Thread: one that may wait.
    func part(_ settings: LiveSettings, at bookmarks: [TelemetryBookmark]) throws(ErrorReply) -> TelemetryExport.Part {
        let piece = settings.piece.declaration
        let table = try piece.table(named: self.table, ofSessions: isOfSessions)
        let text = TelemetryText(format, table, namesSessions: namesSessions)
        let export = TelemetryExport(text, of: try journals(in: settings.sessions), settings.piece)
        do throws(Fault) {
            return try export.part(from: cursor, limit: limit, at: bookmarks)
        } catch {
            throw ErrorReply(.invalidParams, fault: error)
        }
    }

    private func journals(in folder: String) throws(ErrorReply) -> [FilePath] {
        let all: [FilePath]
        do {
            all = try SessionFolder(FilePath(folder)).sessions().map(\.path)
        } catch {
            throw ErrorReply(.refused(.unavailable), "\(folder): \(error)")
        }
        switch sessions {
        case .newest:
            // The session that was the newest when the export began may no longer be the newest.
            let chosen = cursor.map { cursor in all.filter { $0.stem == cursor.session } } ?? all.suffix(1)
            guard !chosen.isEmpty else { throw ErrorReply(.refused(.notNow), "there is no session yet") }
            return Array(chosen)
        case .named(let name):
            guard let found = all.first(where: { $0.stem == name }) else {
                let expected = "\(Self.newest), or the name of a journal of session.list without .jsonl"
                throw ErrorReply(.invalidParams, fault: Fault(field: "session", expected: expected, found: "\"\(name)\""))
            }
            return [found]
        case .days(let from, let to):
            return all.filter { journal in
                let day = (journal.stem ?? "").prefix(10)
                return from.map { $0 <= day } ?? true && to.map { day <= $0 } ?? true
            }
        }
    }
}

extension TelemetryPart {
    init(_ part: TelemetryExport.Part) {
        self.init(text: part.text, rows: part.rows, notes: part.notes, progress: part.progress, cursor: part.next?.text)
    }
}

/// A request about the unsent rows of a table.
struct OutboxRequest: Sendable {
    private let table: String?

    /// Reads a request's parameters. Throws `Fault`.
    init(_ fields: Fields) throws { table = try fields.textIfPresent("table", limit: 40, about: tableAbout) }

    func outbox(_ settings: LiveSettings, as format: TelemetryText.Format) throws(ErrorReply) -> TelemetryOutbox {
        TelemetryOutbox(try settings.piece.declaration.table(named: table, ofSessions: false), as: format,
                        in: SessionFolder(FilePath(settings.sessions)), settings.piece)
    }

    /// Returns the name of the cursor that stores how far the table has been sent.
    func cursor(_ settings: LiveSettings) throws(ErrorReply) -> String {
        let piece = settings.piece.declaration
        return piece.cursor(of: try piece.table(named: table, ofSessions: false))
    }
}

extension Declaration {
    /// The names of the cursors of all tables that can be sent.
    var cursors: [String] { telemetry.filter { $0.topic != nil }.map { cursor(of: $0) } }

    fileprivate func cursor(of table: TelemetryTable) -> String { "telemetry \(name) \(table.name)" }

    fileprivate func table(named name: String?, ofSessions isOfSessions: Bool) throws(ErrorReply) -> TelemetryTable {
        let tables = telemetry.filter { ($0.topic == nil) == isOfSessions }
        guard let first = tables.first else { throw ErrorReply(.refused(.notHere), "the experience \(self.name) has no such telemetry") }
        guard let name else { return first }
        guard let table = tables.first(where: { $0.name == name }) else {
            let expected = "one of " + tables.map(\.name).joined(separator: ", ")
            throw ErrorReply(.invalidParams, fault: Fault(field: "table", expected: expected, found: "\"\(name)\""))
        }
        return table
    }
}
