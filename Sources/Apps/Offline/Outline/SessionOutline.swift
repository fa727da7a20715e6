import Experience
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// A session, or a part of it, seen from afar: how loud it was, what was in the sound, what pitch the tone had while it sounded, and what
/// happened when.
public struct SessionOutline: Sendable {
    public struct Column: Sendable {
        /// Of the samples in this part of the session.
        public var peak = Magnitude(0)
        /// The tone's last pitch in it; nil while the tone was off.
        public var pitch: Hertz?
    }

    public struct Mark: Sendable {
        /// Since the session's start.
        public var at: Seconds
        public var chime: String
    }

    /// Samples that are handed over at once.
    private static let share = 4_096

    /// Of the session: its piece, its first theme, when it began.
    public let header: JournalHeader
    /// Of equal length, from beginning to end.
    public private(set) var columns: [Column]
    /// At most 1,000 are kept.
    public private(set) var marks: [Mark] = []
    /// Of the part, since the session's start.
    public let start: Seconds
    public let duration: Seconds
    /// Of the session, after the part.
    public let rest: Seconds
    /// What happened; rows without a moment are left out.
    public private(set) var rows: [MomentRow] = []
    /// The first line that the piece's rules cannot act on: from there on it has no rows. Nil where there is none.
    public private(set) var ruleFault: JournalFault?
    /// In order. Its times count from the part's start.
    public let loudness: [LoudnessReading]
    /// Of all of the part, in LUFS; nil for silence.
    public let integrated: Double?
    public let spectrogram: Spectrogram
    public let notes: PlaybackNotes

    /// Plays the journal and looks. `progress` is told the part that is done, 0…1, now and then. Throws `JournalFault` and `Errno`, and a
    /// `Fault` where the session has no such cut.
    public init(_ journal: FilePath, by rules: ReplayRules = .recorded, cut: SessionCut = .whole, columns count: Int,
                _ pieces: [any Experience.Type], progress: (Double) -> Void = { _ in }) throws {
        var playback = try Playback(journal, by: rules, cut: cut, pieces)
        let total = max(1, playback.frames.rawValue)
        header = playback.header
        columns = [Column](repeating: Column(), count: count)
        start = playback.rate.seconds(in: playback.part.lowerBound - .zero)
        duration = playback.rate.seconds(in: playback.frames)
        rest = playback.rate.seconds(in: playback.end - playback.part.upperBound)
        var course = LoudnessCourse(rate: playback.rate, frames: total, most: count)
        // The spectrum takes as long as all else, and has a thread of its own.
        let sound = BoundedChannel<[Float]>(capacity: 64)
        // Room for its end, too, which nobody takes.
        let seen = BoundedChannel<Spectrogram>.start(capacity: 2) { [rate = playback.rate] channel in
            var spectrogram = Spectrogram(rate: rate, frames: total, columns: count)
            while let samples = sound.take() { spectrogram.add(samples.span) }
            spectrogram.finish()
            channel.put(spectrogram)
        }
        var isEnded = false
        defer { if !isEnded { sound.put(nil) } }
        var unseen: [Float] = []
        // Small against a column, so that little is seen in the wrong one.
        var block = [Float](repeating: 0, count: Int(min(512, max(16, total / Int64(count) / 8))))
        var position: Int64 = 0
        var pitch: Hertz?
        var isOpen = false
        let step = max(1, playback.part.upperBound.rawValue / 200)
        var announced: Int64 = 0
        while true {
            var span = block.mutableSpan
            guard let fresh = try playback.render(into: &span) else { break }
            let first = Int(min(position, total - 1) * Int64(count) / total)
            position += Int64(fresh)
            let last = Int(min(position, total - 1) * Int64(count) / total)
            let samples = block.span.extracting(first: fresh)
            let peak = samples.isSilent ? 0 : block[..<fresh].reduce(0) { max($0, $1.magnitude) }
            var sounded = isOpen
            for (frame, cue) in playback.cues {
                switch cue {
                case .tonePitch(let frequency, _): pitch = frequency
                case .toneGate(let open): isOpen = open
                case .stop: isOpen = false
                case .chime(let name) where marks.count < MomentRow.most && playback.isInPart(frame):
                    marks.append(Mark(at: playback.rate.seconds(in: FrameCount(frame.rawValue)), chime: name))
                case .chime, .texture, .toneLevel, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
                }
                sounded = sounded || isOpen
            }
            if playback.position.rawValue >= announced + step {
                announced = playback.position.rawValue
                progress(min(1, Double(announced) / Double(max(1, playback.part.upperBound.rawValue))))
            }
            // Before the part there is nothing to see yet.
            guard fresh > 0 else { continue }
            course.add(samples)
            unseen += block[..<fresh]
            if unseen.count >= Self.share {
                sound.put(unseen)
                unseen.removeAll(keepingCapacity: true)
            }
            for column in first...max(first, last) {
                columns[column].peak = max(columns[column].peak, Magnitude(peak))
                if sounded { columns[column].pitch = pitch }
            }
        }
        sound.put(unseen)
        sound.put(nil)
        isEnded = true
        guard let spectrogram = seen.take() else { preconditionFailure("it ends with what it has seen") }
        self.spectrogram = spectrogram
        loudness = course.readings
        integrated = course.integrated
        notes = playback.notes
        let end = Seconds(start.rawValue + duration.rawValue)
        var chimes = MomentRow(.chime, "chimes")
        for mark in marks { chimes.add(.init(at: mark.at, label: mark.chime)) }
        (rows, ruleFault) = try SessionMoments.rows(of: journal, by: rules, in: start...end, chimes: chimes,
                                                    chimesAreGuessed: rules != .recorded || header.rules == nil, pieces)
    }
}
