import Signals
import Units

/// One line of a journal.
public enum JournalEntry: Equatable, Sendable {
    /// The header, which is always the first line, and only that.
    case header(JournalHeader)
    /// An event. `due` is the frame at which it was due, by which the experience knows the time; nil when it took effect just then. `gave`
    /// is what the rules gave for it; nil in a journal of version 1, which does not say.
    case event(Event, at: Frame, due: Frame? = nil, gave: Outcome? = nil)
    /// The sound heard from this frame on differs from what the events say, or some of them are missing.
    case discontinuity(Discontinuity, at: Frame)
    /// A signature of all lines above. `sounds` are the digests of the sound files that have come into use since the last one, by their
    /// paths.
    case checkpoint(sounds: [String: String], at: Frame)
    /// The end, which is always the last line of a session that ended as it should.
    case end(SessionEnd, at: Frame)

    /// What the rules gave for an event, as far as journals keep it.
    public struct Outcome: Equatable, Sendable {
        public var cues: [Cue]
        /// The log-odds that the run's model gave; nil for none.
        public var margin: Double?

        public init(cues: [Cue], margin: Double? = nil) {
            self.cues = cues
            self.margin = margin
        }
    }

    /// Returns an event for which the rules gave cues and no more.
    public static func event(_ event: Event, at frame: Frame, due: Frame? = nil, cues: [Cue]) -> JournalEntry {
        .event(event, at: frame, due: due, gave: Outcome(cues: cues))
    }

    /// The frame of the session, at its own rate; the header's is 0.
    public var frame: Frame {
        switch self {
        case .header: .zero
        case .event(_, let frame, _, _), .discontinuity(_, let frame), .checkpoint(_, let frame), .end(_, let frame): frame
        }
    }

    /// The entry without what the rules gave.
    public var withoutOutcome: JournalEntry {
        if case .event(let event, let frame, let due, _) = self { .event(event, at: frame, due: due) } else { self }
    }
}

/// How the sound that was heard differs from what the events say.
public enum Discontinuity: Equatable, Sendable {
    /// A change reached the sound server too late: this many frames were heard without it.
    case late(FrameCount)
    /// The number of frames that were not heard at all, or not as they are rendered; nil while it is unknown.
    case gap(FrameCount?)
    /// The disk could not take this many entries, 1 and up, from this frame on and before the next line. What was held after them is
    /// unknown. Alone among discontinuities it stands where its frame says.
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
    /// The name of the piece, which need not be one of those that this build has.
    public var experience: String
    /// The wall-clock time of frame 0, ISO 8601 in UTC. It is for people; the engine never reads it.
    public var started: String
    public var theme: Theme
    /// The values of the knobs at frame 0, for an experience that has any.
    public var knobs: KnobSettings
    /// The rules that gave the cues of the journal's lines; nil in a journal of version 1, whose lines have none.
    public var rules: Rules?
    /// The model that gave the margins of the journal's lines; nil for a piece that predicts nothing, and in a journal that does not say.
    public var model: Model?
    /// Who signs the journal; nil for one that is not signed.
    public var signed: JournalProvenance?

    /// The rules that a session was played by.
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
        /// The SHA-256 of the model's file, as 64 small hexadecimal digits; nil for a model of the piece's own.
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

    /// The version of the format.
    public var version: Int { rules == nil ? 1 : 2 }
}

public enum SessionEnd: String, CaseIterable, Sendable {
    /// Nobody did anything for the idle time.
    case idle
    /// A front end ended it.
    case request
    /// The engine was asked to stop.
    case shutdown
    /// A household's day is over, and another run goes on.
    case rollOver = "rollover"

    /// Whether the session ended because the visitor was gone. Otherwise nobody knows how long the visitor would have stayed.
    public var isLeaving: Bool {
        switch self {
        case .idle, .request: true
        case .shutdown, .rollOver: false
        }
    }
}
