import Experience
import Journal
import PatternWaveforms
import Signals
import SoundFile
import Synchronization
import Synth
import SystemPackage
import Units

/// Plays a journal into samples, from its beginning to its end, in constant memory. It makes sound out of cues as the live engine does, but
/// takes the time from the journal. By default the cues are those of the journal's lines, so that no rules are needed.
public struct Playback: ~Copyable {
    /// The rate of the samples, which need not be the session's.
    public let rate: SampleRate
    /// The frames of the session that are rendered, counted at `rate`.
    public let part: Range<Frame>
    /// The end of the whole session, as a frame at `rate`. It may be after the end of `part`.
    let end: Frame
    /// The cues of the block that was rendered last, each with the frame of the session at which it was due. Cues before `part` are
    /// included.
    public private(set) var cues: [(frame: Frame, cue: Cue)] = []

    private let feed: CueFeed
    /// What is known about the journal at its end; nil until all of `part` has been rendered.
    private var ending: CueFeed.Ending?
    private let waveforms: PatternWaveforms
    /// The sound files of the theme's patterns that cannot be read, and those that are others than the session was played with; they are
    /// silent. Of those that changed during the session, the present bytes are heard.
    private let missing = FileList(), exchanged = FileList(), changed = FileList()
    private var sound: ThemedTimeline
    /// The number of frames before `part` that the limiter changed.
    private var limitedBefore: UInt64 = 0

    /// Opens a journal. Where `rate` is nil, the session's rate is used. With a transducer each frame has two samples, the second of which
    /// is the transducer's. Throws `JournalFault`, `Errno`, and a `Fault` where the session does not have the part `cut`.
    public init(_ path: FilePath, by rules: ReplayRules = .recorded, rate: SampleRate? = nil, hasTransducer: Bool = false,
                cut: SessionCut = .whole, _ pieces: [any Experience.Type]) throws {
        let feed = try CueFeed(path, by: rules, pieces)
        let header = feed.header
        let rate = rate ?? header.sampleRate
        let length = try SessionLength(of: path, rate: header.sampleRate)
        let cut = try cut.frames(of: path, rate: header.sampleRate, length: length.frames)
        try SessionLength.check(cut, of: path, rate: header.sampleRate)
        func converted(_ frame: Frame) -> Frame { Self.convert(frame, from: header.sampleRate, to: rate) }
        // Whoever gives a theme of their own wants its files as they are now.
        let played = rules.theme == nil ? try PlayedSounds(of: path, header) : PlayedSounds()
        self.init(feed, played, rate: rate, part: converted(cut.lowerBound)..<converted(cut.upperBound),
                  end: converted(Frame(length.frames.rawValue)), hasTransducer: hasTransducer)
    }

    private init(_ feed: CueFeed, _ played: PlayedSounds, rate: SampleRate, part: Range<Frame>, end: Frame, hasTransducer: Bool) {
        self.rate = rate
        self.part = part
        self.end = end
        waveforms = PatternWaveforms(rate: rate, hasTransducer: hasTransducer) { [missing, exchanged, changed] file, _ in
            guard let sound = try? SoundFileReader.sound(of: file, at: rate) else {
                missing.add(file)
                return nil
            }
            switch played.verdict(on: file, digest: Hexadecimal.text(sound.digest)) {
            case .played: break
            case .playedInPart: changed.add(file)
            case .exchanged:
                exchanged.add(file)
                return nil
            }
            return sound.samples
        }
        sound = ThemedTimeline(feed.header.theme, rate: rate, waveforms)
        self.feed = feed
    }

    public var header: JournalHeader { feed.header }

    /// The frame of the session up to which sound has been rendered. The engine's latency is not subtracted from it.
    public var position: Frame { sound.timeline.position }

    /// The number of samples in a frame.
    public var channels: Int { sound.timeline.engine.settings.channels }

    /// The number of frames that are rendered.
    public var frames: FrameCount { part.upperBound - part.lowerBound }

    /// Whether a cue that is due at `frame` belongs to the part that is rendered.
    public func isInPart(_ frame: Frame) -> Bool { part.contains(frame) || part.upperBound == end && frame >= part.upperBound }

