import Realtime
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

/// Measures what is rendered, in blocks of a few milliseconds. A block that is rendered again is measured again, so that what was heard
/// is what is read.
struct Meter: ~Copyable {
    let reader: MeterReader
    private var levelBlocks: HistoryWriter
    private var weightedBlocks: HistoryWriter
    private let blockLength: Int64
    private let weighting: AWeighting
    private var history: AWeightingHistory
    private var memory = AWeighting.Memory()
    private var peak: Float = 0
    private var sum: Float = 0
    private var weightedSum = 0.0

    /// Rendering goes back to the beginning of a block only, and no further than `reach`.
    init(rate: SampleRate, blockLength: Int64, reach: FrameCount) {
        // The one being rendered, the one after it, and the one that `reach` ends in.
        let blocks = Int(reach.rawValue / blockLength) + 3
        // As far back as it can go, and as much ahead.
        let levelBlocks = HistoryBuffer.make(capacity: 2 * blocks)
        let weightedBlocks = HistoryBuffer.make(capacity: 2 * blocks)
        reader = MeterReader(levelBlocks.reader, weighted: weightedBlocks.reader, blockLength: blockLength)
        self.levelBlocks = levelBlocks.writer
        self.weightedBlocks = weightedBlocks.writer
        self.blockLength = blockLength
        weighting = AWeighting(rate: rate)
        history = AWeightingHistory(capacity: blocks)
    }

    /// Takes in `count` frames of `span` from sample `start` on, of which each `stride`th is sound; they are those from `frame` on, within
    /// one block.
    @_noLocks @_noAllocation
    mutating func take(_ span: borrowing MutableSpan<Float>, at start: Int, stride: Int, count: Int, from frame: Frame) {
        let (number, place) = frame.rawValue.quotientAndRemainder(dividingBy: blockLength)
        if place == 0 {
            (peak, sum, weightedSum) = (0, 0, 0)
            memory = history[number]
        }
        for index in 0..<count {
            let sample = span[start &+ index &* stride]
            peak = max(peak, sample.magnitude)
            sum += sample * sample
        }
        // Most of the day nobody is there.
        if sum != 0 || !memory.isEmpty {
            weightedSum += weighting.energy(of: span, at: start, stride: stride, count: count, memory: &memory)
        }
        guard place + Int64(count) == blockLength else { return }
        memory = memory.settled
        history[number + 1] = memory
        let meanSquare = sum / Float(blockLength)
        // 24 bits of each are more than anybody can see.
        levelBlocks.write(UInt64(peak.bitPattern >> 8) << 24 | UInt64(meanSquare.bitPattern >> 8), at: number)
        let weighted = Float(weightedSum / Double(blockLength))
        weightedBlocks.write(UInt64((weighted.isFinite ? weighted : 0).bitPattern), at: number)
    }
}

/// What the meter has measured. Thread: any.
public struct MeterReader: Sendable {
    let blockLength: Int64
    private let levelBlocks: HistoryReader
    private let weightedBlocks: HistoryReader

    init(_ levelBlocks: HistoryReader, weighted: HistoryReader, blockLength: Int64) {
        self.levelBlocks = levelBlocks
        weightedBlocks = weighted
        self.blockLength = blockLength
    }

    /// Of the blocks that begin in `frames`; nil when nothing is known of any, because they are not rendered yet or too long ago.
    public func reading(of frames: Range<Frame>) -> MeterReading? {
        let end = (frames.upperBound.rawValue + blockLength - 1) / blockLength
        let first = max(end - Int64(levelBlocks.capacity), (frames.lowerBound.rawValue + blockLength - 1) / blockLength)
        var reading = MeterReading(peak: 0, meanSquare: 0, weightedMeanSquare: 0)
        var known = 0
        for number in max(0, first)..<max(0, first, end) {
            guard let block = levelBlocks.read(at: number), let weighted = weightedBlocks.read(at: number) else { continue }
            known += 1
            reading.peak = max(reading.peak, Float(bitPattern: UInt32(block >> 24) << 8))
            reading.meanSquare += Float(bitPattern: UInt32(block & 0xFFFFFF) << 8)
            reading.weightedMeanSquare += Float(bitPattern: UInt32(weighted & 0xFFFF_FFFF))
        }
        guard known > 0 else { return nil }
        reading.meanSquare /= Float(known)
        reading.weightedMeanSquare /= Float(known)
        return reading
    }
}
