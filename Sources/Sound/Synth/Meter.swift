import Units

/// The level of the sound over some time.
public struct MeterReading: Equatable, Sendable {
    /// The largest magnitude, 1 being full scale.
    public var peak: Float
    public var meanSquare: Float
    /// The mean square after A-weighting (IEC 61672-1). A sine of full scale at 1 kHz has 0.5.
    public var weightedMeanSquare: Float

    public init(peak: Float, meanSquare: Float, weightedMeanSquare: Float) {
        self.peak = peak
        self.meanSquare = meanSquare
        self.weightedMeanSquare = weightedMeanSquare
    }
}

/// Measures the sound that was played, in blocks of 5 ms, each once, when a reading is asked for. By then no event changes it any more, so
/// no measurement is wasted, and the render thread does none.
///
/// Thread: the owner.
public final class Meter {
    private let frames: RenderedFrames
    private let blockLength: Int64
    private let weighting: AWeighting
    private var memory = AWeighting.Memory()
    /// The number of the block after the last measured one, to which `memory` belongs.
    private var next: Int64 = 0
    /// The newest blocks, by their numbers modulo their count.
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

    /// Returns the reading of the blocks that end in `frames`, the last of which must have been heard; nil when none of them is known,
    /// because they are not rendered yet or were too long ago.
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

    /// Measures the blocks before `end` that are not measured yet, as far as their frames are still there.
    private func measure(until end: Int64) {
        let oldest = max(0, end - Int64(blocks.count))
        for number in max(next, oldest)..<max(next, oldest, end) where load(number) {
            if number != next { memory = AWeighting.Memory() }
            blocks[Int(number) % blocks.count] = Block(number: number, reading: measureSamples())
            next = number + 1
        }
    }

    /// Fetches a block's samples. Returns false when one of them is missing.
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
        // Most of the day nobody is there.
        if sum != 0 || !memory.isEmpty {
            weighted = weighting.energy(of: samples.span, memory: &memory) / Double(blockLength)
            memory = memory.settled
        }
        return MeterReading(peak: peak, meanSquare: sum / Float(blockLength), weightedMeanSquare: weighted.isFinite ? Float(weighted) : 0)
    }
}

/// How loud sound is for ears: the A-weighting of IEC 61672-1 as a digital filter, 0 dB at 1 kHz.
///
/// The standard's closed form has double poles at f1 and f4 and single ones at f2 and f3. Each is a section of the first order, which keeps
/// its precision at any rate:
/// - The four that take the lows out go through the bilinear transform, which is exact where they matter.
/// - The two that take the highs out would be bent by it. For them (f/rate)² is put as φ/(π²·(1 − 0.36·φ)), φ = sin²(πf/rate), which is
///   exact towards 0, holds within 0.3 % up to a sixth of the rate, and puts the section's zero at −1/9.
///
/// Off the closed form by less than 0.01 dB from 50 Hz to 5 kHz at 44.1 kHz and above; at lower rates, from 20 Hz to 0.3 times the rate, by
/// less than 0.2 dB.
///
/// Thread: any; a plain value.
public struct AWeighting: Sendable, BitwiseCopyable {
    /// The state of the six sections between two samples.
    public struct Memory: Equatable, Sendable, BitwiseCopyable {
        fileprivate var a = 0.0, b = 0.0, c = 0.0, d = 0.0, e = 0.0, f = 0.0

        public init() {}

        /// The state, or an empty one once it is 240 dB below full scale, so that silence costs nothing. Also empty if it is not finite.
        public var settled: Memory {
            let size = a.magnitude + b.magnitude + c.magnitude + d.magnitude + e.magnitude + f.magnitude
            return size > 1e-12 && size < .infinity ? self : Memory()
        }

        var isEmpty: Bool { a == 0 && b == 0 && c == 0 && d == 0 && e == 0 && f == 0 }
    }

    /// The poles for the closed form's f1 (twice), f2, f3 and f4 (twice).
    private let lowest: Double
    private let low: Double
    private let middle: Double
    private let high: Double
    /// The zero of the last two sections, negated.
    private let zero = 1.0 / 9
    /// The gain of squares that gives 0 dB at 1 kHz.
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

        // sin² of half the angle that 1 kHz turns in a frame.
        let half = Double(sine(SIMD8(repeating: rate.phaseIncrement(Hertz(500))))[0])
        let phi = half * half
        func power(_ root: Double) -> Double { (1 - root) * (1 - root) + 4 * root * phi }
        let top = power(1) * power(1) * power(1) * power(1) * power(-zero) * power(-zero)
        let bottom = power(lowest) * power(lowest) * power(low) * power(middle) * power(high) * power(high)
        gain = bottom / top
    }

    /// Returns the sum of the weighted samples' squares.
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
