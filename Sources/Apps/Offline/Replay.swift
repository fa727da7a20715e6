import Calendar
import Experience
import Fields
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// A journal gone through event by event: the cues of the session, without their sound.
public struct Replay: ~Copyable {
    public let header: JournalHeader
    /// The cues that the session begins with.
    public let opening: [Cue]
    /// All that the events so far have come to; nil where the cues are those of the journal's lines.
    public private(set) var run: Run?
    /// What the piece told because of the last event; nothing without rules.
    public private(set) var announcements: [Announcement] = []
    /// The line of the last event, and the event with the cues that the line says it gave.
    public private(set) var line = 1
    public private(set) var recorded: JournalEntry?
    private let feed: JournalFeed
    /// Whatever other themes came during the session.
    private let keepsTheme: Bool
    private var next: JournalEntry?
    /// Whether the journal is not as it was written at the last event, or above it: lines are changed, or entries are missing.
    public private(set) var isBehindDamage = false
    /// What the experience was told of the time at the last event, and at the last that is not the engine's own.
    private var now = Frame.zero
    private var time = Frame.zero
    /// The last event that said what time it is, and when it came.
    private var clock: (told: CivilTime, at: Frame)?
    /// Entries that the journal says are missing from it, as far as it has been read, and the frame from which the first of them is.
    public private(set) var lostEntries = 0
    public private(set) var firstLost: Frame?

    /// Reads the header. Throws `JournalFault`, also where the rules that are wanted are not in this build, and `Errno`.
    public init(_ path: FilePath, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) throws {
        let feed = JournalFeed(path)
        guard case .header(var header)? = try feed.next() else { preconditionFailure("the first line is a header or a fault") }
        let theme: Theme? = if case .themed(let theme, _) = rules { theme } else { nil }
        header.theme = theme ?? header.theme
        let run = try rules.run(of: header, pieces)
        let next = try feed.next()
        self.header = header
        keepsTheme = theme != nil
        self.run = run
        opening = run?.opening ?? header.rules?.opening ?? []
        self.next = next
        self.feed = feed
    }

    /// Whether there was one so far.
    public private(set) var hasEvents = false

    /// At which frame of the session the next event took effect, or the next were lost; nil when there is none.
    public var nextFrame: Frame? {
        switch next {
        case .event(_, let frame, _, _)?, .discontinuity(.lost, let frame)?: frame
        case .header?, .discontinuity?, .checkpoint?, .end?, nil: nil
        }
    }

    /// The next event's cues; where entries are missing, those of a stop; nil when there is none. Throws `JournalFault` and `Errno`.
    public mutating func step() throws -> [Cue]? {
        let cues: [Cue]
        announcements = []
        isBehindDamage = isBehindDamage || feed.isChanged
        (line, recorded) = (feed.line, next)
        switch next {
        case .event(let event, let frame, let due, let recorded)?:
            hasEvents = true
            cues = try take(event, at: due ?? frame) ?? recorded ?? []
        case .discontinuity(.lost(let entries), let frame)?:
            isBehindDamage = true
            lostEntries += entries
            firstLost = firstLost ?? frame
            // Who held what from then on, nobody knows.
            let effects = run?.releaseAll(at: now)
            announcements = effects?.announcements ?? []
            cues = effects?.cues ?? [.stop]
        case .header?, .discontinuity?, .checkpoint?, .end?, nil: return nil
        }
        next = try feed.next()
        return cues
    }

    /// The cues that the rules give; nil where there are none.
    private mutating func take(_ event: Event, at due: Frame) throws -> [Cue]? {
        if keepsTheme, case .theme = event.kind { return [] }
        let admitted: AdmittedEvent?
        do throws(Fault) {
            admitted = try run?.admit(event, at: due)
        } catch {
            // Live would have refused it, so it is in no honest journal; but what made it possible may be lost.
            // And another theme may lack a name that the session's had; that is silent.
            guard lostEntries > 0 || keepsTheme else { throw JournalFault(line: feed.line, fault: Self.ofLine(error)) }
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
        return effects.cues
    }

    /// What requests have as their method, lines have as their event.
    private static func ofLine(_ fault: Fault) -> Fault {
        fault.field == "method" ? Fault(field: "event", expected: fault.expected, found: fault.found) : fault
    }

    /// Whether nothing follows, not even an end line.
    var isOver: Bool { next == nil }

    /// What time it was at the last event, by those that say it; nil where none has.
    public var civilTime: CivilTime? {
        clock.map { told, at in
            CivilTime(instant: told.instant + header.sampleRate.seconds(in: now - at).rawValue, utcOffset: told.utcOffset)
        }
    }

    /// What the session has come to so far.
    public var record: Announcement? { run?.record(at: time) }

    /// Why the session ended, once `finish` has returned; nil if it was cut off.
    public private(set) var end: SessionEnd?

    /// Goes through what is left, for the sake of its faults.
    public mutating func finish() throws {
        while next != nil {
            if try step() != nil { continue }
            if case .end(let end, _)? = next { self.end = end }
            next = try feed.next()
        }
    }

    /// The line at which the session was cut off; nil if it ended as it should. Known once `finish` has returned.
    public var cutLine: Int? {
        if case .cut(let line)? = feed.ending { line } else { nil }
    }

    /// What the sums of all lines say. Known once `finish` has returned.
    public var integrity: JournalIntegrity { feed.integrity }
}
