import Fields

/// The data that a station stores from one start to the next: the number of its last connection, and the position of each journal. If they
/// are lost, the station sends everything again from the beginning; the hub then already has each row.
public struct StationMemory: Equatable, Encodable, Sendable {
    public struct Journal: Equatable, Encodable, Sendable {
        /// The journal's name in the fleet (`JournalRows.journal`).
        public var name: String
        /// The last line of the journal that the hub has committed; 0 where it has committed none.
        public var line: Int
        /// The size of the journal's file in bytes when nothing of it was left to send; nil while something is.
        public var bytes: Int?
        /// Whether a hub has committed a closing with this journal.
        public var isClosed: Bool

        public init(name: String, line: Int = 0, bytes: Int? = nil, isClosed: Bool = false) {
            (self.name, self.line, self.bytes, self.isClosed) = (name, line, bytes, isClosed)
        }

        fileprivate init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["name", "line", "bytes", "closed"])
            name = try FleetPayload.text(fields, "name")
            line = try fields.integer("line", in: 0...JournalRow.lines.upperBound)
            bytes = try fields.integerIfPresent("bytes", in: 0...Int.max)
            isClosed = try fields.flagIfPresent("closed") ?? false
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            try container.encode(name, forKey: .init("name"))
            try container.encode(line, forKey: .init("line"))
            try container.encodeIfPresent(bytes, forKey: .init("bytes"))
            if isClosed { try container.encode(true, forKey: .init("closed")) }
        }
    }

    /// The number of the station's last connection to the broker; 0 before the first.
    public var connection = 0
    /// The positions, by the names of the journals' files without `.jsonl`.
    public var journals: [String: Journal] = [:]

    public init() {}

    /// Reads what `text` has written to the file. Throws `Fault`.
    public init(_ text: [UInt8]) throws(Fault) {
        self = try FleetPayload.read(text) { fields in
            try fields.refuseAll(but: ["bdSeq", "journals"])
            var memory = StationMemory()
            memory.connection = try fields.integer("bdSeq", in: 0...StationState.connections.upperBound)
            let journals = try fields.object("journals")
            for name in try journals.others(than: []).keys { memory.journals[name] = try Journal(journals.object(name)) }
            return memory
        }
    }

    public var text: [UInt8] { FleetPayload.bytes(of: self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(connection, forKey: .init("bdSeq"))
        try container.encode(journals, forKey: .init("journals"))
    }
}
