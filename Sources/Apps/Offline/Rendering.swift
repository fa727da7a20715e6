import Experience
import Journal
import Signals
import SoundFile
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
        /// Sound files that could not be read, and are silent.
        public var missingFiles: [String]
        /// The line at which the session was cut off; nil if it ended as it should.
        public var cutLine: Int?
        /// The first line whose sum is wrong or missing; nil if none is known to be.
        public var changedLine: Int?
        /// Entries that are missing from the journal; nil if none is.
        public var loss: Loss?
    }

    /// Writes the session in `journal` to `output`, front to back. `progress` is told the part that is done,
    /// 0…1, now and then. Throws `JournalFault`, `SoundFileError` and `Errno`.
    public static func render(_ journal: FilePath, to output: FileDescriptor, _ options: Options,
                              progress: (Double) -> Void = { _ in }) throws -> Result {
        let blocks = start(journal, options)
        defer { blocks.abandon() }
        guard case .opened(let frames, let rate)? = try blocks.take()?.get() else { preconditionFailure("blocks say first how many") }
        var file = try SoundFileWriter(output, SoundFileLayout(
            container: options.container, format: options.format, rate: rate, channels: options.channels, frames: frames.rawValue,
            dither: options.dither))
        var summary = SessionSummary()
        let step = max(1, frames.rawValue / 200)
        var announced: Int64 = 0
        while let item = try blocks.take()?.get() {
            switch item {
            case .opened: break
            case .block(let samples, let cues):
                for cue in cues { summary.add(cue) }
                summary.add(samples.span, channels: options.channels == .interleaved ? 2 : 1)
                try file.write(samples.span)
                if summary.frames.rawValue >= announced + step {
                    announced = summary.frames.rawValue
                    progress(Double(announced) / Double(frames.rawValue))
                }
            case .closed(let limitedFrames, let missingFiles, let cutLine, let changedLine, let loss):
                try file.finish()
                return Result(summary: summary, rate: rate, limitedFrames: limitedFrames, missingFiles: missingFiles,
                              cutLine: cutLine, changedLine: changedLine, loss: loss)
            }
        }
        preconditionFailure("blocks end with an error or with what they were")
    }

    /// What the rendering thread hands to the writing one.
    private enum Item: Sendable {
        case opened(frames: FrameCount, rate: SampleRate)
        case block([Float], [Cue])
        case closed(limitedFrames: UInt64, missingFiles: [String], cutLine: Int?, changedLine: Int?, loss: Loss?)
    }

    private static func start(_ journal: FilePath, _ options: Options) -> BoundedChannel<Swift.Result<Item, any Error>> {
        .start(capacity: 16) { channel in
            do {
                var playback = try Playback(journal, by: options.rules, rate: options.rate, hasTransducer: options.channels == .interleaved,
                                            options.pieces)
                let channels = playback.channels
                channel.put(.success(.opened(frames: playback.frames, rate: playback.rate)))
                var isOver = false
                while !isOver {
                    var fresh: Range<Int>?
                    var block = try [Float](unsafeUninitializedCapacity: channels * max(1, options.block)) { buffer, count in
                        buffer.initialize(repeating: 0)
                        var span = buffer.mutableSpan
                        fresh = try playback.render(into: &span)
                        count = channels * (fresh?.upperBound ?? 0)
                    }
                    isOver = fresh == nil
                    if let first = fresh?.lowerBound, first > 0 { block.removeFirst(channels * first) }
                    guard isOver || channel.put(.success(.block(block, playback.cues.map(\.cue)))) else { return }
                }
                channel.put(.success(.closed(limitedFrames: playback.limitedFrames, missingFiles: playback.missingFiles,
                                               cutLine: playback.cutLine, changedLine: playback.changedLine, loss: playback.loss)))
            } catch {
                channel.put(.failure(error))
            }
        }
    }

    /// Reads the whole journal as `render` would, and writes nothing. Throws what `render` would throw because of it.
    public static func check(_ journal: FilePath, by rules: ReplayRules = .recorded, _ pieces: [any Experience.Type]) throws {
        var replay = try Replay(journal, by: rules, pieces)
        try replay.finish()
    }
}