    /// Renders the next frames into `block`. Returns how many of them belong to the part: 0 where `block` is before the part, nil when the
    /// part is over. Leaves out the engine's latency, so that the part gets exactly its frames. Throws `JournalFault` and `Errno`.
    public mutating func render(into block: inout MutableSpan<Float>) throws -> Int? {
        cues.removeAll(keepingCapacity: true)
        let latency = sound.timeline.engine.latency
        let start = sound.timeline.position
        let first = part.lowerBound + latency
        // A block has frames of the part only, or none.
        let until = min(start < first ? first : part.upperBound + latency, start + FrameCount(Int64(block.count / channels)))
        guard start < until else {
            ending = try feed.finish()
            return nil
        }
        if start == .zero { perform(feed.opening) }
        var written = 0
        let sessionRate = header.sampleRate
        while let step = try feed.next(if: { [rate] in Self.convert($0, from: sessionRate, to: rate) < until }) {
            written += sound.render(until: Self.convert(step.frame, from: sessionRate, to: rate), into: &block, at: written)
            perform(step.cues)
        }
        written += sound.render(until: until, into: &block, at: written)
        guard start >= first else {
            limitedBefore = sound.timeline.engine.counters.limitedFrames
            return 0
        }
        return written
    }

    /// The notes on the session for the listener. They may be read once `render` has returned nil.
    public var notes: PlaybackNotes {
        let loss = ending?.firstLost.map { Loss(entries: ending?.lostEntries ?? 0, from: header.sampleRate.seconds(in: $0 - .zero)) }
        return PlaybackNotes(
            cutLine: ending?.cutLine, silence: ending?.hasEvents == false ? rate.seconds(in: frames) : nil,
            integrity: ending?.integrity ?? .unknown, loss: loss, missingFiles: missing.paths, exchangedFiles: exchanged.paths,
            changedFiles: changed.paths)
    }

    /// The number of frames of the part that the limiter has changed so far.
    public var limitedFrames: UInt64 { sound.timeline.engine.counters.limitedFrames - limitedBefore }

    private mutating func perform(_ cues: [Cue]) {
        self.cues += cues.map { (sound.timeline.position, $0) }
        sound.perform(cues, waveforms)
    }

    private final class FileList: Sendable {
        private let list = Mutex<[String]>([])

        var paths: [String] { list.withLock { $0 } }

        func add(_ path: String) { list.withLock { if !$0.contains(path) { $0.append(path) } } }
    }

    /// Converts a frame that is counted at the rate `from` to one at the rate `to`, rounded down.
    private static func convert(_ frame: Frame, from: SampleRate, to: SampleRate) -> Frame {
        guard from != to else { return frame }
        return Frame(Int64(from.hertz).dividingFullWidth(frame.rawValue.multipliedFullWidth(by: Int64(to.hertz))).quotient)
    }
}

/// A timeline that plays cues with the sounds and patterns of the present theme. It is a plain value: a copy can go on from the same
/// position.
struct ThemedTimeline: Sendable {
    private(set) var timeline: Timeline
    private var lowering: CueLowering

    /// Starts with the theme `theme`. The timeline must not outlive `waveforms`.
    init(_ theme: Theme, rate: SampleRate, _ waveforms: PatternWaveforms) {
        waveforms.learn(theme)
        lowering = waveforms.lowering(of: theme)
        timeline = Timeline(EngineSettings(theme, rate: rate, bank: waveforms.bank))
    }

    /// Renders the next frames, those before `frame`, into `out`, from the index `start` on. Returns their number.
    mutating func render(until frame: Frame, into out: inout MutableSpan<Float>, at start: Int) -> Int {
        timeline.render(until: frame, into: &out, at: start)
    }

    /// Makes `cues` take effect at the next frame. `waveforms` must be those that the timeline was started with.
    mutating func perform(_ cues: [Cue], _ waveforms: PatternWaveforms) {
        for cue in cues {
            if case .theme(let theme) = cue {
                waveforms.learn(theme)
                lowering = waveforms.lowering(of: theme)
            }
            for command in lowering.commands(for: cue) { timeline.apply(command) }
        }
    }
}

/// What a listener of a played journal should know, such as damage.
public struct PlaybackNotes: Sendable {
    /// The line at which the session was cut off; nil if it ended as it should.
    public var cutLine: Int?
    /// The length of a session without events, all of which is silent; nil for a session with events.
    public var silence: Seconds?
    /// The integrity of all lines according to their checksums.
    public var integrity: JournalIntegrity
    /// The entries that the journal lacks; nil if it lacks none.
    public var loss: Loss?
    /// The sound files of the theme's patterns that cannot be read, and are silent.
    public var missingFiles: [String]
    /// The sound files that have other bytes than those with which a signed session was played, and are silent.
    public var exchangedFiles: [String]
    /// The sound files that a reload changed during a signed session. They are heard as they are now in all of it.
    public var changedFiles: [String]
}

/// A loss of entries that the disk could not take when the session was recorded.
public struct Loss: Equatable, Sendable {
    public var entries: Int
    /// The time of the first lost entry, since the session's start. In a replay, fingers and tones that were held are released at that
    /// time.
    public var from: Seconds

    public init(entries: Int, from: Seconds) {
        self.entries = entries
        self.from = from
    }
}
