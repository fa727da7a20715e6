import Units

/// Pink noise, for checking loudspeakers: noise with the same power in every octave, so that its spectrum falls by 3 dB an octave. It is
/// the same on every run.
///
/// It is a sum of independent noises with relaxation spectra, one for each octave from 10 Hz up to half the sample rate (A. van der
/// Ziel, "On the noise spectra of semi-conductor noise and of flicker effect", Physica 16, 1950, pages 359 to 372). Each part with the
/// corner frequency f is white noise u through y ← a·y + g·u, with a = exp(−2π·f/rate). With g² = 1 − a² each part has the
/// power of u, so the power of the sum is known exactly. From 60 Hz to 12 kHz the spectrum is within 0.8 dB of the straight line at
/// rates from 44.1 kHz on.
///
/// Each sample depends only on the number of samples since the noise began, so blocks may have any length.
struct PinkNoise {
    private let rate: SampleRate
    private var gate = Ramp(at: 0)
    private var parts = InlineArray<14, Float>(repeating: 0)
    private var drawn: UInt64 = 0

    private static var lowest: Double { @_noLocks @_noAllocation get { 10 } }
    private static var seed: UInt64 { @_noLocks @_noAllocation get { 0x5049_4E4B } }
    private static var fade: Seconds { @_noLocks @_noAllocation get { .milliseconds(20) } }

    @_noLocks @_noAllocation
    init(rate: SampleRate) { self.rate = rate }

    var isOver: Bool { @_noLocks @_noAllocation get { gate.target == 0 && gate.remaining == 0 } }

    /// Begins the noise, or changes its level. `level` is that of its RMS in dBFS.
    @_noLocks @_noAllocation
    mutating func begin(level: Decibels) {
        if isOver { self = PinkNoise(rate: rate) }
        gate.head(for: min(1, level.magnitude.rawValue), in: Int(rate.frames(in: Self.fade).rawValue))
    }

    /// Fades the noise out.
    @_noLocks @_noAllocation
    mutating func end() { stop(in: Int(rate.frames(in: Self.fade).rawValue)) }

    /// Fades the noise out within `frames`.
    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        if gate.target != 0 || gate.remaining > frames { gate.head(for: 0, in: frames) }
    }

    /// Adds `count` frames to `span`, from `start` on.
    @_noLocks @_noAllocation
    mutating func add(to span: inout MutableSpan<Float>, at start: Int, count: Int) {
        guard !isOver else { return }
        var (poles, gains) = (InlineArray<14, Float>(repeating: 0), InlineArray<14, Float>(repeating: 0))
        let octaves = coefficients(&poles, &gains)
        var done = 0
        while done < count {
            let lanes = min(8, gate.remaining == 0 ? count - done : min(gate.remaining, count - done))
            let ramp = gate.next
            for lane in 0..<lanes {
                var sum: Float = 0
                for part in 0..<octaves {
                    parts[part] = poles[part] * parts[part] + gains[part] * Float(uniform(drawn, seed: Self.seed))
                    drawn &+= 1
                    sum += parts[part]
                }
                span[unchecked: start &+ done &+ lane] += sum * ramp[lane]
            }
            gate.advance(lanes)
            done += lanes
            if isOver { return }
        }
    }

    /// Computes each part's a and g, and returns the number of parts. The power of all parts together is 1.
    @_noLocks @_noAllocation
    private func coefficients(_ poles: inout InlineArray<14, Float>, _ gains: inout InlineArray<14, Float>) -> Int {
        let hertz = Double(rate.hertz)
        var octaves = 0
        var corner = Self.lowest
        while octaves < 14, corner * 2 < hertz {
            // log2(exp(−2π)) = −9.064720283654388.
            let pole = exp2(-9.064720283654388 * corner / hertz)
            poles[octaves] = Float(pole)
            // Uniform noise in −1…1 has a variance of 1/3.
            gains[octaves] = Float(exp2(0.5 * log2(3 * (1 - pole * pole))))
            octaves += 1
            corner *= 2
        }
        let share = Float(exp2(-0.5 * log2(Double(octaves))))
        for part in 0..<octaves { gains[part] *= share }
        return octaves
    }
}
