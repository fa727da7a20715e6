/// The answer to `session.status`.
public struct SessionAnswer: Codable, Equatable, Sendable {
    /// Nil between visitors.
    public var session: StatusReport.Session?

    public init(session: StatusReport.Session?) { self.session = session }
}

/// The answer to `session.list`.
public struct SessionList: Codable, Equatable, Sendable {
    public struct Session: Codable, Equatable, Sendable {
        public var journal: String
        public var bytes: Int64
        /// When it was last written to, seconds since 1970-01-01 in UTC.
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
    /// Where journals are kept.
    public var folder: String
    /// Of the session under way; nil while there is no such file.
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
        /// Set by another program.
        public var isMuted: Bool
        /// Set by other programs, in dB: 0 changes nothing, −120 is silence.
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

    /// In the order in which they are shown.
    public var scenes: [Scene]

    public init(scenes: [Scene]) { self.scenes = scenes }
}

/// The answer to `token.add`: all that is ever told of the token itself.
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
    /// Whole lines; the first part has the heading, where the format has one.
    public var text: String
    public var rows: Int
    /// Of journals that were cut off, changed or left out.
    public var notes: [String]
    /// How much of all has been told, 0…1.
    public var progress: Double
    /// With which the next part is asked for; nil in the last one.
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
    /// Whole lines, with the heading where the format has one. Each row begins with its session's name.
    public var text: String
    public var rows: Int
    /// Of journals that were cut off, changed or left out.
    public var notes: [String]
    /// Up to where the table has been sent; nil for nothing.
    public var since: String?
    /// Up to where it has been sent when these rows are: for `telemetry.sent`. Nil while there is no journal.
    public var position: String?
    /// Whether there was nothing more.
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
