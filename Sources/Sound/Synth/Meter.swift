import Units

/// How loud the sound was for a while.
public struct MeterReading: Equatable, Sendable {
    /// The largest magnitude, 1 being full scale.
    public var peak: Float
    public var meanSquare: Float
    /// Of what ears make of it: A-weighted (IEC 61672-1). A sine of full scale at 1 kHz has 0.5.
    public var weightedMeanSquare: Float

    public init(peak: Float, meanSquare: Float, weightedMeanSquare: Float) {
        self.peak = peak
        self.meanSquare = meanSquare
        self.weightedMeanSquare = weightedMeanSquare
    }
}

/// Measures what was played, in blocks of 5 ms, each once: when somebody asks for it. By then no event changes it any more, so nothing is
/// measured in vain, and the render thread has nothing to do with it.
///
/// Thread: whichever owns it.
public final class Meter {
    private let frames: RenderedFrames
    private let blockLength: Int64
    private let weighting: AWeighting
    private var memory = AWeighting.Memory()
    /// The block that `memory` belongs to: the one after the last measured.
    private var next: Int64 = 0
    /// By the block's number, the newest of them.
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

    /// Of the blocks that end in `frames`, the last of which must have been heard; nil when nothing is known of any, because they are not
    /// rendered yet or were too long ago.
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

    /// Fetches a block's samples. False when one of them is missing.
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
