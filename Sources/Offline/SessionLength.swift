import Journal
import JournalFile
import SystemPackage
import Units

/// How many frames a journal's session has, at its own rate.
public struct SessionLength: Equatable, Sendable {
    public var frames: FrameCount
    /// Whether the session has its end line. One without is faded out at its last event: 10 ms are added for it.
    public var isComplete: Bool

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
