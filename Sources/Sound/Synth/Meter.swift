import Units

/// The level of the sound over a span of time.
public struct MeterReading: Equatable, Sendable {
    /// The largest magnitude of a sample; 1 is full scale.
    public var peak: Float
    public var meanSquare: Float
    /// The mean square after A-weighting (IEC 61672-1). A full-scale sine at 1 kHz has 0.5.
    public var weightedMeanSquare: Float

    public init(peak: Float, meanSquare: Float, weightedMeanSquare: Float) {
        self.peak = peak
        self.meanSquare = meanSquare
        self.weightedMeanSquare = weightedMeanSquare
    }
}

/// Measures the sound that was played, in blocks of 5 ms. Each block is measured once, when somebody asks for a reading. By then no event
/// can change the block any more, so no measurement is wasted. The render thread measures nothing.
///
/// Thread: the owner's, and no other.
public final class Meter {
    private let frames: RenderedFrames
    private let blockLength: Int64
    private let weighting: AWeighting
    private var memory = AWeighting.Memory()
    /// The number of the next block to measure. `memory` is the filter's state at that block's beginning.
    private var next: Int64 = 0
    /// The newest blocks. A block's index is its number modulo their count.
    private var blocks: [Block]
    private var samples: [Float]

    private struct Block {
        var number: Int64 = -1
        var reading = MeterReading(peak: 0, meanSquare: 0, weightedMeanSquare: 0)
    }

    public init(_ frames: RenderedFrames) {
        self.frames = frames
        blockLength = max(32, Int64(frames.rate.hertz) / 188)
        weighting = AWeighting(rate: frames.rate)
        blocks = Array(repeating: Block(), count: Int(frames.capacity / blockLength) + 1)
        samples = Array(repeating: 0, count: Int(blockLength))
    }

    /// Returns the reading of the blocks that end in `frames`. All of these must have been heard already. nil when none of them is known,
    /// because they are not rendered yet, or too old.
    public func reading(of frames: Range<Frame>) -> MeterReading? {
        let end = max(0, frames.upperBound.rawValue / blockLength)
        measure(until: end)
        let first = max(0, end - Int64(blocks.count), frames.lowerBound.rawValue / blockLength)
        var reading = MeterReading(peak: 0, meanSquare: 0, weightedMeanSquare: 0)
        var known = 0
        for number in first..<max(first, end) {
            let block = blocks[Int(number) % blocks.count]
            guard block.number == number else { continue }
            known += 1
            reading.peak = max(reading.peak, block.reading.peak)
            reading.meanSquare += block.reading.meanSquare
            reading.weightedMeanSquare += block.reading.weightedMeanSquare
        }
        guard known > 0 else { return nil }
        reading.meanSquare /= Float(known)
        reading.weightedMeanSquare /= Float(known)
        return reading
    }

    /// Measures the blocks before `end` that have not been measured yet, if their frames are still stored.
    private func measure(until end: Int64) {
        let oldest = max(0, end - Int64(blocks.count))
        for number in max(next, oldest)..<max(next, oldest, end) where load(number) {
            if number != next { memory = AWeighting.Memory() }
            blocks[Int(number) % blocks.count] = Block(number: number, reading: measureSamples())
            next = number + 1
        }
    }

    /// Fetches the samples of a block. Returns false when one of them is missing.
    private func load(_ number: Int64) -> Bool {
        for index in 0..<Int(blockLength) {
            guard let sample = frames.sample(at: number * blockLength + Int64(index)) else { return false }
            samples[index] = sample
        }
        return true
    }

    private func measureSamples() -> MeterReading {
        var peak: Float = 0
        var sum: Float = 0
        for sample in samples {
            peak = max(peak, sample.magnitude)
            sum += sample * sample
        }
        var weighted = 0.0
        // Silence is not filtered: most of the day nobody is there.
        if sum != 0 || !memory.isEmpty {
            weighted = weighting.energy(of: samples.span, memory: &memory) / Double(blockLength)
            memory = memory.settled
        }
        return MeterReading(peak: peak, meanSquare: sum / Float(blockLength), weightedMeanSquare: weighted.isFinite ? Float(weighted) : 0)
    }
}

