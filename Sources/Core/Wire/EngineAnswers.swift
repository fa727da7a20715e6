/// The answer to `session.status`.
public struct SessionAnswer: Codable, Equatable, Sendable {
    /// The session under way; nil between visitors.
    public var session: StatusReport.Session?

    public init(session: StatusReport.Session?) { self.session = session }
}

/// The answer to `session.list`.
public struct SessionList: Codable, Equatable, Sendable {
    public struct Session: Codable, Equatable, Sendable {
        public var journal: String
        public var bytes: Int64
        /// When the journal was last written to, in seconds since 1970-01-01 in UTC.
        public var modified: Int

        public init(journal: String, bytes: Int64, modified: Int) {
            self.journal = journal
            self.bytes = bytes
            self.modified = modified
        }
    }

    public var sessions: [Session]

    public init(sessions: [Session]) { self.sessions = sessions }
}

/// The answer to `journal.path`.
public struct JournalAnswer: Codable, Equatable, Sendable {
    /// The folder in which journals are kept.
    public var folder: String
    /// The journal of the session under way, as a path; nil while there is no such file.
    public var journal: String?

    public init(folder: String, journal: String?) {
        self.folder = folder
        self.journal = journal
    }
}

/// The answer to `output.sinks`.
public struct SinkList: Codable, Equatable, Sendable {
    public struct Sink: Codable, Equatable, Sendable {
        public var name: String
        public var description: String
        public var channels: Int
        /// Hz.
        public var sampleRate: Int
        public var isDefault: Bool
        /// Whether another program has muted the sink.
        public var isMuted: Bool
        /// The gain that other programs have set, in dB: 0 changes nothing, −120 is silence.
        public var volume: Double

        public init(name: String, description: String, channels: Int, sampleRate: Int, isDefault: Bool, isMuted: Bool, volume: Double) {
            self.name = name
            self.description = description
            self.channels = channels
            self.sampleRate = sampleRate
            self.isDefault = isDefault
            self.isMuted = isMuted
            self.volume = volume
        }
    }

    public var sinks: [Sink]

    public init(sinks: [Sink]) { self.sinks = sinks }
}

/// The answer to `chime.list`, `haptic.list`, `theme.list` and `preset.list`.
public struct NameList: Codable, Equatable, Sendable {
    public var names: [String]

    public init(names: some Sequence<String>) { self.names = names.sorted() }
}

/// The answer to `rehearsal.list`.
public struct RehearsalList: Codable, Equatable, Sendable {
    public struct Scene: Codable, Equatable, Sendable {
        public var topic: String
        public var name: String

        public init(topic: String, name: String) {
            self.topic = topic
            self.name = name
        }
    }

    /// The scenes in the order in which they are shown.
    public var scenes: [Scene]

    public init(scenes: [Scene]) { self.scenes = scenes }
}

/// The answer to `token.add`. The token itself is in no other answer.
public struct NewToken: Codable, Equatable, Sendable {
    public var name: String
    public var role: Role
    public var token: String

    public init(name: String, role: Role, token: String) {
        self.name = name
        self.role = role
        self.token = token
    }
}

/// The answer to `token.invite`.
public struct Invitation: Codable, Equatable, Sendable {
    public var name: String
    public var role: Role
    public var code: String
    /// How long the code is good, in seconds.
    public var seconds: Int
    /// The console's address; nil where no pages are served.
    public var address: String?

    public init(name: String, role: Role, code: String, seconds: Int, address: String?) {
        self.name = name
        self.role = role
        self.code = code
        self.seconds = seconds
        self.address = address
    }
}

/// The answer to `token.list`.
public struct TokenList: Codable, Equatable, Sendable {
    public struct Token: Codable, Equatable, Sendable {
        public var name: String
        public var role: Role
        /// Seconds since 1970-01-01 in UTC.
        public var created: Int

        public init(name: String, role: Role, created: Int) {
            self.name = name
            self.role = role
            self.created = created
        }
    }

    public var tokens: [Token]

    public init(tokens: [Token]) { self.tokens = tokens }
}

/// The answer to `telemetry.export`: a part of the table.
public struct TelemetryPart: Codable, Equatable, Sendable {
    /// The part's rows as whole lines. The first part has the heading, where the format has one.
    public var text: String
    public var rows: Int
    /// Remarks on journals that were cut off, changed or left out.
    public var notes: [String]
    /// The share of the table that has been handed out, 0 to 1.
    public var progress: Double
    /// The cursor with which the next part is asked for; nil in the last part.
    public var cursor: String?

    public init(text: String, rows: Int, notes: [String], progress: Double, cursor: String?) {
        self.text = text
        self.rows = rows
        self.notes = notes
        self.progress = progress
        self.cursor = cursor
    }
}

/// The answer to `telemetry.unsent`: rows that nobody has marked as sent.
public struct TelemetryBatch: Codable, Equatable, Sendable {
    /// The rows as whole lines, with the heading where the format has one. Each row begins with its session's name.
    public var text: String
    public var rows: Int
    /// Remarks on journals that were cut off, changed or left out.
    public var notes: [String]
    /// The position up to which rows were marked as sent before; nil when none were.
    public var since: String?
    /// The position after these rows, which `telemetry.sent` marks as sent. Nil while there is no journal.
    public var position: String?
    /// Whether these rows are the last ones.
    public var isLast: Bool

    public init(text: String, rows: Int, notes: [String], since: String?, position: String?, isLast: Bool) {
        self.text = text
        self.rows = rows
        self.notes = notes
        self.since = since
        self.position = position
        self.isLast = isLast
    }
}

/// The answer to `client.list`.
public struct ConnectedClients: Codable, Equatable, Sendable {
    public struct Client: Codable, Equatable, Sendable {
        /// The client's number, as in the journal's events.
        public var client: Int
        /// The name that the client gave in `hello`; nil when it gave none.
        public var name: String?
        public var role: Role
        /// Whether the client runs on this machine.
        public var isLocal: Bool
        /// The number of its requests without an id that were refused. Such requests get no answer.
        public var refused: UInt64
        /// The reason for the last of these refusals; nil where there was none.
        public var lastRefusal: String?

        public init(client: Int, name: String?, role: Role, isLocal: Bool, refused: UInt64 = 0, lastRefusal: String? = nil) {
            self.client = client
            self.name = name
            self.role = role
            self.isLocal = isLocal
            self.refused = refused
            self.lastRefusal = lastRefusal
        }
    }

    /// The clients in the order of their numbers.
    public var clients: [Client]

    public init(clients: [Client]) { self.clients = clients }
}

/// How severe a log record is, from the least.
public enum LogLevel: String, CaseIterable, Codable, Comparable, Sendable {
    case trace, debug, info, notice, warning, error, critical

    public static func < (a: LogLevel, b: LogLevel) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

/// A record of the daemon's log.
public struct LogRecord: Codable, Equatable, Sendable {
    /// Counts the records in the order in which they were logged, from 1.
    public var number: Int
    /// Seconds since 1970-01-01 in UTC.
    public var time: Double
    public var level: LogLevel
    public var message: String
    public var metadata: [String: String]

    public init(number: Int, time: Double, level: LogLevel, message: String, metadata: [String: String]) {
        self.number = number
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}

/// The answer to `log.list`.
public struct LogAnswer: Codable, Equatable, Sendable {
    /// The records, the oldest first.
    public var records: [LogRecord]

    public init(records: [LogRecord]) { self.records = records }
}
