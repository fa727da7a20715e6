import Fields

/// The data of one journal line in the form in which the hub stores it. Its key consists of its station, its journal and its line.
public struct JournalRow: Equatable, Encodable, Sendable {
    /// The number of the journal's line, from 1.
    public let line: Int
    /// The frame of the session, counted at the session's own rate.
    public let frame: Int
    /// The instant in microseconds since 1970-01-01 in UTC, one of `instants`. It is computed from the journal alone.
    public let instant: Int
    /// The name of an event, or one of the names in `JournalRows`.
    public let event: String
    public let fields: [String: JSONValue]

    /// The range of instants that have a date of four digits, in microseconds.
    public static let instants = 0...253_402_300_799_999_999
    static let lines = 1...(1 << 53)

    /// The number of the day in UTC, from 0 for 1970-01-01.
    var day: Int { instant / 86_400_000_000 }
    private static let frames = 0...(1 << 53)

    public init(line: Int, frame: Int, instant: Int, event: String, fields: [String: JSONValue] = [:]) {
        (self.line, self.frame, self.instant, self.event, self.fields) = (line, frame, instant, event, fields)
    }

    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["line", "frame", "at", "event", "fields"])
        line = try fields.integer("line", in: Self.lines)
        frame = try fields.integer("frame", in: Self.frames)
        instant = try fields.integer("at", in: Self.instants, unit: "µs since 1970")
        event = try FleetPayload.text(fields, "event")
        guard case .object(let members) = try fields.nested(JSONValue.self, "fields", expected: "an object") else {
            throw fields.fault("fields", "an object")
        }
        guard JSONValue.object(members).withoutNUL == .object(members) else { throw fields.fault("fields", "text without NUL") }
        self.fields = members
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(line, forKey: .init("line"))
        try container.encode(frame, forKey: .init("frame"))
        try container.encode(instant, forKey: .init("at"))
        try container.encode(event, forKey: .init("event"))
        try container.encode(fields, forKey: .init("fields"))
    }
}

extension JSONValue {
    /// The value with U+FFFD in place of each NUL character in its texts and names, because PostgreSQL cannot store NUL in a text.
    var withoutNUL: JSONValue {
        switch self {
        case .text(let text): .text(text.withoutNUL)
        case .list(let list): .list(list.map(\.withoutNUL))
        case .object(let members):
            .object(Dictionary(members.map { ($0.key.withoutNUL, $0.value.withoutNUL) }, uniquingKeysWith: { first, _ in first }))
        case .null, .flag, .integer, .number: self
        }
    }
}

extension String {
    var withoutNUL: String {
        guard utf8.contains(0) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }
}

/// The rows that a station sends at a time: the next lines of one or more journals.
public struct RowBatch: Equatable, Encodable, Sendable {
    /// The rows of a journal's lines from `after` + 1 to `through`. Some of these lines make no row, so a part may even have no rows.
    public struct Part: Equatable, Encodable, Sendable {
        /// The journal's name in the fleet (`JournalRows.journal`).
        public let journal: String
        /// The last line that the hub has committed, as far as the station knows; 0 where it has committed none.
        public let after: Int
        public let through: Int
        public let rows: [JournalRow]

        public init(journal: String, after: Int, through: Int, rows: [JournalRow]) {
            (self.journal, self.after, self.through, self.rows) = (journal, after, through, rows)
        }

        init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["journal", "after", "through", "rows"])
            journal = try FleetPayload.text(fields, "journal")
            after = try fields.integer("after", in: 0...JournalRow.lines.upperBound)
            through = try fields.integer("through", in: after...JournalRow.lines.upperBound)
            var rows: [JournalRow] = []
            var list = try fields.objectsIfPresent("rows", expected: "a list of rows")
            while let row = try list?.next() {
                let read = try JournalRow(row)
                let first = (rows.last?.line ?? after) + 1
                guard read.line >= first, read.line <= through else {
                    throw row.fault("line", "\(first) to \(through), in order", found: "\(read.line)")
                }
                rows.append(read)
            }
            self.rows = rows
        }
    }

    /// The number of the station's connection. `number` counts the batches since the station's start. The hub's answer repeats both.
    public let connection: Int
    public let number: Int
    public let parts: [Part]

    public init(connection: Int, number: Int, parts: [Part]) {
        (self.connection, self.number, self.parts) = (connection, number, parts)
    }

    /// Reads a payload. Throws `Fault`, also for a payload that is larger than `BatchRoom` allows.
    public init(_ payload: [UInt8]) throws(Fault) {
        guard payload.count <= BatchRoom.largestPayload else {
            throw Fault(field: "", expected: "at most \(BatchRoom.largestPayload) bytes", found: "\(payload.count)")
        }
        self = try FleetPayload.read(payload) { fields in
            try fields.refuseAll(but: ["bdSeq", "batch", "parts"])
            var parts: [Part] = []
            var list = try fields.objectsIfPresent("parts", expected: "a list of parts")
            while let part = try list?.next() { parts.append(try Part(part)) }
            let rows = parts.flatMap(\.rows)
            let days = Set(rows.map(\.day)).count
            guard parts.count <= BatchRoom.mostParts, rows.count <= BatchRoom.mostRows, days <= BatchRoom.mostDays else {
                let expected = "at most \(BatchRoom.mostParts) parts, \(BatchRoom.mostRows) rows, \(BatchRoom.mostDays) days"
                throw fields.fault("parts", expected, found: "\(parts.count), \(rows.count), \(days)")
            }
            return RowBatch(connection: try fields.integer("bdSeq", in: StationState.connections),
                            number: try fields.integer("batch", in: JournalRow.lines), parts: parts)
        }
    }

    public var payload: [UInt8] { FleetPayload.bytes(of: self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(connection, forKey: .init("bdSeq"))
        try container.encode(number, forKey: .init("batch"))
        try container.encode(parts, forKey: .init("parts"))
    }
}

/// A hub's answer to a batch, which it sends after the commit: the lines up to which it has committed the batch's journals.
public struct Committed: Equatable, Encodable, Sendable {
    /// The number of the connection in the batch that this answers; `number` is the batch's number.
    public let connection: Int
    public let number: Int
    /// The last line up to which all lines are committed, for each journal of the batch; 0 where none is.
    public let lines: [String: Int]

    public init(connection: Int, number: Int, lines: [String: Int]) {
        (self.connection, self.number, self.lines) = (connection, number, lines)
    }

    /// Reads a payload. Throws `Fault`.
    public init(_ payload: [UInt8]) throws(Fault) {
        self = try FleetPayload.read(payload) { fields in
            try fields.refuseAll(but: ["bdSeq", "batch", "journals"])
            let journals = try fields.object("journals")
            var lines: [String: Int] = [:]
            for journal in try journals.others(than: []).keys {
                lines[journal] = try journals.integer(journal, in: 0...JournalRow.lines.upperBound)
            }
            return Committed(connection: try fields.integer("bdSeq", in: StationState.connections),
                             number: try fields.integer("batch", in: JournalRow.lines), lines: lines)
        }
    }

    public var payload: [UInt8] { FleetPayload.bytes(of: self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(connection, forKey: .init("bdSeq"))
        try container.encode(number, forKey: .init("batch"))
        try container.encode(lines, forKey: .init("journals"))
    }
}
