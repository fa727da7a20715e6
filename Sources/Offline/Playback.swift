import Experience
import Haptics
import Journal
import JournalFile
import Signals
import SoundFile
import Synth
import SystemPackage
import Units

/// A journal being played into samples, front to back, in constant memory: the same reducer, score and engine as live,
/// with the journal for a clock.
public struct Playback: ~Copyable {
    public let header: JournalHeader
    /// Of the samples, which need not be the session's.
    public let rate: SampleRate
    /// At `rate`.
    public let frames: FrameCount
    /// The cues of the block last rendered, and the frames they were due at.
    public private(set) var cues: [(frame: Frame, cue: Cue)] = []

    private let feed: JournalFeed
    private var next: JournalEntry?
    private var experience: Direct
    private let score: Score
    private let bank: WaveformBank
    /// Sound files of the theme's patterns that cannot be read, and are silent.
    public let missingFiles: [String]
    private var timeline: Timeline

    /// `rate` nil keeps the session's. With a transducer each frame has two samples, the second being its. Throws `JournalFault`
    /// and `Errno`.
    public init(_ path: FilePath, rate: SampleRate? = nil, hasTransducer: Bool = false) throws {
        let feed = JournalFeed(path)
        let header: JournalHeader
        if case .header(let found)? = try feed.next() {
            header = found
        } else {
            // Cut off inside its very first line: nothing is known but that a session began.
            header = JournalHeader(sampleRate: rate ?? .standard, seed: 0, experience: .direct, started: "",
                                   theme: .standard)
        }
        let next = try feed.next()
        let length = try SessionLength(of: path, rate: header.sampleRate)
        self.header = header
        self.rate = rate ?? header.sampleRate
        frames = FrameCount(Self.convert(length.frames.rawValue, from: header.sampleRate, to: self.rate))
        experience = Direct(theme: header.theme, seed: header.seed)
        score = Score(header.theme, hasTransducer: hasTransducer)
        var missing: [String] = []
        bank = WaveformBank(
            sounds: header.theme.sounds(at: self.rate) { file in
                let samples = try? SoundFileReader.samples(of: file, at: rate ?? header.sampleRate)
                if samples == nil { missing.append(file) }
                return samples
            },
            touches: hasTransducer ? header.theme.touches(at: self.rate) : nil)
        missingFiles = missing
        timeline = Timeline(EngineSettings(header.theme, rate: self.rate, bank: bank))
        self.next = next
        self.feed = feed
    }

    /// Samples a frame.
    public var channels: Int { timeline.engine.settings.channels }

    /// Renders the next frames into `block` and returns which of its frames they are: the engine's latency is left out at the
    /// beginning, so that the samples have exactly the session's frames. Nil when the session is over. Throws
    /// `JournalFault` and `Errno`.
    public mutating func render(into block: inout MutableSpan<Float>) throws -> Range<Int>? {
        cues.removeAll(keepingCapacity: true)
        let latency = timeline.engine.latency
        let start = timeline.position
        let end = Frame(frames.rawValue) + latency
        let until = min(end, start + FrameCount(Int64(block.count / channels)))
        guard start < until else {
            try readThrough()
            return nil
        }
        if start == .zero { perform(experience.opening) }
        var written = 0
        while case .event(let event, let due)? = next {
            let frame = Frame(Self.convert(due.rawValue, from: header.sampleRate, to: rate))
            guard frame < until else { break }
            // Live would have refused it, so it is in no honest journal.
            if let fault = experience.refusal(of: event) { throw JournalFault(line: feed.line, fault: fault) }
            written += timeline.render(until: frame, into: &block, at: written)
            perform(experience.reduce(event))
            next = try feed.next()
            // Nothing after it, not even an end: whatever sounds is let down softly.
            if next == nil { perform([.stop]) }
        }
        written += timeline.render(until: until, into: &block, at: written)
        return Int(min(Int64(written), max(0, latency.rawValue - start.rawValue)))..<written
    }

    /// The line at which the session was cut off; nil if it ended as it should. Known once `render` has returned nil.
    public var cutLine: Int? {
        if case .cut(let line)? = feed.ending { line } else { nil }
    }

    /// Of all samples so far.
    public var limitedFrames: UInt64 { timeline.engine.counters.limitedFrames }

    private mutating func perform(_ cues: [Cue]) {
        for cue in cues {
            self.cues.append((timeline.position, cue))
            for command in score.commands(for: cue) {
                timeline.apply(command)
            }
        }
    }

    /// Reads what is left without rendering it, for the sake of its faults.
    mutating func readThrough() throws {
        while next != nil {
            if case .event(let event, _)? = next {
                if let fault = experience.refusal(of: event) { throw JournalFault(line: feed.line, fault: fault) }
                _ = experience.reduce(event)
            }
            next = try feed.next()
        }
    }

    /// Rounded down.
    private static func convert(_ frame: Int64, from: SampleRate, to: SampleRate) -> Int64 {
        guard from != to else { return frame }
        return Int64(from.hertz).dividingFullWidth(frame.multipliedFullWidth(by: Int64(to.hertz))).quotient
    }
}
