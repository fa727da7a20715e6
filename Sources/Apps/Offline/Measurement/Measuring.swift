import Experience
import SoundFile
import SystemPackage
import Venue

/// Sessions and sound files measured.
public enum Measuring {
    public struct Options: Sendable {
        public var rules = ReplayRules.recorded
        public var cut = SessionCut.whole
        /// The session's one channel counts as two, because both speakers play it.
        public var isDoubled = false
        /// How loud full scale is; nil where nobody says.
        public var hearing: HearingSettings?

        public init() {}
    }

    /// Frames a block.
    private static let block = 16_384

    /// Plays the session in `journal`. `progress` is told how much is done, 0…1. Throws as `Rendering.render` does.
    public static func session(_ journal: FilePath, _ options: Options, _ pieces: [any Experience.Type],
                               progress: (Double) -> Void = { _ in }) throws -> (sound: MeasuredSound, notes: PlaybackNotes) {
        var playback = try Playback(journal, by: options.rules, cut: options.cut, pieces)
        var measurement = SoundMeasurement(rate: playback.rate, channels: 1, isDoubled: options.isDoubled, hearing: options.hearing)
        var samples = [Float](repeating: 0, count: block)
        let whole = Double(max(1, playback.part.upperBound.rawValue))
        while true {
            var span = samples.mutableSpan
            guard let count = try playback.render(into: &span) else { break }
            measurement.add(samples.span.extracting(0..<count))
            progress(min(1, Double(playback.position.rawValue) / whole))
        }
        return (measurement.finish(), playback.notes)
    }

    /// Reads a sound file. Throws `SoundFileError` and `Errno`.
    public static func soundFile(_ path: FilePath, _ options: Options, progress: (Double) -> Void = { _ in }) throws -> MeasuredSound {
        var file = try SoundFileStream(path)
        guard file.channels <= 2 else {
            throw SoundFileError.refused("expected one or two channels, found \(file.channels)")
        }
        var measurement = SoundMeasurement(rate: file.rate, channels: file.channels, isDoubled: options.isDoubled && file.channels == 1,
                                           hearing: options.hearing)
        var samples = [Float](repeating: 0, count: block * file.channels)
        var done: Int64 = 0
        while case let count = file.read(into: &samples), count > 0 {
            measurement.add(samples.span.extracting(0..<(count * file.channels)))
            done += Int64(count)
            progress(min(1, Double(done) / Double(max(1, file.frames))))
        }
        return measurement.finish()
    }
}
