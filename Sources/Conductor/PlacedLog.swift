import Journal
import Signals
import Units

/// Events on their way to the journal: each waits until the output has said at which frame it took effect.
struct PlacedLog {
    private struct Expected {
        var event: Event
        /// The session's frame that the experience was told.
        var time: Frame
        var ticket: Int?
        var deadline: Frame
        /// Of the session that the event begins.
        var header: JournalHeader?
        /// Of the session that the event ends.
        var end: SessionEnd?
    }

    private var expected: [Expected] = []
    private var first = 0
    /// The output's frame at the frame 0 of the session being journaled; nil between sessions.
    private var start: Frame?

    mutating func expect(_ event: Event, at time: Frame, ticket: Int?, due: Due, header: JournalHeader?, end: SessionEnd?) {
        expected.append(Expected(event: event, time: time, ticket: ticket, deadline: due.deadline, header: header, end: end))
    }

    mutating func place(at frame: Frame, rate: SampleRate, journal: (JournalEntry) -> Void) -> Conductor.Placement {
        precondition(first < expected.count, "nothing is placed that was not sent")
        let next = expected[first]
        first += 1
        // In steps, so that taking one away stays cheap, and what is gone is not kept for long.
        if first == expected.count || first >= 256 {
            expected.removeFirst(first)
            first = 0
        }
        if let header = next.header {
            start = frame
            journal(.header(header))
        }
        let position = Frame((frame - (start ?? frame)).rawValue)
        journal(.event(next.event, at: position, due: next.time == position ? nil : next.time))
        // A session's end is due whenever it can be.
        let lateness = next.end == nil ? FrameCount(max(0, (frame - next.deadline).rawValue)) : .zero
        let placement = Conductor.Placement(ticket: next.ticket, position: position, lateness: lateness)
        if let end = next.end {
            journal(.end(end, at: position + rate.frames(in: .stopTime)))
            start = nil
        }
        return placement
    }

    /// Nobody was there to hear it between sessions.
    mutating func note(_ lapse: Lapse, at frame: Frame, journal: (JournalEntry) -> Void) {
        guard let start, frame >= start else { return }
        journal(.lapse(lapse, at: Frame((frame - start).rawValue)))
    }
}
