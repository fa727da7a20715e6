import Calendar
import Experience
import Journal
import Signals
import SystemPackage
import Units

/// A journal gone through event by event: the cues of the session, without their sound.
public struct Replay: ~Copyable {
    /// The line of the last event, and the event with the cues that the line says it gave.
    public private(set) var line = 1
    public private(set) var recorded: JournalEntry?
    private let feed: JournalFeed
    private var fold: ReplayFold
    private var next: JournalEntry?

    /// Reads the header. Throws `JournalFault`, also where the rules that are wanted are not in this build, and `Errno`.
    public init(_ path: FilePath, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) throws {
        let feed = JournalFeed(path)
        guard case .header(let header)? = try feed.next() else { preconditionFailure("the first line is a header or a fault") }
        let fold = try ReplayFold(header, by: rules, pieces)
        let next = try feed.next()
        self.fold = fold
        self.next = next
        self.feed = feed
    }

    /// With the theme that the rules have it played in.
    public var header: JournalHeader { fold.header }

    /// The cues that the session begins with.
    public var opening: [Cue] { fold.opening }

    /// All that the events so far have come to; nil where the cues are those of the journal's lines.
    public var run: Run? { fold.run }

    /// What the piece told because of the last event; nothing without rules.
    public var announcements: [Announcement] { fold.announcements }

    /// Whether there was one so far.
    public var hasEvents: Bool { fold.hasEvents }

    /// Whether the journal is not as it was written at the last event, or above it: lines are changed, or entries are missing.
    public var isBehindDamage: Bool { fold.isBehindDamage }

    /// Entries that the journal says are missing from it, as far as it has been read, and the frame from which the first of them is.
    public var lostEntries: Int { fold.lostEntries }
    public var firstLost: Frame? { fold.firstLost }

    /// At which frame of the session the next event took effect, or the next were lost; nil when there is none.
    public var nextFrame: Frame? {
        switch next {
        case .event(_, let frame, _, _)?, .discontinuity(.lost, let frame)?: frame
        case .header?, .discontinuity?, .checkpoint?, .end?, nil: nil
        }
    }

    /// The next event's cues; where entries are missing, those of a stop; nil when there is none. Throws `JournalFault` and `Errno`.
    public mutating func step() throws -> [Cue]? {
        (line, recorded) = (feed.line, next)
        guard nextFrame != nil, let entry = next, let cues = try fold.take(entry, line: feed.line, isChanged: feed.isChanged) else {
            return nil
        }
        next = try feed.next()
        return cues
    }

    /// Whether nothing follows, not even an end line.
    var isOver: Bool { next == nil }

    /// What time it was at the last event, by those that say it; nil where none has.
    public var civilTime: CivilTime? { fold.civilTime }

    /// What the session has come to so far.
    public var record: Announcement? { fold.record }

    /// Why the session ended, once `finish` has returned; nil if it was cut off.
    public var end: SessionEnd? { fold.end }

    /// Goes through what is left, for the sake of its faults.
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

    /// What the sums of all lines say. Known once `finish` has returned.
    public var integrity: JournalIntegrity { feed.integrity }
}
