import Experience
import Fields
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// A moment of a session, as people name it.
public enum SessionPoint: Equatable, Sendable {
    /// Since the session's start, 0 and up.
    case time(Seconds)
    /// The first mark with this text.
    case mark(String)
}

/// A part of a session. What comes before it is played up in silence, so its samples are those of the whole session.
public enum SessionCut: Equatable, Sendable {
    /// From the session's start where the first is nil, and to its end where the second is.
    case between(SessionPoint?, SessionPoint?)
    /// From the first mark with this text to the mark after it, or to the session's end.
    case mark(String)

    public static let whole = SessionCut.between(nil, nil)

    /// Which frames of the session it is, at the rate of the session. `length` is the session's. Throws `Fault`, whose field is the
    /// option of the command line that is wrong, `JournalFault` and `Errno`.
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

    /// At which frames events of the part are; nil for the whole session. To a part that goes to the end belongs what happens at the very
    /// end. Throws as `frames` does.
    func events(of journal: FilePath, rate: SampleRate) throws -> Range<Frame>? {
        guard self != .whole else { return nil }
        let length = try SessionLength(of: journal, rate: rate).frames
        let part = try frames(of: journal, rate: rate, length: length)
        return part.upperBound == Frame(length.rawValue) ? part.lowerBound..<(part.upperBound + FrameCount(1)) : part
    }

    /// To the millisecond.
    fileprivate static func clock(_ frame: Frame, _ rate: SampleRate) -> String { rate.seconds(in: frame - .zero).clock(3) }
}

/// The marks of a session, in order.
private struct SessionMarks {
    /// So many are named to somebody who asks for one that is not there.
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

    /// Of the first with this text. Throws a `Fault` for `option` that names those that there are; `orTime`: whether the option takes a
    /// time as well.
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
