import Fields

/// A station's report on itself and on the `thrumd` beside it, which the broker retains. Everything in it is bounded: its payload has at
/// most `largestPayload` bytes.
public struct StationReport: Equatable, Encodable, Sendable {
    /// The size, in bytes, of the largest payload that a station sends and a hub accepts.
    public static let largestPayload = 1 << 16
    /// The largest number of issues in a report. If there are more, the last text says how many are missing.
    public static let mostIssues = 16
    /// The largest number of characters in a text; a longer text is cut off.
    public static let longestText = 200

    /// What `thrumd` says of itself. Counters count since its start.
    public struct Engine: Equatable, Encodable, Sendable {
        public let version: String
        public let piece: String
        public let theme: String
        /// Whether sound comes out: a sound server or a card takes it, and nobody has muted it.
        public let plays: Bool
        /// The time from a touch to its sound, in whole milliseconds.
        public let latency: Int
        public let underruns: Int
        /// The number of changes that came after their frame had been heard.
        public let lateRewrites: Int
        /// The number of journal entries that were lost, because they could be written to no file.
        public let lostEntries: Int
        /// What is not as it should be, in words for people.
        public let issues: [String]

        /// Creates the part about a `thrumd`. Texts and numbers that are too large for a report are cut to its limits.
        public init(version: String, piece: String, theme: String, plays: Bool, latency: Double, underruns: UInt64, lateRewrites: UInt64,
                    lostEntries: UInt64, issues: [String]) {
            self.version = StationReport.cut(version)
            self.piece = StationReport.cut(piece)
            self.theme = StationReport.cut(theme)
            self.plays = plays
            let milliseconds = latency.isFinite ? latency.rounded() : 0
            self.latency = Int(min(max(milliseconds, 0), Double(Self.latencies.upperBound)))
            self.underruns = Self.count(underruns)
            self.lateRewrites = Self.count(lateRewrites)
            self.lostEntries = Self.count(lostEntries)
            let shortened = issues.map { StationReport.cut($0) }
            let more = shortened.count - StationReport.mostIssues
            self.issues = more <= 0 ? shortened : shortened.prefix(StationReport.mostIssues - 1) + ["and \(more + 1) more"]
        }

        private static let latencies = 0...3_600_000
        private static let counts = 0...(1 << 53)

        private static func count(_ value: UInt64) -> Int { Int(min(value, UInt64(counts.upperBound))) }