/// The A-weighting of IEC 61672-1 as a digital filter, with 0 dB at 1 kHz: it weights sound by how loud it is for ears.
///
/// The standard's formula has double poles at f1 and f4, and single poles at f2 and f3. Each pole becomes a first-order section, which
/// keeps its precision at any sample rate:
/// - The four high-pass sections come from the bilinear transform, which is accurate in the range where they act.
/// - The bilinear transform would bend the two low-pass sections. For them, (f/rate)² is replaced by φ/(π²·(1 − 0.36·φ)) with
///   φ = sin²(πf/rate). This is exact towards 0, within 0.3 % up to a sixth of the rate, and puts the section's zero at −1/9.
///
/// The filter differs from the standard's formula by less than 0.01 dB from 50 Hz to 5 kHz, at 44.1 kHz and above. At lower sample rates it
/// differs by less than 0.2 dB, from 20 Hz to 0.3 times the rate.
///
/// Thread: any; a plain value.
public struct AWeighting: Sendable, BitwiseCopyable {
    /// The state of the filter's six sections between two samples.
    public struct Memory: Equatable, Sendable, BitwiseCopyable {
        fileprivate var a = 0.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0

        public init() {}

        /// This state, or an empty one if this state is more than 240 dB below full scale or not finite. So silence need not be filtered.
        public var settled: Memory {
            let size = a.magnitude + b.magnitude + c.magnitude + d.magnitude + e.magnitude + f.magnitude
            return size > 1e-12 && size < .infinity ? self : Memory()
        }

        var isEmpty: Bool { a == 0 && b == 0 && c == 0 && d == 0 && e == 0 && f == 0 }
    }

    /// The pole at f1 (used twice). `low`, `middle` and `high` are those at f2, f3 and f4 (used twice).
    private let lowest: Double
    private let low: Double
    private let middle: Double
    private let high: Double
    /// The zero of the two low-pass sections, negated.
    private let zero = 1.0 / 9
    /// The factor for squares that makes the filter 0 dB at 1 kHz.
    private let gain: Double

    public init(rate: SampleRate) {
        let rateHertz = Double(rate.hertz)
        func bilinear(_ frequency: Double) -> Double {
            let warp = Double.pi * frequency / rateHertz
            return (1 - warp) / (1 + warp)
        }
        lowest = bilinear(20.598997)
        low = bilinear(107.65265)
        middle = bilinear(737.86223)
        let turns = rateHertz / (12_194.217 * Double.pi)
        let slope = turns * turns - 0.36
        high = slope / (slope + 2 + 2 * (slope + 1).squareRoot())

        // Computes sin²(πf/rate) for 1 kHz: `sine` takes half the angle that 1 kHz turns in a frame.
        let half = Double(sine(SIMD8(repeating: rate.phaseIncrement(Hertz(500))))[0])
        let phi = half * half
        func power(_ root: Double) -> Double { (1 - root) * (1 - root) + 4 * root * phi }
        let top = power(1) * power(1) * power(1) * power(1) * power(-zero) * power(-zero)
        let bottom = power(lowest) * power(lowest) * power(low) * power(middle) * power(high) * power(high)
        gain = bottom / top
    }

    /// Returns the sum of the squares of the weighted samples.
    public func energy(of samples: Span<Float>, memory: inout Memory) -> Double {
        var now = memory
        var sum = 0.0
        for index in samples.indices {
            let a = Double(samples[index]) + lowest * now.a
            let b = a - now.a + lowest * now.b
            let c = b - now.b + low * now.c
            let d = c - now.c + middle * now.d
            let e = d - now.d + high * now.e
            let f = e + zero * now.e + high * now.f
            let sample = f + zero * now.f
            sum += sample * sample
            now.a = a
            now.b = b
            now.c = c
            now.d = d
            now.e = e
            now.f = f
        }
        memory = now
        return sum * gain
    }
}
