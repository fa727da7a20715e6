import Fields
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// How many frames a journal's session has, at its own rate.
public struct SessionLength: Equatable, Sendable {
    public var frames: FrameCount
    /// By the session's end line; nil where there is none. Such a session is faded out at its last event: 10 ms are added for it.
    public var end: SessionEnd?

    /// More is not played at once: no visitor stays for so long, and a single wrong number in a journal would fill a disk.
    public static let longest = Seconds(7 * 86_400)

    /// Throws `JournalFault`, which names the first line beyond `longest` of `part`, if that is longer; and `Errno`. `part` is of the
    /// session of the journal at `path`.
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

    /// From the journal's last line. Throws `Errno`.
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
    /// With milliseconds only where there are some.
    fileprivate var shortClock: String { clock(rawValue == rawValue.rounded() ? 0 : 3) }
}
