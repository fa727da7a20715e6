import Fields
import Journal
import Signals
import Units

/// Holds events back from the journal until the output has reported the frame at which each of them took effect.
///
/// The end line of a session waits until it is certain which of its frames were heard. So a gap that is noticed late still comes before it.
struct PlacedLog {
    struct Expected {
        var event: Event
        /// The cues that the piece returned for the event, and the log-odds of its model.
        var gave: JournalEntry.Outcome
        /// The frame of the run at which the piece acted on the event. The output may have placed the event later.
        var time: Frame
        var ticket: Int?
        var deadline: Frame
        /// The piece's answer to the event; nil when it gave none.
        var result: JSONValue?
        /// The header of the run that begins with the event; nil where no run begins.
        var header: JournalHeader?
        /// The reason for which the run ends with the event; nil where the run goes on.
        var end: SessionEnd?
    }

    /// A session whose end is not in the journal yet.
    private struct Session {
        /// The frame of the output at which the session's frame 0 took effect.
        let start: Frame
        /// The reason why the session ended, and the frame of the output after its last frame; nil while the session goes on.
        var end: (reason: SessionEnd, frame: Frame)?
        /// Entries that cannot be journaled yet, because the end of the session before them is not journaled yet.
        var waiting: [JournalEntry] = []
    }

    /// Frames of the output that were not heard.
    private struct Gap {
        var start: Frame
        /// The frame at which sound is heard again; nil while the gap lasts.
        var end: Frame?
    }

    private var expected: [Expected] = []
    private var first = 0
    /// The sessions, oldest first. All but the last have ended.
    private var sessions: [Session] = []
    private var gap: Gap?
    /// The causes for which nothing is heard now.
    private var causes: Set<Silence> = []
    /// The latest frame at which one of the causes of the present gap has ended; the gap's start while none has ended.
    private var heardFrom = Frame(.min)
    /// The frame up to which gaps have been journaled. No later gap begins before it.
    private var journaledUntil = Frame(.min)
    /// The frame before which it is known of each frame of the output whether it was heard. It is the largest frame, so that all frames
    /// count as known, until the output's first report.
    private var settled = Frame(.max)

    mutating func expect(_ event: Expected) { expected.append(event) }

    /// Whether a session has ended whose end line is not in the journal yet.
    var isSettling: Bool { sessions.first?.end != nil }

    mutating func place(at frame: Frame, rate: SampleRate, journal: (JournalEntry) -> Void) -> Conductor.Placement {
        precondition(first < expected.count, "nothing is placed that was not sent")
        let next = expected[first]
        first += 1
        // In steps, so that removing one is cheap and written entries are not kept for long.
        if first == expected.count || first >= 256 {
            expected.removeFirst(first)
            first = 0
        }
        if let header = next.header {
            sessions.append(Session(start: frame))
            write(.header(header), journal)
            if let gap, gap.end.map({ $0 > frame }) ?? true {
                tell(Gap(start: gap.start), in: sessions.count - 1, journal)
                if gap.end != nil { tell(gap, in: sessions.count - 1, journal) }
            }
        }
        guard let last = sessions.indices.last else { preconditionFailure("a session's first event has its header") }
        let position = Frame((frame - sessions[last].start).rawValue)
        write(.event(next.event, at: position, due: next.time == position ? nil : next.time, gave: next.gave), journal)
        // A session's end is due whenever it can be.
        let lateness = next.end == nil ? FrameCount(max(0, (frame - next.deadline).rawValue)) : .zero
        let placement = Conductor.Placement(ticket: next.ticket, position: position, lateness: lateness, result: next.result)
        if let reason = next.end {
            sessions[last].end = (reason, frame + rate.frames(in: .stopTime))
            settle(until: settled, journal: journal)
        }
        return placement
    }

    /// Journals that a change came too late: `count` frames from `frame` on were heard without it. Does nothing between sessions, because
    /// nobody was there to hear it.
    mutating func noteLate(_ count: FrameCount, at frame: Frame, journal: (JournalEntry) -> Void) {
        guard let index = sessions.lastIndex(where: { $0.start <= frame }), sessions[index].end.map({ frame < $0.frame }) ?? true
        else { return }
        write(.discontinuity(.late(count), at: Frame((frame - sessions[index].start).rawValue)), in: index, journal)
    }

    /// Records that nothing is heard from `frame` of the output on, because of `cause`. If `frame` lies before the start of a gap that
    /// still lasts, the frames in between become a gap of their own, so that no frame lies in two gaps.
    mutating func fallSilent(because cause: Silence, at frame: Frame, journal: (JournalEntry) -> Void) {
        let isFirst = causes.isEmpty
        guard causes.insert(cause).inserted else { return }
        let begin = max(frame, journaledUntil)
        if isFirst {
            gap = Gap(start: begin)
            heardFrom = begin
            tell(Gap(start: begin), journal)
        } else if let start = gap?.start, begin < start {
            tell(Gap(start: begin), journal)
            tell(Gap(start: begin, end: start), journal)
            journaledUntil = start
        }
    }

    /// Records that from `frame` of the output on, `cause` no longer silences the sound.
    mutating func comeBack(because cause: Silence, at frame: Frame, journal: (JournalEntry) -> Void) {
        guard causes.remove(cause) != nil, let start = gap?.start else { return }
        heardFrom = max(heardFrom, frame)
        guard causes.isEmpty else { return }
        let ended = Gap(start: start, end: heardFrom)
        gap = ended
        journaledUntil = heardFrom
        tell(ended, journal)
    }

    /// Records that it is known of each frame of the output before `frame` whether it was heard. Journals the ends of sessions that have
    /// waited for this.
    mutating func settle(until frame: Frame, journal: (JournalEntry) -> Void) {
        settled = frame
        while let end = sessions.first?.end, end.frame <= settled {
            if let gap, gap.end == nil { tell(Gap(start: gap.start, end: end.frame), in: 0, journal) }
            journal(.end(end.reason, at: Frame((end.frame - sessions[0].start).rawValue)))
            sessions.removeFirst()
            for entry in sessions.first?.waiting ?? [] { journal(entry) }
            if !sessions.isEmpty { sessions[0].waiting = [] }
        }
    }

    private mutating func tell(_ gap: Gap, _ journal: (JournalEntry) -> Void) {
        for index in sessions.indices { tell(gap, in: index, journal) }
    }

    /// Journals the part of `gap` that lies in the session `sessions[index]`.
    private mutating func tell(_ gap: Gap, in index: Int, _ journal: (JournalEntry) -> Void) {
        let session = sessions[index]
        let start = max(gap.start, session.start)
        if let end = session.end?.frame, start >= end { return }
        let end = gap.end.map { min($0, session.end?.frame ?? $0) }
        if let end, start >= end { return }
        write(.discontinuity(.gap(end.map { $0 - start }), at: Frame((start - session.start).rawValue)), in: index, journal)
    }

    private mutating func write(_ entry: JournalEntry, _ journal: (JournalEntry) -> Void) { write(entry, in: sessions.count - 1, journal) }

    private mutating func write(_ entry: JournalEntry, in index: Int, _ journal: (JournalEntry) -> Void) {
        if index == 0 { journal(entry) } else { sessions[index].waiting.append(entry) }
    }
}

/// The causes for which nothing is heard. Each may begin and end while the other one lasts.
public enum Silence: CaseIterable, Sendable {
    /// The output plays nothing.
    case output
    /// Another program has muted the output, or turned it down to silence.
    case others
}
