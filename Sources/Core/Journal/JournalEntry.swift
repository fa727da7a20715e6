import Signals
import Units

/// One line of a journal.
public enum JournalEntry: Equatable, Sendable {
    /// The header, which is always the first line, and only that.
    case header(JournalHeader)
    /// An event. `due` is the frame at which it was due, by which the piece knows the time; nil when the event took effect at that frame.
    /// `gave` is what the piece returned for the event; nil in a journal of version 1, which does not contain it.
    case event(Event, at: Frame, due: Frame? = nil, gave: Outcome? = nil)
    /// The sound that was heard from this frame on differs from what the events say, or events are missing.
    case discontinuity(Discontinuity, at: Frame)
    /// A signature of all lines above. `sounds` has the digests of the sound files that have come into use since the last signature, by
    /// their paths.
    case checkpoint(sounds: [String: String], at: Frame)
    /// The end of the session. It is always the last line. A session that was cut off has none.
    case end(SessionEnd, at: Frame)

    /// What a piece returned for an event, as far as journals contain it.
    public struct Outcome: Equatable, Sendable {
        public var cues: [Cue]
        /// The log-odds that the run's model gave at the event, in a line's field `margin`; nil where the piece predicted nothing.
        public var logOdds: Double?

        public init(cues: [Cue], logOdds: Double? = nil) {
            self.cues = cues
            self.logOdds = logOdds
        }
    }

    /// Returns an event for which the piece returned these cues and no prediction.
    public static func event(_ event: Event, at frame: Frame, due: Frame? = nil, cues: [Cue]) -> JournalEntry {
        .event(event, at: frame, due: due, gave: Outcome(cues: cues))
    }

    /// The frame of the session, counted at the session's own rate; 0 for the header.
    public var frame: Frame {
        switch self {
        case .header: .zero
        case .event(_, let frame, _, _), .discontinuity(_, let frame), .checkpoint(_, let frame), .end(_, let frame): frame
        }
    }

    /// The entry without what the piece returned.
    public var withoutOutcome: JournalEntry {
        if case .event(let event, let frame, let due, _) = self { .event(event, at: frame, due: due) } else { self }
    }
}

/// How the sound that was heard differs from what the events say.
public enum Discontinuity: Equatable, Sendable {
    /// A change reached the sound server too late: this many frames were heard without it.
    case late(FrameCount)
    /// Frames were not heard at all, or not as they are rendered. The value is their number; nil while it is unknown.
    case gap(FrameCount?)
    /// The disk could not take this many entries, at least 1, between this frame and the next line. What was held afterwards is unknown.
    /// Only this discontinuity stands in the journal where its frame belongs; the others may stand earlier or later.
    case lost(entries: Int)
}

/// The facts that give a session's events their meaning.
public struct JournalHeader: Equatable, Sendable {
    public static let format = "thrum-journal"
    /// The seeds that may be used: JSON numbers are exact up to 2⁵³ in every reader.
    public static let seeds: ClosedRange<UInt64> = 0...(1 << 53 - 1)

    /// Returns the seed that comes `count` after `seed`; 0 comes after the last. `count` is at least 0.
    public static func seed(_ count: Int, after seed: UInt64) -> UInt64 { (seed + UInt64(count)) % (seeds.upperBound + 1) }

    public var sampleRate: SampleRate
    public var seed: UInt64
    /// The name of the piece. This build need not have a piece of that name.
    public var experience: String
    /// The wall-clock time of frame 0, ISO 8601 in UTC. It is for people; the engine never reads it.
    public var started: String
    public var theme: Theme
    /// The values of the knobs at frame 0, for a piece that has knobs.
    public var knobs: KnobSettings
    /// The rules by which the cues in the lines were made; nil in a journal of version 1, whose lines have no cues.
    public var rules: Rules?
    /// The model by which the log-odds in the lines were made; nil for a piece that predicts nothing, and in a journal that does
    /// not name a model.
    public var model: Model?
    /// Who signs the journal, and with which key; nil for a journal that is not signed.
    public var signed: JournalProvenance?

    /// The rules by which a session was played.
    public struct Rules: Equatable, Sendable {
        /// The rules' version, 1 and up. The piece raises it whenever the same events give other cues, announcements or records.
        public var version: Int
        /// The cues that the session began with, before its first event.
        public var opening: [Cue]

        public init(version: Int, opening: [Cue]) {
            self.version = version
            self.opening = opening
        }
    }

    /// The model by which a session's piece predicted.
    public struct Model: Equatable, Sendable {
        public var name: String
        /// The SHA-256 of the model's file, as 64 lower-case hexadecimal digits; nil for a model that the piece itself has.
        public var digest: String?

        public init(name: String, digest: String? = nil) {
            self.name = name
            self.digest = digest
        }
    }

    public init(sampleRate: SampleRate, seed: UInt64, experience: String, started: String, theme: Theme,
                knobs: KnobSettings = .standard, rules: Rules? = nil, model: Model? = nil, signed: JournalProvenance? = nil) {
        self.sampleRate = sampleRate
        self.seed = seed
        self.experience = experience
        self.started = started
        self.theme = theme
        self.knobs = knobs
        self.rules = rules
        self.model = model
        self.signed = signed
    }

    /// The version of the journal's format: 1 for a journal that names no rules and has no cues, otherwise 2.
    public var version: Int { rules == nil ? 1 : 2 }
}

public enum SessionEnd: String, CaseIterable, Sendable {
    /// Nobody did anything for the idle time.
    case idle
    /// A front end ended the session.
    case request
    /// The engine was asked to stop.
    case shutdown
    /// A household's day was over, and another run has gone on.
    case rollOver = "rollover"

    /// Whether the session ended because the visitor was gone. Otherwise nobody knows how long the visitor would have stayed.
    public var isLeaving: Bool {
        switch self {
        case .idle, .request: true
        case .shutdown, .rollOver: false
        }
    }
}
