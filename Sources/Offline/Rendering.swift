import Journal
import Signals
import SoundFile
import SystemPackage
import Units

/// A journal rendered into a sound file.
public enum Rendering {
    public struct Options: Sendable {
        public var format = SampleFormat.pcm16
        /// Nil keeps the session's.
        public var rate: SampleRate?
        public var channels = 1
        public var dither = false
        /// Frames a block; it makes no difference to the samples.
        public var block = 4096

        public init() {}
    }

    public struct Result: Sendable {
        public var summary: SessionSummary
        public var rate: SampleRate
        public var limitedFrames: UInt64
        /// The line at which the session was cut off; nil if it ended as it should.
        public var cutLine: Int?
    }

    /// Writes the session in `journal` to `output` as a WAV, front to back. `progress` is told the part that is done,
    /// 0…1, now and then. Throws `JournalFault`, `SoundFileError` and `Errno`.
    public static func render(_ journal: FilePath, to output: FileDescriptor, _ options: Options,
                              progress: (Double) -> Void = { _ in }) throws -> Result {
        var playback = try Playback(journal, rate: options.rate)
        var file = try SoundFileWriter(output, SoundFileLayout(
            format: options.format, rate: playback.rate, channels: options.channels, frames: playback.frames.rawValue,
            dither: options.dither))
        var summary = SessionSummary()
        var block = [Float](repeating: 0, count: max(1, options.block))
        let step = max(1, playback.frames.rawValue / 200)
        var announced: Int64 = 0
        while true {
            var span = block.mutableSpan
            guard let fresh = try playback.render(into: &span) else { break }
            for (_, cue) in playback.cues { summary.add(cue) }
            let samples = block.span.extracting(fresh)
            summary.add(samples)
            try file.write(samples)
            if summary.frames.rawValue >= announced + step {
                announced = summary.frames.rawValue
                progress(Double(announced) / Double(playback.frames.rawValue))
            }
        }
        try file.finish()
        return Result(summary: summary, rate: playback.rate, limitedFrames: playback.limitedFrames,
                      cutLine: playback.cutLine)
    }

    /// Reads the whole journal as `render` would, and writes nothing. Throws what `render` would throw because of it.
    public static func check(_ journal: FilePath) throws {
        var playback = try Playback(journal)
        try playback.readThrough()
    }
}
