import Fields
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// How many frames a journal's session has, at its own rate.
public struct SessionLength: Equatable, Sendable {
    public var frames: FrameCount
    /// Whether the session has its end line. One without is faded out at its last event: 10 ms are added for it.
    public var isComplete: Bool

    /// Longer sessions are not played: no visitor stays for so long, and a single wrong number in a journal would fill a disk.
    public static let longest = Seconds(7 * 86_400)

    /// Throws `JournalFault`, which names the first line beyond `longest`, if the session of the journal at `path` is longer; and `Errno`.
    func check(_ path: FilePath, rate: SampleRate) throws {
        let most = rate.frames(in: Self.longest)
        guard frames > most else { return }
        var scan = try JournalScan(path)
        while let entry = try scan.next() {
            switch entry {
            case .event(_, let frame, _, _), .discontinuity(.lost, let frame), .end(_, let frame):
                guard frame > .zero + most else { continue }
                throw JournalFault(line: scan.line, fault: Fault(
                    field: "frame", expected: "at most \(most.rawValue), which is 7 days at \(rate.hertz) Hz, to be played",
                    found: "\(frame.rawValue)"))
            case .header, .discontinuity: break
            }
        }
    }

    /// From the journal's last line. Throws `Errno`.
    public init(of path: FilePath, rate: SampleRate) throws {
        guard let last = try JournalTail.lastFrame(of: path) else {
            self.init(frames: .zero, isComplete: false)
            return
        }
        let frames = FrameCount(last.frame.rawValue)
        self.init(frames: last.isEnd ? frames : frames + rate.frames(in: .stopTime), isComplete: last.isEnd)
    }

    private init(frames: FrameCount, isComplete: Bool) {
        self.frames = frames
        self.isComplete = isComplete
    }
}
