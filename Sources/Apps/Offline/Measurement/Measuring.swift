import Experience
import Loudness
import SoundFile
import SystemPackage
import Units
import Venue

/// Measures sessions and sound files.
public enum Measuring {
    public struct Options: Sendable {
        public var rules = ReplayRules.recorded
        public var cut = SessionCut.whole
        /// Whether the session's single channel counts twice in the loudness, because both speakers play it.
        public var isDoubled = false
        /// The settings that say how loud full scale is at the listener; nil where that is unknown.
        public var hearing: HearingSettings?

        public init() {}
    }

    /// The number of frames in a block.
    private static let block = 16_384

    /// An item that one thread hands to the next.
    private enum Item: Sendable {
        case opened(rate: SampleRate, channels: Int)
        /// A block of interleaved samples; `fraction` is the fraction of the sound that is done, 0…1.
        case block([Float], fraction: Double)
        /// The end of the sound, with the notes on a session (nil for a sound file) and the loudness of all blocks.
        case closed(PlaybackNotes?, LoudnessFigures?)
    }

    private typealias Belt = BoundedChannel<Result<Item, any Error>>

    /// Measures the session in `journal` by playing it. Calls `progress` with the fraction that is done, 0…1. Throws as
    /// `Rendering.render` does.
    public static func session(_ journal: FilePath, _ options: Options, _ pieces: [any Experience.Type],
                               progress: (Double) -> Void = { _ in }) throws -> (sound: MeasuredSound, notes: PlaybackNotes?) {
        try measure(options, progress) { put in
            var playback = try Playback(journal, by: options.rules, cut: options.cut, pieces)
            guard put(.opened(rate: playback.rate, channels: 1)) else { return }
            let whole = Double(max(1, playback.part.upperBound.rawValue))
            while true {
                var samples = [Float](repeating: 0, count: block)
                var span = samples.mutableSpan
                guard let count = try playback.render(into: &span) else { break }
                if count < block { samples.removeLast(block - count) }
                guard put(.block(samples, fraction: min(1, Double(playback.position.rawValue) / whole))) else { return }
            }
            _ = put(.closed(playback.notes, nil))
        }
    }

    /// Measures a sound file. Calls `progress` with the fraction that is done, 0…1. Throws `SoundFileError` and `Errno`.
    public static func soundFile(_ path: FilePath, _ options: Options, progress: (Double) -> Void = { _ in }) throws -> MeasuredSound {
        try measure(options, progress) { put in
            var file = try SoundFileStream(path)
            guard file.channels <= 2 else {
                throw SoundFileError.refused("expected one or two channels, found \(file.channels)")
            }
            guard put(.opened(rate: file.rate, channels: file.channels)) else { return }
            var samples = [Float](repeating: 0, count: block * file.channels)
            var done: Int64 = 0
            while case let count = file.read(into: &samples), count > 0 {
                done += Int64(count)
                let fraction = min(1, Double(done) / Double(max(1, file.frames)))
                guard put(.block(Array(samples[..<(count * file.channels)]), fraction: fraction)) else { return }
            }
            _ = put(.closed(nil, nil))
        }.sound
    }

    /// Measures on three threads, so that processors share the work. `source` puts blocks into a channel until the consumer abandons it.
    /// The second thread measures their loudness, and the caller's thread measures everything else.
    private static func measure(_ options: Options, _ progress: (Double) -> Void,
                                _ source: @escaping @Sendable (_ put: (Item) -> Bool) throws -> Void) throws
        -> (sound: MeasuredSound, notes: PlaybackNotes?) {
        let played = Belt.start(capacity: 16) { belt in
            do {
                try source { belt.put(.success($0)) }
            } catch {
                belt.put(.failure(error))
            }
        }
        let heard = Belt.start(capacity: 16) { belt in
            defer { played.abandon() }
            guard let opened = played.take() else { return }
            belt.put(opened)
            guard case .success(.opened(let rate, let channels)) = opened else { return }
            var meter = LoudnessMeter(rate: rate, channels: channels, isDoubled: options.isDoubled && channels == 1)
            while let item = played.take() {
                switch item {
                case .success(.closed(let notes, _)): belt.put(.success(.closed(notes, meter.figures)))
                case .success(.block(let samples, _)):
                    meter.add(samples.span)
                    guard belt.put(item) else { return }
                case .success(.opened), .failure: belt.put(item)
                }
            }
        }
        defer { heard.abandon() }
        guard case .opened(let rate, let channels)? = try heard.take()?.get() else { preconditionFailure("a source opens first") }
        var measurement = SoundMeasurement(rate: rate, channels: channels, hearing: options.hearing)
        while let item = try heard.take()?.get() {
            switch item {
            case .block(let samples, let fraction):
                measurement.add(samples.span)
                progress(fraction)
            case .closed(let notes, let loudness?): return (measurement.finish(loudness), notes)
            case .opened, .closed(_, nil): break
            }
        }
        preconditionFailure("blocks end with an error or with what they were")
    }
}
