import Experience
import JournalFile
import Signals
import SystemPackage
import Units

/// A session seen from afar: how loud it was, what pitch the tone had while it sounded, where the chimes were.
public struct SessionOutline: Sendable {
    public struct Column: Sendable {
        /// Of the samples in this part of the session.
        public var peak = Magnitude(0)
        /// The tone's last pitch in it; nil while the tone was off.
        public var pitch: Hertz?
    }

    public struct Mark: Sendable {
        public var at: Seconds
        public var chime: String
    }

    /// Of equal length, from beginning to end.
    public private(set) var columns: [Column]
    /// At most 1,000 are kept.
    public private(set) var marks: [Mark] = []
    public let duration: Seconds
    /// The line at which the session was cut off; nil if it ended as it should.
    public private(set) var cutLine: Int?
    /// The first line whose sum is wrong or missing; nil if none is known to be.
    public private(set) var changedLine: Int?

    /// Plays the journal and looks. Throws `JournalFault` and `Errno`.
    public init(_ journal: FilePath, by rules: ReplayRules = .recorded, columns count: Int, _ pieces: [any Experience.Type]) throws {
        var playback = try Playback(journal, by: rules, pieces)
        let total = max(1, playback.frames.rawValue)
        columns = [Column](repeating: Column(), count: count)
        duration = playback.rate.seconds(in: playback.frames)
        // Small against a column, so that little is seen in the wrong one.
        var block = [Float](repeating: 0, count: Int(min(512, max(16, total / Int64(count) / 8))))
        var position: Int64 = 0
        var pitch: Hertz?
        var isOpen = false
        while true {
            var span = block.mutableSpan
            guard let fresh = try playback.render(into: &span) else {
                cutLine = playback.cutLine
                changedLine = playback.changedLine
                break
            }
            let first = Int(min(position, total - 1) * Int64(count) / total)
            position += Int64(fresh.count)
            let last = Int(min(position, total - 1) * Int64(count) / total)
            let peak = block[fresh].reduce(0) { max($0, $1.magnitude) }
            var sounded = isOpen
            for (frame, cue) in playback.cues {
                switch cue {
                case .tonePitch(let frequency, _): pitch = frequency
                case .toneGate(let open): isOpen = open
                case .stop: isOpen = false
                case .chime(let name) where marks.count < 1000:
                    marks.append(Mark(at: playback.rate.seconds(in: FrameCount(frame.rawValue)), chime: name))
                case .chime, .texture, .toneLevel, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
                }
                sounded = sounded || isOpen
            }
            for column in first...max(first, last) {
                columns[column].peak = max(columns[column].peak, Magnitude(peak))
                if sounded { columns[column].pitch = pitch }
            }
        }
    }
}
