import Fields
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// A moment of a session, as people name it.
public enum SessionPoint: Equatable, Sendable {
    /// The time since the session's start, 0 and up.
    case time(Seconds)
    /// The first mark with this text.
    case mark(String)
}

/// A part of a session. The rules and the engine go through what comes before it in silence, so its samples are those of the whole session.
public enum SessionCut: Equatable, Sendable {
    /// The part from the session's start where the first is nil, and to its end where the second is.
    case between(SessionPoint?, SessionPoint?)
    /// The part from the first mark with this text to the mark after it, or to the session's end.
    case mark(String)

    public static let whole = SessionCut.between(nil, nil)

    /// The frames of the cut, at the rate of the session. `length` is the session's. Throws `Fault`, whose field is the option of the
    /// command line that is wrong, `JournalFault` and `Errno`.
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

    /// The frames whose events belong to the part; nil for the whole session. To a part that goes to the end belongs what happens at the
    /// very end. Throws as `frames` does.
    func events(of journal: FilePath, rate: SampleRate) throws -> Range<Frame>? {
        guard self != .whole else { return nil }
        let length = try SessionLength(of: journal, rate: rate).frames
        let part = try frames(of: journal, rate: rate, length: length)
        return part.upperBound == Frame(length.rawValue) ? part.lowerBound..<(part.upperBound + FrameCount(1)) : part
    }

    /// The time of a frame, to the millisecond.
    fileprivate static func clock(_ frame: Frame, _ rate: SampleRate) -> String { rate.seconds(in: frame - .zero).clock(3) }
}

/// The marks of a session, in order.
private struct SessionMarks {
    /// The most marks that are named to somebody who asks for one that is not there.
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

    /// The frame of the first mark with this text. Throws a `Fault` for `option` that names those that there are; `orTime`: whether the
    /// option takes a time as well.
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
    /// Whether the event wakes a piece, which may have told something.
    fileprivate var tellsTime: Bool { if case .tick = self { true } else { false } }
}

extension SessionCut {
    /// The part of the idle time that is kept: chimes ring on.
    public static let rest = Seconds(15)

    /// A cut of all but the idle time at a session's end, in which nobody did anything and nothing happened: 15 s of it stay. The whole
    /// session where there is hardly more of it, or no end. Throws `JournalFault` and `Errno`.
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
    /// The reason in the session's end line; nil where there is no end line. A session without one is faded out over the 10 ms after its
    /// last event.
    public var end: SessionEnd?

    /// The longest part that is played at once: no visitor stays for so long, and a single wrong number in a journal would fill a disk.
    public static let longest = Seconds(7 * 86_400)

    /// Checks the length of a part. Throws `JournalFault`, which names the first line beyond `longest` of `part`, if that is longer; and
    /// `Errno`. `part` is of the session of the journal at `path`.
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

    /// Finds the length from the journal's last line. Throws `Errno`.
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
    /// The time as a clock shows it, with milliseconds only where there are some.
    fileprivate var shortClock: String { clock(rawValue == rawValue.rounded() ? 0 : 3) }
}
