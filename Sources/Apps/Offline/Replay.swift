import Calendar
import Experience
import Fields
import Journal
import Signals
import SystemPackage
import Units

/// Replays a journal event by event, and gives the cues of the session without rendering sound.
public struct Replay: ~Copyable {
    /// The number of the last event's line in the journal. `recorded` is that event, with the cues that the line contains.
    public private(set) var line = 1
    public private(set) var recorded: JournalEntry?
    private let feed: JournalFeed
    private var fold: ReplayFold
    private var next: JournalEntry?

    /// Opens a journal and reads its header. `pieces` have the rules of this build; where the rules that `rules` asks for are not among
    /// them, throws `JournalFault`. Also throws `Errno` and `JournalFault` where the journal cannot be read.
    public init(_ path: FilePath, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) throws {
        let feed = JournalFeed(path)
        guard case .header(let header)? = try feed.next() else { preconditionFailure("the first line is a header or a fault") }
        let fold = try ReplayFold(header, of: path, by: rules, pieces)
        self.init(feed, fold, next: try feed.next())
    }

    private init(_ feed: JournalFeed, _ fold: ReplayFold, next: JournalEntry?) {
        self.feed = feed
        self.fold = fold
        self.next = next
    }

    /// The journal's header. Where the rules replace the theme, it has that theme.
    public var header: JournalHeader { fold.header }

    /// The cues with which the session begins.
    public var opening: [Cue] { fold.opening }

    /// The run of the piece after the events so far; nil where the journal's lines give the cues, so that no rules are needed.
    public var run: Run? { fold.run }

    /// The piece's announcements for the last event; empty where the journal is replayed without rules.
    public var announcements: [Announcement] { fold.announcements }

    /// The margin that the run's model gave for the last event: the log-odds that the visitor is about to leave. Nil where the model gave
    /// none, and where the journal is replayed without rules.
    public var margin: Double? { fold.margin }

    /// Whether an event has been read.
    public var hasEvents: Bool { fold.hasEvents }

    /// The number of entries that are missing according to the journal, as far as it has been read. `firstLost` is the frame of the first
    /// missing entry.
    public var lostEntries: Int { fold.lostEntries }
    public var firstLost: Frame? { fold.firstLost }

    /// The frame of the session at which the next event took effect, or the next lost entries are missing; nil when neither follows.
    public var nextFrame: Frame? { next?.actingFrame }

    /// Replays the next event, and returns its cues. Where entries are missing, returns the cues that release all that is held. Returns nil
    /// when no event follows. Throws `JournalFault` and `Errno`.
    public mutating func step() throws -> [Cue]? {
        (line, recorded) = (feed.line, next)
        guard nextFrame != nil, let entry = next, let cues = try fold.take(entry, line: feed.line, isChanged: feed.isChanged) else {
            return nil
        }
        next = try feed.next()
        return cues
    }

    /// Whether the journal has no further line, not even an end line.
    var isOver: Bool { next == nil }

    /// The civil time of the last event, computed from events that contain a civil time; nil where none does.
    public var civilTime: CivilTime? { fold.civilTime }

    /// The piece's record of the session so far; nil where the journal is replayed without rules, and for a piece that makes no record.
    public var record: Announcement? { fold.record }

    /// The reason why the session ended, once `finish` has returned; nil if it was cut off.
    public var end: SessionEnd? { fold.end }

    /// Reads the rest of the journal to find faults in it.
    public mutating func finish() throws {
        while let entry = next {
            _ = try fold.take(entry, line: feed.line, isChanged: feed.isChanged)
            next = try feed.next()
        }
    }

    /// The line at which the session was cut off; nil if it ended as it should. Known once `finish` has returned.
    public var cutLine: Int? {
        if case .cut(let line)? = feed.ending { line } else { nil }
    }

    /// The integrity of all lines according to their checksums. Known once `finish` has returned.
    public var integrity: JournalIntegrity { feed.integrity }
}

