import Fields
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// A point in a session, as people name it: by its time or by a mark.
public enum SessionPoint: Equatable, Sendable {
    /// The time since the session's start, 0 and up.
    case time(Seconds)
    /// The first mark with this text.
    case mark(String)
}

/// A part of a session, which is rendered with the samples that it has in the whole session. For that, the rules and the engine go through
/// everything before the part, too, but without output.
public enum SessionCut: Equatable, Sendable {
    /// The part between two points. Where the first is nil, it begins at the session's start; where the second is nil, it ends at the
    /// session's end.
    case between(SessionPoint?, SessionPoint?)
    /// The part from the first mark with this text to the mark after it, or to the session's end.
    case mark(String)

    public static let whole = SessionCut.between(nil, nil)

    /// Returns the frames of the cut, at the session's rate. `length` is the length of the session. Throws `JournalFault`, `Errno`, and a
    /// `Fault` whose field is the option of the command line that is wrong.
    func frames(of journal: FilePath, rate: SampleRate, length: FrameCount) throws -> Range<Frame> {
        let end = Frame(length.rawValue)
        switch self {
        case .between(nil, nil): return .zero..<end
        case .between(let from, let to):
            func frame(_ point: SessionPoint, option: String) throws -> Frame {
                switch point {
                case .time(let time): .zero + rate.frames(in: time)
                case .mark(let text): try SessionMarks(of: journal, rate: rate).frame(of: text, option: option, orTime: true)
                }
            }
            func clock(_ frame: Frame) -> String { Self.clock(frame, rate) }
            let first = try from.map { try frame($0, option: "--from") } ?? .zero
            guard first < end || from == nil else {
                throw Fault(field: "--from", expected: "less than \(clock(end)), the session's length", found: clock(first))
            }
            let last = try to.map { try frame($0, option: "--to") } ?? end
            guard last <= end else {
                throw Fault(field: "--to", expected: "at most \(clock(end)), the session's length", found: clock(last))
            }
            guard first < last || to == nil else {
                throw Fault(field: "--to", expected: "more than \(clock(first)), where the cut begins", found: clock(last))
            }
            return first..<last
        case .mark(let text):
            let marks = try SessionMarks(of: journal, rate: rate)
            let first = try marks.frame(of: text, option: "--mark", orTime: false)
            return first..<(marks.next(after: first) ?? max(first, end))
        }
    }

    /// Returns the frames whose events belong to the part; nil where the part is the whole session. If the part ends at the session's end,
    /// events at the very end belong to it. Throws as `frames` does.
    func events(of journal: FilePath, rate: SampleRate) throws -> Range<Frame>? {
        guard self != .whole else { return nil }
        let length = try SessionLength(of: journal, rate: rate).frames
        let part = try frames(of: journal, rate: rate, length: length)
        return part.upperBound == Frame(length.rawValue) ? part.lowerBound..<(part.upperBound + FrameCount(1)) : part
    }

    /// Returns the time of a frame in words, to the millisecond.
    fileprivate static func clock(_ frame: Frame, _ rate: SampleRate) -> String { rate.seconds(in: frame - .zero).clock(3) }
}

/// The marks of a session, in order.
private struct SessionMarks {
    /// The largest number of marks that an error names.
    private static let mostNamed = 12

    private let rate: SampleRate
    private var marks: [(frame: Frame, text: String)] = []

    /// Reads the whole journal. Throws `JournalFault` and `Errno`.
    init(of journal: FilePath, rate: SampleRate) throws {
        self.rate = rate
        var scan = try JournalScan(journal)
        while let entry = try scan.next() {
            if case .event(let event, let frame, _, _) = entry, case .mark(let text) = event.kind { marks.append((frame, text)) }
        }
    }

    /// Returns the frame of the first mark whose text is `text`. If there is none, throws a `Fault` with the field `option` that lists the
    /// session's marks; `orTime` says whether the option also accepts a time, which the fault then mentions.
    func frame(of text: String, option: String, orTime: Bool) throws(Fault) -> Frame {
        if let mark = marks.first(where: { $0.text == text }) { return mark.frame }
        var names = marks.prefix(Self.mostNamed).map { "\"\($0.text)\" at \(SessionCut.clock($0.frame, rate))" }
        if marks.count > Self.mostNamed { names.append("and \(marks.count - Self.mostNamed) more") }
        let times = orTime ? "a time, as 12.5, 1:30 or 1:02:03, or " : ""
        let known = marks.isEmpty ? "a mark, of which this session has none" : "one of the marks " + names.joined(separator: ", ")
        throw Fault(field: option, expected: times + known, found: "\"\(text)\"")
    }

