import Experience
import Signals
import SoundFile
import Synth
import SystemPackage
import Units

/// Plays a theme's chimes, then its textures, then the whole course of its tone, as the engine plays them. Chimes and textures come in the
/// order of their names. A chime lasts until it has fallen by 60 dB, a texture for two breaths.
struct ThemeRound {
    private static let pause = Seconds(0.25)
    /// The time from the first card of the tone's course to the last card that changes the tone, however many cards there are.
    private static let course = Seconds(16)

    private struct Step {
        var start: Seconds
        var cues: [Cue]
    }

    private let theme: Theme
    let starts: [(name: String, start: Seconds)]
    private let steps: [Step]
    private let end: Seconds

    /// Plans the whole theme or, if `part` is given, only that part.
    init(_ theme: Theme, part: ThemePart? = nil) {
        self.theme = theme
        var starts: [(name: String, start: Seconds)] = []
        var steps: [Step] = []
        var time = 0.0
        for (name, chime) in theme.chimes.sorted(by: { $0.key < $1.key }) where part == nil || part == .chime(name) {
            starts.append((name, Seconds(time)))
            steps.append(Step(start: Seconds(time), cues: [.chime(name)]))
            time += (chime.notes.map { $0.start.rawValue + $0.attack.rawValue + $0.decay.rawValue }.max() ?? 0) + Self.pause.rawValue
        }
        for (name, texture) in theme.textures.sorted(by: { $0.key < $1.key }) where part == nil || part == .texture(name) {
            starts.append((name, Seconds(time)))
            steps.append(Step(start: Seconds(time), cues: [.texture(name, on: true)]))
            time += texture.attack.rawValue + 2 * (texture.breath?.period.rawValue ?? 1)
            steps.append(Step(start: Seconds(time), cues: [.texture(name, on: false)]))
            time += texture.release.rawValue + Self.pause.rawValue
        }
        if part == nil || part == .tone {
            starts.append(("tone", Seconds(time)))
            var tone = ToneSteps(theme.toneCurve, seed: 0)
            let opening = [Cue.tonePitch(tone.pitch, glide: .zero), .toneLevel(tone.level), .toneGate(open: true)]
            steps.append(Step(start: Seconds(time), cues: opening))
            let stops = min(theme.toneCurve.views, 800)
            for stop in 1...stops {
                let start = Seconds(time + Double(stop) / Double(stops) * Self.course.rawValue)
                steps.append(Step(start: start, cues: tone.cues(movingTo: theme.toneCurve.views * stop / stops)))
            }
            time += Self.course.rawValue + Self.pause.rawValue
            steps.append(Step(start: Seconds(time), cues: [.toneGate(open: false)]))
            time += theme.toneFade.rawValue + Self.pause.rawValue
        }
        self.starts = starts
        self.steps = steps
        end = Seconds(time)
    }

    /// Writes the sound as a WAV file. Throws `SoundFileError`.
    func write(to file: FileDescriptor) throws {
        let frames = SampleRate.standard.frames(in: end).rawValue
        var writer = try SoundFileWriter(file, SoundFileLayout(format: .float32, rate: .standard, frames: frames))
        try play { try writer.write($0) }
        try writer.finish()
    }

    /// Renders the sound at 48 kHz, and passes `take` one block of samples at a time.
    func play(_ take: (Span<Float>) throws -> Void) rethrows {
        let rate = SampleRate.standard
        let lowering = CueLowering(theme, numbers: [:], hasTransducer: false)
        var timeline = Timeline(EngineSettings(theme, rate: rate))
        let latency = timeline.engine.latency
        let frames = rate.frames(in: end)
        var block = [Float](repeating: 0, count: 4_800)
        var waiting = steps[...]
        let last = Frame(frames.rawValue) + latency
        while timeline.position < last {
            let begin = timeline.position
            let until = min(last, begin + FrameCount(Int64(block.count)))
            var written = 0
            var span = block.mutableSpan
            while let step = waiting.first, Frame(rate.frames(in: step.start).rawValue) < until {
                waiting.removeFirst()
                written += timeline.render(until: Frame(rate.frames(in: step.start).rawValue), into: &span, at: written)
                for command in step.cues.flatMap(lowering.commands) { timeline.apply(command) }
            }
            written += timeline.render(until: until, into: &span, at: written)
            // The samples before the first frame are the limiter's delay, and are dropped.
            let unasked = Int(min(Int64(written), max(0, latency.rawValue - begin.rawValue)))
            try take(block[unasked..<written].span)
        }
    }
}
