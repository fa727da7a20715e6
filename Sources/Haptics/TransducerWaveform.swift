import Signals
import Units

/// A haptic pattern as what an exciter or bass shaker is to do: a transient is a burst that decays within a few periods, a
/// continuous event a sine under its envelope. How sharp they are sets their frequency.
public struct TransducerWaveform: Sendable {
    /// None is beyond ±1: where events add up to more, all is made smaller.
    public private(set) var samples: [Float] = []

    /// `pattern`'s times are rounded to frames of `rate`.
    public init(_ pattern: HapticPattern, rate: SampleRate) {
        for shape in HapticShape.shapes(of: pattern) { add(shape, at: Int(rate.frames(in: shape.start).rawValue), Double(rate.hertz)) }
        let peak = samples.reduce(0) { max($0, $1.magnitude) }
        if peak > 1 { for index in samples.indices { samples[index] /= peak } }
    }

    /// From 80 Hz at sharpness 0 to 250 Hz at 1, in equal ratios.
    static func frequency(_ sharpness: Double) -> Hertz {
        Hertz(80 * exp2(max(0, min(1, sharpness)) * octaves))
    }

    private static let octaves = log2(250.0 / 80)

    private mutating func add(_ shape: HapticShape, at start: Int, _ rate: Double) {
        var shape = shape
        let count = Int((shape.length.rawValue * rate).rounded(.up))
        if samples.count < start + count { samples += Array(repeating: 0, count: start + count - samples.count) }
        // In turns.
        var phase = 0.0
        // Mostly the same from frame to frame, and dear to work out.
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