/// The state of a replay, which takes a journal's entries one after the other. A plain value: a copy can go on from the same entry.
struct ReplayFold: Sendable {
    let header: JournalHeader
    /// The cues with which the session begins.
    let opening: [Cue]
    /// The run of the piece after the events so far; nil where the journal's lines give the cues, so that no rules are needed.
    private(set) var run: Run?
    /// The piece's announcements for the last entry; empty where the journal is replayed without rules.
    private(set) var announcements: [Announcement] = []
    /// The margin that the run's model gave for the last entry: the log-odds that the visitor is about to leave. Nil where the model gave
    /// none, and where the journal is replayed without rules.
    private(set) var margin: Double?
    private(set) var hasEvents = false
    /// Whether the journal is damaged at the last event or before it: lines were changed, or entries are missing.
    private(set) var isBehindDamage = false
    /// The number of entries that are missing according to the journal. `firstLost` is the frame of the first missing entry.
    private(set) var lostEntries = 0
    private(set) var firstLost: Frame?
    /// The reason why the session ended; nil before its end.
    private(set) var end: SessionEnd?
    /// Whether one theme is kept from beginning to end: themes that are loaded during the session are then ignored.
    private let keepsTheme: Bool
    /// The frame of the last event, as the piece was told. `time` is the frame of the last event that did not come from the engine itself.
    private var now = Frame.zero
    private var time = Frame.zero
    /// The last civil time that an event contained, and the frame of that event.
    private var clock: (told: CivilTime, at: Frame)?

    /// Starts with the header of the journal at `path`. May read the file of a model. Throws `JournalFault` where this build does not have
    /// the rules `rules`, or their model is missing.
    init(_ header: JournalHeader, of path: FilePath, by rules: ReplayRules, _ pieces: [any Experience.Type]) throws(JournalFault) {
        let theme = rules.theme
        var header = header
        header.theme = theme ?? header.theme
        let run = try rules.run(of: header, in: path, pieces)
        self.header = header
        keepsTheme = theme != nil
        self.run = run
        opening = run?.opening ?? header.rules?.opening ?? []
    }

    /// Replays the entry on line number `line`, from 1. `isChanged` says whether the checksums show that this line, or one above it, was
    /// changed. Returns an event's cues, or where entries are missing the cues that release all that is held; nil for other entries. Throws
    /// `JournalFault`.
    mutating func take(_ entry: JournalEntry, line: Int, isChanged: Bool) throws(JournalFault) -> [Cue]? {
        announcements = []
        margin = nil
        switch entry {
        case .event(let event, let frame, let due, let gave):
            isBehindDamage = isBehindDamage || isChanged
            hasEvents = true
            return try take(event, at: due ?? frame, line: line) ?? gave?.cues ?? []
        case .discontinuity(.lost(let entries), let frame):
            isBehindDamage = true
            lostEntries += entries
            firstLost = firstLost ?? frame
            // Who held what from then on, nobody knows.
            let effects = run?.releaseAll(at: now)
            announcements = effects?.announcements ?? []
            return effects?.cues ?? [.stop]
        case .end(let end, _):
            self.end = end
            return nil
        case .header, .discontinuity, .checkpoint: return nil
        }
    }

    /// Replays an event. Returns the cues that the rules give for it; nil where the journal is replayed without rules.
    private mutating func take(_ event: Event, at due: Frame, line: Int) throws(JournalFault) -> [Cue]? {
        if keepsTheme, case .theme = event.kind { return [] }
        let admitted: AdmittedEvent?
        do throws(Fault) {
            admitted = try run?.admit(event, at: due)
        } catch {
            // Live would have refused it, so it is in no honest journal; but what made it possible may be lost.
            // And another theme may lack a name that the session's had; that is silent.
            guard lostEntries > 0 || keepsTheme else { throw JournalFault(line: line, fault: Self.ofLine(error)) }
            return []
        }
        now = due
        switch event.kind {
        case .arrival(let arrival): clock = (arrival.civilTime, due)
        case .tick(let civilTime): clock = (civilTime, due)
        default: break
        }
        if event.client != .engine { time = due }
        guard let admitted, let effects = run?.act(on: admitted, at: due) else { return nil }
        announcements = effects.announcements
        margin = effects.margin
        return effects.cues
    }

    /// Translates a fault of a request into one of a journal line, where the field `method` is called `event`.
    private static func ofLine(_ fault: Fault) -> Fault {
        fault.field == "method" ? Fault(field: "event", expected: fault.expected, found: fault.found) : fault
    }

    /// The civil time of the last event, computed from events that contain a civil time; nil where none does.
    var civilTime: CivilTime? {
        clock.map { told, at in
            CivilTime(instant: told.instant + header.sampleRate.seconds(in: now - at).rawValue, utcOffset: told.utcOffset)
        }
    }

    /// The piece's record of the session so far; nil where the journal is replayed without rules, and for a piece that makes no record.
    var record: Announcement? { run?.record(at: time) }
}
