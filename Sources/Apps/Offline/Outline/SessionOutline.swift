import Experience
import Journal
import Loudness
import Signals
import SystemPackage
import Units

/// An outline of a session, or of a part of it. It shows how loud the sound was, its spectrum, the tone's pitch, and what happened when.
public struct SessionOutline: Sendable {
    public struct Column: Sendable {
        /// The peak of the samples in the column.
        public var peak = Magnitude(0)
        /// The tone's last pitch in the column; nil while the tone was off.
        public var pitch: Hertz?
    }

    public struct Mark: Sendable {
        /// The time since the session's start.
        public var at: Seconds
        public var chime: String
    }

    /// The number of samples that are handed over at once.
    private static let share = 4_096

    /// The header of the session, which has the piece, its first theme, and the time of its beginning.
    public let header: JournalHeader
    /// The columns from beginning to end, which have equal length.
    public private(set) var columns: [Column]
    /// The chimes, at most 1,000.
    public private(set) var marks: [Mark] = []
    /// The time from the session's start to the beginning of the part.
    public let start: Seconds
    public let duration: Seconds
    /// The time from the end of the part to the end of the session.
    public let rest: Seconds
    /// The rows of moments; rows without a moment are left out.
    public private(set) var rows: [MomentRow] = []
    /// The first line on which the piece's rules cannot act; the piece's rows end there. Nil where there is no such line.
    public private(set) var ruleFault: JournalFault?
    /// The readings of loudness, in order, with times from the part's start.
    public let loudness: [LoudnessReading]
    /// The integrated loudness of the part, in LUFS; nil for silence.
    public let integrated: Double?
    public let spectrogram: Spectrogram
    public let notes: PlaybackNotes

    /// Plays the journal and gathers the outline. Calls `progress` now and then with the fraction that is done, 0 to 1. Throws
    /// `JournalFault` and `Errno`, and a `Fault` where the session does not have the part `cut`.
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
                case .chime, .texture, .noise, .toneLevel, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
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

/// Measures the loudness of sound as it changes with time, by EBU R 128, from its beginning to its end.
private struct LoudnessCourse: ~Copyable {
    /// The loudness in LUFS below which sound counts as silence: the gate of BS.1770-4.
    private static let silence = -70.0

    private var meter: LoudnessMeter
    private let rate: SampleRate
    /// The number of frames in 100 ms. EBU Tech 3341 has a meter updated that often.
    private let tenth: Int64
    /// The number of frames from one reading to the next.
    private let step: Int64
    private var frames: Int64 = 0
    private var momentary: Double?
    private(set) var readings: [LoudnessReading] = []

    /// Starts without readings, for `frames` frames of sound that `add` gets later. The interval between readings is chosen so that there
    /// will be about `most` of them, at most one or two more.
    init(rate: SampleRate, frames: Int64, most: Int) {
        meter = LoudnessMeter(rate: rate, channels: 1, findsTruePeak: false)
        self.rate = rate
        tenth = Int64(rate.hertz) / 10
        step = max(1, frames / Int64(most) / tenth) * tenth
    }

    /// The integrated loudness of all the sound, in LUFS; nil for silence.
    var integrated: Double? { meter.integrated }

    /// Adds the next frames, of one channel.
    mutating func add(_ samples: Span<Float>) {
        var start = 0
        while start < samples.count {
            let count = min(Int(tenth - frames % tenth), samples.count - start)
            meter.add(samples.extracting(start..<(start + count)))
            start += count
            frames += Int64(count)
            if frames % tenth == 0 { read() }
        }
    }

    private mutating func read() {
        func audible(_ level: Double?) -> Double? { level.flatMap { $0 > Self.silence ? $0 : nil } }
        if let level = audible(meter.momentary) { momentary = max(momentary ?? level, level) }
        guard frames % step == 0 else { return }
        let now = rate.seconds(in: FrameCount(frames))
        readings.append(LoudnessReading(at: now, momentary: momentary, shortTerm: audible(meter.shortTerm)))
        momentary = nil
    }
}

/// What a loudness meter reads at a time. A value that is nil means silence.
public struct LoudnessReading: Equatable, Sendable {
    /// The time of the reading, since the sound's start.
    public var at: Seconds
    /// The largest momentary loudness (of 400 ms) since the reading before, in LUFS.
    public var momentary: Double?
    /// The short-term loudness (of the last 3 s), in LUFS.
    public var shortTerm: Double?
}