        fileprivate init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["version", "piece", "theme", "plays", "latency", "underruns", "lateRewrites", "lostEntries",
                                       "issues"])
            version = try StationReport.text(fields, "version")
            piece = try StationReport.text(fields, "piece")
            theme = try StationReport.text(fields, "theme")
            plays = try fields.flag("plays")
            latency = try fields.integer("latency", in: Self.latencies, unit: "ms")
            underruns = try fields.integer("underruns", in: Self.counts)
            lateRewrites = try fields.integer("lateRewrites", in: Self.counts)
            lostEntries = try fields.integer("lostEntries", in: Self.counts)
            guard let issues = fields.list("issues", of: String.self), issues.count <= StationReport.mostIssues,
                  issues.allSatisfy({ StationReport.isText($0) }) else {
                throw fields.fault("issues", "a list of at most \(StationReport.mostIssues) texts of 1 to \(StationReport.longestText) "
                    + "characters without NUL")
            }
            self.issues = issues
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Fields.Key.self)
            try container.encode(version, forKey: .init("version"))
            try container.encode(piece, forKey: .init("piece"))
            try container.encode(theme, forKey: .init("theme"))
            try container.encode(plays, forKey: .init("plays"))
            try container.encode(latency, forKey: .init("latency"))
            try container.encode(underruns, forKey: .init("underruns"))
            try container.encode(lateRewrites, forKey: .init("lateRewrites"))
            try container.encode(lostEntries, forKey: .init("lostEntries"))
            try container.encode(issues, forKey: .init("issues"))
        }
    }

    /// What a station knows of the `thrumd` beside it.
    public enum Daemon: Equatable, Sendable {
        /// The station is set to ask no `thrumd`.
        case none
        case there(Engine)
        /// The `thrumd` does not answer. The value is the reason, in words for people.
        case silent(String)
    }

    /// The instant of the report by the station's own clock, in microseconds since 1970-01-01 in UTC, one of `JournalRow.instants`.
    public let instant: Int
    /// The number of finished journals of which something is still to be sent or to be committed.
    public let journals: Int
    /// The number of rows that were sent and whose commit no hub has reported yet.
    public let rows: Int
    public let daemon: Daemon

    private static let journalCounts = 0...(1 << 53)

    public init(instant: Int, journals: Int, rows: Int, daemon: Daemon) {
        self.instant = min(max(instant, JournalRow.instants.lowerBound), JournalRow.instants.upperBound)
        (self.journals, self.rows) = (journals, rows)
        self.daemon = if case .silent(let reason) = daemon { .silent(Self.cut(reason)) } else { daemon }
    }

    /// Reads a payload. Throws `Fault`.
    public init(_ payload: [UInt8]) throws(Fault) {
        guard payload.count <= Self.largestPayload else {
            throw Fault(field: "", expected: "at most \(Self.largestPayload) bytes", found: "\(payload.count)")
        }
        self = try FleetPayload.read(payload) { fields in
            try fields.refuseAll(but: ["at", "journals", "rows", "daemon", "problem"])
            let daemon: Daemon
            if fields.contains("daemon") {
                guard !fields.contains("problem") else { throw fields.fault("problem", "nothing beside daemon") }
                daemon = .there(try Engine(fields.object("daemon")))
            } else if fields.contains("problem") {
                daemon = .silent(try Self.text(fields, "problem"))
            } else {
                daemon = .none
            }
            return StationReport(instant: try fields.integer("at", in: JournalRow.instants, unit: "µs since 1970"),
                                 journals: try fields.integer("journals", in: Self.journalCounts),
                                 rows: try fields.integer("rows", in: 0...BatchRoom.mostRows), daemon: daemon)
        }
    }

    public var payload: [UInt8] { FleetPayload.bytes(of: self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(instant, forKey: .init("at"))
        try container.encode(journals, forKey: .init("journals"))
        try container.encode(rows, forKey: .init("rows"))
        switch daemon {
        case .none: break
        case .there(let engine): try container.encode(engine, forKey: .init("daemon"))
        case .silent(let reason): try container.encode(reason, forKey: .init("problem"))
        }
    }

    /// Whether this report says the same as `other`, apart from the instants at which the two were made.
    public func saysTheSame(as other: StationReport) -> Bool { (journals, rows) == (other.journals, other.rows) && daemon == other.daemon }

    /// What is wrong at the station, in words for people; empty when all is well.
    public var issues: [String] {
        switch daemon {
        case .none: []
        case .there(let engine): engine.issues
        case .silent(let reason): [reason]
        }
    }

    /// Returns `text`, cut and changed so that the function `text` accepts it.
    private static func cut(_ text: String) -> String {
        let start = String(String.UnicodeScalarView(text.withoutNUL.unicodeScalars.prefix(longestText)))
        if isText(start) { return start }
        let plain = String(String.UnicodeScalarView(start.unicodeScalars.filter(\.isASCII)))
        return plain.isEmpty ? "?" : plain
    }

    private static func isText(_ text: String) -> Bool { Fields.excess(of: text, limit: longestText) == nil && !text.utf8.contains(0) }

    private static func text(_ fields: Fields, _ name: String) throws -> String {
        let text = try fields.text(name, limit: longestText)
        guard !text.utf8.contains(0) else { throw fields.fault(name, "text without NUL") }
        return text
    }
}
