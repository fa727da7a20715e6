import Experience
import Journal
import JournalFile
import Signals
import SoundFile
import Synchronization
import SystemPackage
import Units

/// Renders a journal into a sound file.
public enum Rendering {
    public struct Options: Sendable {
        public var rules = ReplayRules.recorded
        public var container = SoundFileContainer.wav
        public var format = SampleFormat.pcm16
        /// The sample rate; nil keeps the session's.
        public var rate: SampleRate?
        public var cut = SessionCut.whole
        /// The channels of the file; `interleaved` has the sound and the transducer's signal.
        public var channels = SoundFileLayout.Channels.mono
        public var dither = false
        /// The number of frames in a block, which does not change the samples. With long blocks, threads switch less often.
        public var block = 32768

        /// The pieces whose rules are available.
        public var pieces: [any Experience.Type]

        public init(_ pieces: [any Experience.Type]) { self.pieces = pieces }
    }

    public struct Result: Sendable {
        public var summary: SessionSummary
        public var rate: SampleRate
        public var limitedFrames: UInt64
        public var notes: PlaybackNotes
    }

    /// Writes the session in `journal`, or a cut of it, to `output`, from its beginning to its end. Calls `progress` now and then with the
    /// fraction that is done, 0…1. Throws `JournalFault`, `SoundFileError` and `Errno`, and a `Fault` where the session does not have the
    /// cut.
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

    /// An item that the rendering thread hands to the writing thread.
    private enum Item: Sendable {
        case opened(part: Range<Frame>, rate: SampleRate)
        /// A block of samples, the first `count` of which are to be written; 0 for a block before the part. `end` is the frame of the
        /// session up to which sound has been rendered.
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

    /// Returns the number of bytes of samples that `render` would write, before compression; 0 for a session longer than
    /// `SessionLength.longest`. Reads the beginning and the end of the journal, and all of it for a cut by marks. Throws the errors that
    /// `render` throws while it reads these.
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

    /// Reads the whole journal as `render` would, and writes nothing. Throws what `render` would throw because of the journal.
    public static func check(_ journal: FilePath, by rules: ReplayRules = .recorded, cut: SessionCut = .whole,
                             _ pieces: [any Experience.Type]) throws {
        var replay = try Replay(journal, by: rules, pieces)
        let rate = replay.header.sampleRate
        let part = try cut.frames(of: journal, rate: rate, length: SessionLength(of: journal, rate: rate).frames)
        try SessionLength.check(part, of: journal, rate: rate)
        try replay.finish()
    }
}

/// A store of blocks that have been written, so that they can be rendered into again. Allocating each block anew takes a quarter of a
/// rendering's time. Thread: any.
private final class SpareBlocks: Sendable {
    private let blocks = Mutex<[[Float]]>([])

    func put(_ block: consuming [Float]) {
        let block = block
        blocks.withLock { $0.append(block) }
    }

    func take() -> [Float]? { blocks.withLock { $0.popLast() } }
}

/// A summary of a session, or of a part of it, in a few numbers. It is gathered while the session is rendered.
public struct SessionSummary: Equatable, Sendable {
    public private(set) var frames = FrameCount.zero
    /// The largest magnitude of any sample.
    public private(set) var peak = Magnitude(0)
    /// The pitch of the tone when it first sounded; nil if it never did. `endPitch` is the pitch when it last sounded.
    public private(set) var startPitch: Hertz?
    public private(set) var endPitch: Hertz?
    public private(set) var touches = 0
    public private(set) var chimes: [String: Int] = [:]

    private var pitch: Hertz?
    private var isOpen = false
    private var hasBegun = false

    public init() {}

    /// Adds frames of `channels` samples each. Only the first sample of a frame counts: it is the sound's.
    public mutating func add(_ samples: Span<Float>, channels: Int = 1) {
        begin()
        // Magnitudes order like their bits, and whole numbers are compared several at a time.
        var largest = Int32(bitPattern: peak.rawValue.bitPattern)
        if channels == 1 {
            for index in samples.indices {
                largest = max(largest, Int32(bitPattern: samples[unchecked: index].bitPattern & 0x7FFF_FFFF))
            }
        } else {
            for index in stride(from: 0, to: samples.count, by: channels) {
                largest = max(largest, Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF))
            }
        }
        peak = Magnitude(Float(bitPattern: UInt32(bitPattern: largest)))
        frames = frames + FrameCount(Int64(samples.count / channels))
    }

    /// Adds a cue. Before the part (`isInPart` is false) it counts only as far as its effect lasts into the part, for instance a pitch.
    public mutating func add(_ cue: Cue, isInPart: Bool = true) {
        if isInPart { begin() } else if hasBegun { return }
        switch cue {
        case .tonePitch(let frequency, _): pitch = frequency
        case .toneGate(let open):
            isOpen = open
            if open, isInPart { touches += 1 }
        case .chime(let name) where isInPart: chimes[name, default: 0] += 1
        case .stop: isOpen = false
        case .chime, .toneLevel, .texture, .noise, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
        }
        if isOpen, isInPart {
            startPitch = startPitch ?? pitch
            endPitch = pitch
        }
    }

    /// Notes that the part begins, once. A tone that sounds at that time belongs to the part.
    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        guard isOpen else { return }
        touches += 1
        (startPitch, endPitch) = (pitch, pitch)
    }
}
