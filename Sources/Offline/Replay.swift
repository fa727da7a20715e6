import Experience
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// A journal's events fed to their experience again, one after the other: the cues of the session, without their sound.
public struct Replay: ~Copyable {
    public let header: JournalHeader
    public private(set) var experience: any Experience
    private let feed: JournalFeed
    private var next: JournalEntry?
    /// What the experience was told of the time at the last event that is not the engine's own.
    private var time = Frame.zero

    /// Reads the header. Throws `JournalFault` and `Errno`.
    public init(_ path: FilePath) throws {
        let feed = JournalFeed(path)
        // Cut off inside its very first line: nothing is known but that a session began.
        var header = JournalHeader(sampleRate: .standard, seed: 0, experience: .direct, started: "", theme: .standard)
        if case .header(let found)? = try feed.next() { header = found }
        let next = try feed.next()
        self.header = header
        experience = header.experience.make(theme: header.theme, seed: header.seed, rate: header.sampleRate, tuning: header.tuning)
        self.next = next
        self.feed = feed
    }

    /// At which frame of the session the next event took effect; nil when there is none.
    public var nextFrame: Frame? { if case .event(_, let frame, _)? = next { frame } else { nil } }

    /// The next event's cues; nil when there is none. Throws `JournalFault` and `Errno`.
    public mutating func step() throws -> [Cue]? {
        guard case .event(let event, let frame, let due)? = next else { return nil }
        // Live would have refused it, so it is in no honest journal.
        if let fault = experience.refusal(of: event) { throw JournalFault(line: feed.line, fault: fault) }
        let cues = experience.reduce(event, at: due ?? frame)
        if event.client != 0 { time = due ?? frame }
        next = try feed.next()
        return cues
    }

    /// Whether nothing follows, not even an end line.
    var isOver: Bool { next == nil }

    /// What the session has come to so far.
    public var record: SessionRecord? { experience.record(at: time) }

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
}
