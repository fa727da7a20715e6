import Signals
import Units

/// The waveform by which an exciter or bass shaker plays a haptic pattern. A transient event is a burst that decays within a few periods. A
/// continuous event is a sine with the event's envelope. The sharpness sets the frequency of both.
public struct TransducerWaveform: Sendable {
    /// The samples, −1…1. Where the events add up to more than 1, the whole waveform is scaled down.
    public private(set) var samples: [Float] = []

    /// Computes the waveform. The times in `pattern` are rounded to frames at `rate`.
    public init(_ pattern: HapticPattern, rate: SampleRate) {
        for shape in HapticShape.shapes(of: pattern) { add(shape, at: Int(rate.frames(in: shape.start).rawValue), Double(rate.hertz)) }
        let peak = samples.reduce(0) { max($0, $1.magnitude) }
        if peak > 1 { for index in samples.indices { samples[index] /= peak } }
    }

    /// Returns the frequency for a sharpness: from 80 Hz at 0 to 250 Hz at 1, in equal ratios.
    static func frequency(_ sharpness: Double) -> Hertz {
        Hertz(80 * exp2(max(0, min(1, sharpness)) * octaves))
    }

    private static let octaves = log2(250.0 / 80)

    private mutating func add(_ shape: HapticShape, at start: Int, _ rate: Double) {
        var shape = shape
        let count = Int((shape.length.rawValue * rate).rounded(.up))
        if samples.count < start + count { samples += Array(repeating: 0, count: start + count - samples.count) }
        // The phase of the sine, in turns.
        var phase = 0.0
        // The frequency is mostly the same from frame to frame, and expensive to compute.
        var (sharpness, step) = (Double.nan, 0.0)
        for frame in 0..<count {
            let age = Seconds(Double(frame) / rate)
            samples[start + frame] += Float(shape.intensity(at: age)) * Waveform.sine(phase)
            let now = shape.sharpness(at: age)
            if now != sharpness { (sharpness, step) = (now, Self.frequency(now).rawValue / rate) }
            phase += step
            phase -= phase.rounded(.down)
        }
    }
}

/// The sound that is played with a haptic pattern. Core Haptics does not say what its event AudioContinuous sounds like. Here it is a sine
/// of 440 Hz at −6 dBFS. The sound's pitch shifts the sine by up to an octave. The sound's brightness adds up to half as much of the second
/// harmonic, and up to a quarter of the third.
public struct SoundWaveform: Sendable {
    public private(set) var samples: [Float] = []

    private static let base = 440.0
    private static let loudest: Float = 0.5

    /// Computes the sound. `file` returns a sound file's samples at `rate`. If the file cannot be read, it returns nil, and the sound is
    /// silent.
    public init(_ pattern: HapticPattern, rate: SampleRate, file: (String) -> [Float]?) {
        guard !pattern.sounds.isEmpty else { return }
        let volumes = ControlTrack(pattern, .volume)
        for (sound, shape) in zip(pattern.sounds, HapticShape.shapes(of: Self.pattern(like: pattern))) {
            let start = Int(rate.frames(in: sound.time).rawValue)
            switch sound.source {
            case .tone: addTone(shape, brightness: Float(sound.brightness), at: start, rate)
            case .file(let path):
                guard let samples = file(path) else { continue }
                var volume = volumes.cursor(at: sound.time.rawValue)
                add(at: start, count: samples.count) { frame in
                    let time = sound.time.rawValue + Double(frame) / Double(rate.hertz)
                    return samples[frame] * Float(sound.volume * volume.value(at: time))
                }
            }
        }
    }

    /// Returns `pattern` with a buzz in place of each sound. A tone's volume and pitch follow the same rules as a buzz's intensity and
    /// sharpness, so the code for buzzes can compute both.
    private static func pattern(like pattern: HapticPattern) -> HapticPattern {
        let controls = pattern.controls.compactMap { control -> HapticControl? in
            switch control.parameter {
            case .volume: HapticControl(.intensity, time: control.time, shape: control.shape)
            case .pitch: HapticControl(.sharpness, time: control.time, shape: control.shape.halved)
            case .intensity, .sharpness, .attack, .decay, .release: nil
            }
        }
        let buzzes = pattern.sounds.map { sound in
            let duration = if case .tone(let duration) = sound.source { duration } else { Seconds.zero }
            return HapticEvent(time: sound.time, kind: .continuous(duration: duration), intensity: sound.volume,
                               sharpness: (sound.pitch + 1) / 2, envelope: sound.envelope)
        }
        return HapticPattern(events: buzzes, controls: controls)
    }

    private mutating func addTone(_ shape: HapticShape, brightness: Float, at start: Int, _ rate: SampleRate) {
        var shape = shape
        // The phase of the sine, in turns.
        var phase = 0.0
        let perFrame = 1 / Double(rate.hertz)
        // The pitch is mostly the same from frame to frame, and expensive to compute.
        var (pitch, step) = (Double.nan, 0.0)
        add(at: start, count: Int((shape.length.rawValue / perFrame).rounded(.up))) { frame in
            let age = Seconds(Double(frame) * perFrame)
            let harmonics = brightness * (Waveform.sine(2 * phase) / 2 + Waveform.sine(3 * phase) / 4)
            let sample = (Waveform.sine(phase) + harmonics) / (1 + 0.75 * brightness)
            let now = shape.sharpness(at: age)
            if now != pitch { (pitch, step) = (now, Self.base * exp2(now * 2 - 1) * perFrame) }
            phase += step
            phase -= phase.rounded(.down)
            return Self.loudest * Float(shape.intensity(at: age)) * sample
        }
    }

    private mutating func add(at start: Int, count: Int, _ sample: (Int) -> Float) {
        if samples.count < start + count { samples += Array(repeating: 0, count: start + count - samples.count) }
        for frame in 0..<count { samples[start + frame] += sample(frame) }
    }
}

extension HapticControl.Shape {
    fileprivate var halved: HapticControl.Shape {
        switch self {
        case .jump(let value): .jump(value / 2)
        case .curve(let points): .curve(points.map { HapticControl.Point(time: $0.time, value: $0.value / 2) })
        }
    }
}

private enum Waveform {
    /// Returns sin(2π · `turns`).
    static func sine(_ turns: Double) -> Float {
        Units.sine(SIMD8(repeating: UInt32(truncatingIfNeeded: Int64(turns * 0x1p32))))[0]
    }
}
