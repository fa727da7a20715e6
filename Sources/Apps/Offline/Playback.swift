import Experience
import Journal
import JournalFile
import PatternWaveforms
import Signals
import SoundFile
import Synchronization
import Synth
import SystemPackage
import Units

/// A journal being played into samples, front to back, in constant memory: the same lowering and engine as live, with the journal for a
/// clock. The cues are those of its lines, so no rules are needed.
public struct Playback: ~Copyable {
    /// Of the samples, which need not be the session's.
    public let rate: SampleRate
    /// At `rate`.
    public let frames: FrameCount
    /// The cues of the block last rendered, and the frames they were due at.
    public private(set) var cues: [(frame: Frame, cue: Cue)] = []

    private var replay: Replay
    private var lowering: CueLowering
    private let waveforms: PatternWaveforms
    /// Sound files of the theme's patterns that cannot be read, and are silent.
    public var missingFiles: [String] { missing.paths.withLock { $0 } }
    private let missing = MissingFiles()
    private var timeline: Timeline

    /// `rate` nil keeps the session's. With a transducer each frame has two samples, the second being its. Throws `JournalFault`
    /// and `Errno`.
    public init(_ path: FilePath, by rules: ReplayRules = .recorded, rate: SampleRate? = nil, hasTransducer: Bool = false,
                _ pieces: [any Experience.Type]) throws {
        let replay = try Replay(path, by: rules, pieces)
        let header = replay.header
        let rate = rate ?? header.sampleRate
        let length = try SessionLength(of: path, rate: header.sampleRate)
        try length.check(path, rate: header.sampleRate)
        self.rate = rate
        frames = FrameCount(Self.convert(length.frames.rawValue, from: header.sampleRate, to: rate))
        waveforms = PatternWaveforms(rate: rate, hasTransducer: hasTransducer) { [missing] file in
            let samples = try? SoundFileReader.samples(of: file, at: rate)
            if samples == nil { missing.paths.withLock { $0.append(file) } }
            return samples
        }
        waveforms.learn(header.theme)
        lowering = waveforms.lowering(of: header.theme)
        timeline = Timeline(EngineSettings(header.theme, rate: rate, bank: waveforms.bank))
        self.replay = replay
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
            try replay.finish()
            return nil
        }
        if start == .zero { perform(replay.opening) }
        var written = 0
        while let due = replay.nextFrame {
            let frame = Frame(Self.convert(due.rawValue, from: replay.header.sampleRate, to: rate))
            guard frame < until else { break }
            written += timeline.render(until: frame, into: &block, at: written)
            perform(try replay.step() ?? [])
            // Nothing after it, not even an end: whatever sounds is let down softly.
            if replay.isOver { perform([.stop]) }
        }
        written += timeline.render(until: until, into: &block, at: written)
        return Int(min(Int64(written), max(0, latency.rawValue - start.rawValue)))..<written
    }

    /// The line at which the session was cut off; nil if it ended as it should. Known once `render` has returned nil.
    public var cutLine: Int? { replay.cutLine }

    /// The first line whose sum is wrong or missing; nil if none is known to be. Known once `render` has returned nil.
    public var changedLine: Int? { replay.changedLine }

    /// Entries that are missing from the journal, and the moment from which the first of them is; nil if none is. Known once
    /// `render` has returned nil.
    public var loss: Loss? {
        replay.firstLost.map { Loss(entries: replay.lostEntries, from: replay.header.sampleRate.seconds(in: $0 - .zero)) }
    }

    /// Of all samples so far.
    public var limitedFrames: UInt64 { timeline.engine.counters.limitedFrames }

    private mutating func perform(_ cues: [Cue]) {
        for cue in cues {
            self.cues.append((timeline.position, cue))
            if case .theme(let theme) = cue {
                waveforms.learn(theme)
                lowering = waveforms.lowering(of: theme)
            }
            for command in lowering.commands(for: cue) {
                timeline.apply(command)
            }
        }
    }

    private final class MissingFiles: Sendable {
        let paths = Mutex<[String]>([])
    }

    /// Rounded down.
    private static func convert(_ frame: Int64, from: SampleRate, to: SampleRate) -> Int64 {
        guard from != to else { return frame }
        return Int64(from.hertz).dividingFullWidth(frame.multipliedFullWidth(by: Int64(to.hertz))).quotient
    }
}
