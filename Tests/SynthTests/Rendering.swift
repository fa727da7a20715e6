import Signals
import Synth
import Units

/// A command and the frame it acts on.
struct StampedCommand {
    var frame: Frame
    var command: SynthCommand

    init(_ command: SynthCommand, at frame: Frame) {
        self.frame = frame
        self.command = command
    }
}

/// Renders `seconds` of commands in blocks of `block` frames; the limiter's latency is left in.
func render(_ commands: [StampedCommand], frames: Int, block: Int = 480, settings: EngineSettings = EngineSettings())
    -> [Float] {
    var timeline = Timeline(settings)
    return render(commands, on: &timeline, frames: frames, block: block)
}

func render(_ commands: [StampedCommand], on timeline: inout Timeline, frames: Int, block: Int = 480) -> [Float] {
    var samples = [Float](repeating: 0, count: frames)
    var waiting = commands[...]
    var written = 0
    samples.withUnsafeMutableBufferPointer { buffer in
        var out = buffer.mutableSpan
        while written < frames {
            let start = written
            let end = Frame(timeline.position.rawValue + Int64(min(block, frames - start)))
            while let next = waiting.first, next.frame < end {
                written += timeline.render(until: next.frame, into: &out, at: written)
                timeline.apply(next.command)
                waiting.removeFirst()
            }
            written += timeline.render(until: end, into: &out, at: written)
        }
    }
    return samples
}

extension SynthCommand {
    func at(_ frame: Int) -> StampedCommand { StampedCommand(self, at: Frame(Int64(frame))) }

    static func note(_ frequency: Double, start: Double = 0, level: Double = -16, attack: Double = 0.003,
                     decay: Double = 1, partials: [Partial] = [Partial(ratio: 1, level: Decibels(0))]) -> SynthCommand {
        .note(NoteCommand(ChimeNote(start: Seconds(start), frequency: Hertz(frequency), level: Decibels(level),
                                    attack: Seconds(attack), decay: Seconds(decay), partials: partials)))
    }
}

/// The largest magnitude.
func peak(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { max($0, $1.magnitude) } }

/// The largest change from one sample to the next.
func largestStep(_ samples: ArraySlice<Float>) -> Float {
    zip(samples.dropFirst(), samples).reduce(0) { max($0, ($1.0 - $1.1).magnitude) }
}

extension WaveformBank {
    /// With these, by their numbers.
    convenience init(sounds: [[Float]] = [], touches: [[Float]]? = nil) {
        self.init(hasTransducer: touches != nil)
        for index in 0..<max(sounds.count, touches?.count ?? 0) {
            let sound = index < sounds.count ? sounds[index] : []
            precondition(add(sound: sound, touch: touches.map { index < $0.count ? $0[index] : [] }))
        }
    }
}
