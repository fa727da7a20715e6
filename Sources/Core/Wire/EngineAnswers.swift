/// The answer to `session.status`.
public struct SessionAnswer: Codable, Equatable, Sendable {
    /// The current session; nil between visitors.
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
        /// Whether the session is still going on.
        public var isRunning: Bool
        /// The name of the session's piece. This field and the four below come from the journal: the theme at the beginning, the time of
        /// the beginning (ISO 8601; only for sessions that were played), the length, and the reason of the end. The first four are nil
        /// where the journal contains no session. `end` is nil also where the session goes on or was cut off.
        public var experience: String?
        public var theme: String?
        public var started: String?
        public var seconds: Double?
        public var end: String?

        public init(journal: String, bytes: Int64, modified: Int, isRunning: Bool = false, experience: String? = nil, theme: String? = nil,
                    started: String? = nil, seconds: Double? = nil, end: String? = nil) {
            self.journal = journal
            self.bytes = bytes
            self.modified = modified
            self.isRunning = isRunning
            self.experience = experience
            self.theme = theme
            self.started = started
            self.seconds = seconds
            self.end = end
        }
    }

    /// A session that an operator has removed.
    public struct Removal: Codable, Equatable, Sendable {
        /// The name of its journal, without `.jsonl`.
        public var session: String
        /// Who removed it.
        public var by: String
        /// When that was, in seconds since 1970-01-01 in UTC.
        public var at: Int

        public init(session: String, by: String, at: Int) {
            self.session = session
            self.by = by
            self.at = at
        }
    }

    public var sessions: [Session]
    /// The sessions that were removed since the daemon's start, the newest first; nil for clients that are no operators.
    public var removed: [Removal]?

    public init(sessions: [Session], removed: [Removal]? = nil) {
        self.sessions = sessions
        self.removed = removed
    }
}

/// The answer to `journal.path`.
public struct JournalAnswer: Codable, Equatable, Sendable {
    /// The path of the folder in which journals are stored.
    public var folder: String
    /// The path of the current session's journal; nil while there is no such file.
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
        /// The names of the channels in their order, such as `front-left`, as the sound server has them.
        public var channelNames: [String]
        /// The sample rate in Hz.
        public var sampleRate: Int
        public var isDefault: Bool
        /// Whether another program has muted the sink.
        public var isMuted: Bool
        /// The gain that other programs have set, in dB: 0 changes nothing, −120 is silence.
        public var volume: Double

        public init(name: String, description: String, channels: Int, channelNames: [String], sampleRate: Int, isDefault: Bool,
                    isMuted: Bool, volume: Double) {
            self.name = name
            self.description = description
            self.channels = channels
            self.channelNames = channelNames
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

    /// The scenes, in the order in which they are shown.
    public var scenes: [Scene]

    public init(scenes: [Scene]) { self.scenes = scenes }
}

/// The answer to `token.add`. No other answer contains the token itself.
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
    /// How long the code is valid, in seconds.
    public var seconds: Int
    /// The address of the console's page; nil where the daemon serves no pages.
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
        /// When the token was made, in seconds since 1970-01-01 in UTC.
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

/// The answer to `telemetry.export`: one part of a table.
public struct TelemetryPart: Codable, Equatable, Sendable {
    /// The part's rows as whole lines. In a format with a heading, the first part begins with it.
    public var text: String
    public var rows: Int
    /// Remarks about journals that were cut off, changed or left out.
    public var notes: [String]
    /// The fraction of the table that has been handed out with this part, 0…1.
    public var progress: Double
    /// The cursor with which to ask for the next part; nil in the last part.
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
    /// The rows as whole lines, after a heading if the format has one. Each row begins with its session's name.
    public var text: String
    public var rows: Int
    /// Remarks about journals that were cut off, changed or left out.
    public var notes: [String]
    /// The position up to which rows had been marked as sent before; nil when no rows had.
    public var since: String?
    /// The position after these rows, up to which `telemetry.sent` can mark rows as sent; nil while there is no journal.
    public var position: String?
    /// Whether there are no further rows after these.
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
        /// The number of the client's requests that were refused without an answer, because they had no id.
        public var refused: UInt64
        /// The reason for the last of these refusals; nil where there were none.
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

    /// The clients, ordered by number.
    public var clients: [Client]

    public init(clients: [Client]) { self.clients = clients }
}

/// The severity of a log record, in ascending order.
public enum LogLevel: String, CaseIterable, Codable, Comparable, Sendable {
    case trace, debug, info, notice, warning, error, critical

    public static func < (a: LogLevel, b: LogLevel) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

/// A record of the daemon's log.
public struct LogRecord: Codable, Equatable, Sendable {
    /// The record's number, counted from 1 in the order of logging.
    public var number: Int
    /// When the record was logged, in seconds since 1970-01-01 in UTC.
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

/// The record of something that was not as it should be: an issue, or a discontinuity of the sound.
public struct FaultRecord: Codable, Equatable, Sendable {
    public enum Kind: String, CaseIterable, Codable, Sendable {
        case issue, late, gap, lost
    }

    /// The record's number, counted from 1 since the daemon's start.
    public var number: Int
    public var kind: Kind
    /// When the issue or the discontinuity began, in seconds since 1970-01-01 in UTC.
    public var began: Double
    /// When the issue or the discontinuity was over, in seconds since 1970-01-01 in UTC; nil while it goes on.
    public var ended: Double?
    /// The issue in words for people; nil for a discontinuity.
    public var issue: String?
    /// The frame of the session at which the discontinuity begins; nil for an issue.
    public var frame: Int64?

    public init(number: Int, kind: Kind, began: Double, ended: Double? = nil, issue: String? = nil, frame: Int64? = nil) {
        self.number = number
        self.kind = kind
        self.began = began
        self.ended = ended
        self.issue = issue
        self.frame = frame
    }
}

/// The answer to `fault.list`.
public struct FaultList: Codable, Equatable, Sendable {
    /// The newest records, the oldest first.
    public var faults: [FaultRecord]

    public init(faults: [FaultRecord]) { self.faults = faults }
}

/// The answer to `log.list`.
public struct LogAnswer: Codable, Equatable, Sendable {
    /// The records, the oldest first.
    public var records: [LogRecord]
    /// The number of seconds by which local time is ahead of UTC where the daemon runs.
    public var utcOffset: Int

    public init(records: [LogRecord], utcOffset: Int) {
        self.records = records
        self.utcOffset = utcOffset
    }
}
