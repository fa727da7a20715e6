import Signals
import SoundFile
import Synth
import SystemPackage
import Units

/// A theme's chimes, one after the other, as the engine plays them: in the order of their names, each when the last has fallen by 60 dB.
struct ChimeRound {
    private static let pause = Seconds(0.25)

    private let theme: Theme
    let starts: [(name: String, start: Seconds)]
    private let end: Seconds

    init(_ theme: Theme) {
        self.theme = theme
        var starts: [(name: String, start: Seconds)] = []
        var time = Seconds.zero
        for (name, chime) in theme.chimes.sorted(by: { $0.key < $1.key }) {
            starts.append((name, time))
            let length = chime.notes.map { $0.start.rawValue + $0.attack.rawValue + $0.decay.rawValue }.max() ?? 0
            time = Seconds(time.rawValue + length + Self.pause.rawValue)
        }
        self.starts = starts
        end = time
    }

    /// Throws `SoundFileError`.
    func write(to file: FileDescriptor) throws {
        let rate = SampleRate.standard
        var timeline = Timeline(EngineSettings(theme, rate: rate))
        let latency = timeline.engine.latency
        let frames = rate.frames(in: end)
        var writer = try SoundFileWriter(file, SoundFileLayout(format: .float32, rate: rate, frames: frames.rawValue))
        var block = [Float](repeating: 0, count: 4_800)
        var waiting = starts[...]
        let last = Frame(frames.rawValue) + latency
        while timeline.position < last {
            let begin = timeline.position
            let until = min(last, begin + FrameCount(Int64(block.count)))
            var written = 0
            var span = block.mutableSpan
            while let (name, start) = waiting.first, Frame(rate.frames(in: start).rawValue) < until {
                waiting.removeFirst()
                written += timeline.render(until: Frame(rate.frames(in: start).rawValue), into: &span, at: written)
                for note in theme.chimes[name]?.notes ?? [] { timeline.apply(.note(NoteCommand(note))) }
            }
            written += timeline.render(until: until, into: &span, at: written)
            // What comes before the first sample that was asked for is the limiter's delay.
            let unasked = Int(min(Int64(written), max(0, latency.rawValue - begin.rawValue)))
            try writer.write(block[unasked..<written].span)
        }
        try writer.finish()
    }
}