    func next(after frame: Frame) -> Frame? { marks.first { $0.frame > frame }?.frame }
}

extension EventKind {
    /// Whether the event is a tick, which wakes the piece. The piece may have announced something then.
    fileprivate var tellsTime: Bool { if case .tick = self { true } else { false } }
}

extension SessionCut {
    /// The length of the idle time that stays at the end of the cut, because chimes are still ringing.
    public static let rest = Seconds(15)

    /// Returns a cut without the idle time at a session's end, in which nobody did anything and nothing happened. The first 15 s of the
    /// idle time stay. Returns the whole session where the idle time is hardly longer, or the session has no end. Throws `JournalFault` and
    /// `Errno`.
    public static func untilIdle(_ journal: FilePath) throws -> SessionCut {
        var scan = try JournalScan(journal)
        var rate = SampleRate.standard
        var last = Frame.zero
        while let entry = try scan.next() {
            switch entry {
            case .header(let header): rate = header.sampleRate
            case .event(let event, let frame, _, let gave):
                // The engine's own, with which the idle time ends.
                if event.kind != .stop, event.client != .engine || gave?.cues.isEmpty == false || event.kind.tellsTime { last = frame }
            case .checkpoint: break
            case .discontinuity(_, let frame): last = max(last, frame)
            case .end(_, let frame):
                let idle = rate.seconds(in: frame - last)
                guard idle.rawValue > Self.rest.rawValue * 1.2 else { return .whole }
                return .between(nil, .time(Seconds(rate.seconds(in: last - .zero).rawValue + Self.rest.rawValue)))
            }
        }
        return .whole
    }
}

/// The length of a journal's session, in frames at its own rate.
public struct SessionLength: Equatable, Sendable {
    public var frames: FrameCount
    /// The reason in the session's end line; nil without an end line. A session without an end line is faded out in the 10 ms after its
    /// last event.
    public var end: SessionEnd?

    /// The longest part that is played at once. No visitor stays that long, and without a limit a single wrong number in a journal could
    /// fill a disk.
    public static let longest = Seconds(7 * 86_400)

    /// Checks the length of `part`, a part of the session in the journal at `path`. Throws `Errno`. For a part longer than `longest`,
    /// throws a `JournalFault` that names the first line of the part beyond that length.
    static func check(_ part: Range<Frame>, of path: FilePath, rate: SampleRate) throws {
        let most = rate.frames(in: Self.longest)
        guard part.upperBound - part.lowerBound > most else { return }
        var scan = try JournalScan(path)
        while let entry = try scan.next() {
            switch entry {
            case .event(_, let frame, _, _), .discontinuity(.lost, let frame), .end(_, let frame):
                guard frame > part.lowerBound + most else { continue }
                let week = [part.lowerBound, part.lowerBound + most].map { rate.seconds(in: $0 - .zero).shortClock }
                throw JournalFault(line: scan.line, fault: Fault(
                    field: "frame",
                    expected: "at most \((part.lowerBound + most).rawValue), because at most 7 days (168:00:00) are played at once: "
                        + "--from \(week[0]) --to \(week[1]) takes the first seven",
                    found: "\(frame.rawValue) (\(rate.seconds(in: frame - .zero).clock()))"))
            case .header, .discontinuity, .checkpoint: break
            }
        }
    }

    /// Computes the length from the journal's last line. Throws `Errno`.
    public init(of path: FilePath, rate: SampleRate) throws {
        guard let last = try JournalTail.lastFrame(of: path) else {
            self.init(frames: .zero, end: nil)
            return
        }
        let frames = FrameCount(last.frame.rawValue)
        self.init(frames: last.end != nil ? frames : frames + rate.frames(in: .stopTime), end: last.end)
    }

    private init(frames: FrameCount, end: SessionEnd?) {
        self.frames = frames
        self.end = end
    }
}

extension Seconds {
    /// The time as a clock shows it, with milliseconds unless they are zero.
    fileprivate var shortClock: String { clock(rawValue == rawValue.rounded() ? 0 : 3) }
}
