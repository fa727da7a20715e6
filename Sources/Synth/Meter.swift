import Realtime
import Units

/// How loud the sound was for a while.
public struct MeterReading: Equatable, Sendable {
    /// The largest magnitude, 1 being full scale.
    public var peak: Float
    public var meanSquare: Float

    public init(peak: Float, meanSquare: Float) {
        self.peak = peak
        self.meanSquare = meanSquare
    }
}

/// Measures what is rendered, in blocks of a few milliseconds. A block that is rendered again is measured again, so that what was heard
/// is what is read.
struct Meter: ~Copyable {
    private var trail: TrailWriter
    private let blockLength: Int64
    private var peak: Float = 0
    private var sum: Float = 0

    /// Rendering goes back to the beginning of a block only.
    init(_ trail: consuming TrailWriter, blockLength: Int64) {
        self.trail = trail
        self.blockLength = blockLength
    }

    /// Takes in `count` frames of `span` from sample `start` on, of which each `stride`th is sound; they are those from `frame` on, within
    /// one block.
    @_noLocks @_noAllocation
    mutating func take(_ span: borrowing MutableSpan<Float>, at start: Int, stride: Int, count: Int, from frame: Frame) {
        let (number, place) = frame.rawValue.quotientAndRemainder(dividingBy: blockLength)
        if place == 0 { (peak, sum) = (0, 0) }
        for index in 0..<count {
            let sample = span[start &+ index &* stride]
            peak = max(peak, sample.magnitude)
            sum += sample * sample
        }
        guard place + Int64(count) == blockLength else { return }
        let meanSquare = sum / Float(blockLength)
        // 24 bits of each are more than anybody can see.
        trail.write(UInt64(peak.bitPattern >> 8) << 24 | UInt64(meanSquare.bitPattern >> 8), at: number)
    }
}

/// What the meter has measured. Thread: any.
public struct MeterReader: Sendable {
    let blockLength: Int64
    private let trail: TrailReader

    init(_ trail: TrailReader, blockLength: Int64) {
        self.trail = trail
        self.blockLength = blockLength
    }

    /// Of the blocks that begin in `frames`; nil when nothing is known of any, because they are not rendered yet or too long ago.
    public func reading(of frames: Range<Frame>) -> MeterReading? {
        let end = (frames.upperBound.rawValue + blockLength - 1) / blockLength
        let first = max(end - Int64(trail.capacity), (frames.lowerBound.rawValue + blockLength - 1) / blockLength)
        var reading = MeterReading(peak: 0, meanSquare: 0)
        var known = 0
        for number in max(0, first)..<max(0, first, end) {
            guard let block = trail.read(at: number) else { continue }
            known += 1
            reading.peak = max(reading.peak, Float(bitPattern: UInt32(block >> 24) << 8))
            reading.meanSquare += Float(bitPattern: UInt32(block & 0xFFFFFF) << 8)
        }
        guard known > 0 else { return nil }
        reading.meanSquare /= Float(known)
        return reading
    }
}
