import Experience
import Journal
import JournalFile
import Signals
import SoundFile
import Synchronization
import SystemPackage
import Units

/// A journal rendered into a sound file.
public enum Rendering {
    public struct Options: Sendable {
        public var rules = ReplayRules.recorded
        public var container = SoundFileContainer.wav
        public var format = SampleFormat.pcm16
        /// Nil keeps the session's.
        public var rate: SampleRate?
        public var cut = SessionCut.whole
        /// Interleaved: the sound, and what haptic patterns have a transducer do.
        public var channels = SoundFileLayout.Channels.mono
        public var dither = false
        /// Frames a block; it makes no difference to the samples. Long ones change threads seldom.
        public var block = 32768

        /// Those whose rules there are.
        public var pieces: [any Experience.Type]

        public init(_ pieces: [any Experience.Type]) { self.pieces = pieces }
    }

    public struct Result: Sendable {
        public var summary: SessionSummary
        public var rate: SampleRate
        public var limitedFrames: UInt64
        public var notes: PlaybackNotes
    }

    /// Writes the session in `journal`, or a cut of it, to `output`, front to back. `progress` is told how much is done, 0…1, now and
    /// then. Throws `JournalFault`, `SoundFileError` and `Errno`, and a `Fault` where the session has no such cut.
    public static func render(_ journal: FilePath, to output: FileDescriptor, _ options: Options,
                              progress: (Double) -> Void = { _ in }) throws -> Result {
        let spare = SpareBlocks()
        let blocks = start(journal, options, spare)
        defer { blocks.abandon() }
        guard case .opened(let part, let rate)? = try blocks.take()?.get() else { preconditionFailure("blocks say first how many") }
        var file = try SoundFileWriter(output, SoundFileLayout(
            container: options.container, format: options.format, rate: rate, channels: options.channels,
            frames: (part.upperBound - part.lowerBound).rawValue, framesBefore: part.lowerBound.rawValue, dither: options.dither))
        var summary = SessionSummary()
        let whole = max(1, part.upperBound.rawValue)
        let step = max(1, whole / 200)
        var announced: Int64 = 0
        var written: [Float]?
        while true {
            // Nobody else has it any more.
            if let block = written.take() { spare.put(block) }
            guard let item = try blocks.take()?.get() else { break }
            switch item {
            case .opened: break
            case .block(let block, let count, let cues, let end):
                for (cue, isInPart) in cues { summary.add(cue, isInPart: isInPart) }
                let samples = block.span.extracting(first: count)
                if count > 0 {
                    summary.add(samples, channels: options.channels == .interleaved ? 2 : 1)
                    try file.write(samples)
                }
                written = block
                if end.rawValue >= announced + step {
                    announced = end.rawValue
                    progress(min(1, Double(announced) / Double(whole)))
                }
            case .closed(let limitedFrames, let notes):
                try file.finish()
                return Result(summary: summary, rate: rate, limitedFrames: limitedFrames, notes: notes)
            }
        }
        preconditionFailure("blocks end with an error or with what they were")
    }

    /// What the rendering thread hands to the writing one.
    private enum Item: Sendable {
        case opened(part: Range<Frame>, rate: SampleRate)
        /// The first `count` samples count: none before the part. `end`: up to which frame of the session it has been rendered.
        case block([Float], count: Int, [(cue: Cue, isInPart: Bool)], end: Frame)
        case closed(limitedFrames: UInt64, PlaybackNotes)
    }

    private static func start(_ journal: FilePath, _ options: Options,
                              _ spare: SpareBlocks) -> BoundedChannel<Swift.Result<Item, any Error>> {
        .start(capacity: 16) { channel in
            do {
                var playback = try Playback(journal, by: options.rules, rate: options.rate, hasTransducer: options.channels == .interleaved,
                                            cut: options.cut, options.pieces)
                let channels = playback.channels
                channel.put(.success(.opened(part: playback.part, rate: playback.rate)))
                var isOver = false
                while !isOver {
                    var block = spare.take() ?? [Float](repeating: 0, count: channels * max(1, options.block))
                    var span = block.mutableSpan
                    let written = try playback.render(into: &span)
                    isOver = written == nil
                    let cues = playback.cues.map { (cue: $0.cue, isInPart: playback.isInPart($0.frame)) }
                    let item = Item.block(block, count: channels * (written ?? 0), cues, end: playback.position)
                    guard isOver || channel.put(.success(item)) else { return }
                }
                channel.put(.success(.closed(limitedFrames: playback.limitedFrames, playback.notes)))
            } catch {
                channel.put(.failure(error))
            }
        }
    }

    /// How many bytes of samples `render` would write, before they are compressed: none of a session that is too long to be played at once.
    /// Reads the journal's beginning and end, and all of it for a cut by marks. Throws as `render` does for what it reads.
    public static func bytes(of journal: FilePath, _ options: Options) throws -> Int64 {
        var scan = try JournalScan(journal)
        let header = try scan.header()
        let rate = options.rate ?? header.sampleRate
        let length = try SessionLength(of: journal, rate: header.sampleRate).frames
        let part = try options.cut.frames(of: journal, rate: header.sampleRate, length: length)
        let seconds = header.sampleRate.seconds(in: part.upperBound - part.lowerBound)
        guard seconds <= SessionLength.longest else { return 0 }
        return SoundFileLayout(container: options.container, format: options.format, rate: rate, channels: options.channels,
                               frames: rate.frames(in: seconds).rawValue).dataBytes
    }

    /// Reads the whole journal as `render` would, and writes nothing. Throws what `render` would throw because of it.
    public static func check(_ journal: FilePath, by rules: ReplayRules = .recorded, cut: SessionCut = .whole,
                             _ pieces: [any Experience.Type]) throws {
        var replay = try Replay(journal, by: rules, pieces)
        let rate = replay.header.sampleRate
        let part = try cut.frames(of: journal, rate: rate, length: SessionLength(of: journal, rate: rate).frames)
        try SessionLength.check(part, of: journal, rate: rate)
        try replay.finish()
    }
}

/// Blocks that have been written, to be rendered into again: memory that is new each time costs a quarter of a rendering. Thread: any.
private final class SpareBlocks: Sendable {
    private let blocks = Mutex<[[Float]]>([])

    func put(_ block: consuming [Float]) {
        let block = block
        blocks.withLock { $0.append(block) }
    }

    func take() -> [Float]? { blocks.withLock { $0.popLast() } }
}
