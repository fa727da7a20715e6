import Signals
import Units

/// The loudness of a texture's pulses, eight frames at a time.
///
/// Each cycle is a raised cosine from trough to trough. Its rate, and whether it is left out, are settled at the trough before it; what is
/// left out goes and comes back within the first quarter of a cycle.
struct PulseTrain {
    /// In 2⁻³² cycles a frame, while it breathes out and in.
    private let outward: Double
    private let inward: Double
    private let depth: Float
    private let jitter: Double
    private let gaps: Double
    private let seed: UInt64
    private var cycle: UInt64 = 0
    /// In 2⁻³² cycles, at the group's first frame.
    private var phase: UInt32 = 0
    private var increment: UInt32 = 0
    /// From the group's first frame to each of its eight, in the same unit.
    private var steps = SIMD8<UInt32>()
    /// The part of the cycle in which its first group may still be the last cycle's: eight frames, at least 1/32.
    private var lead: Float = 0.03125
    /// Whether the cycle is heard, 1 or 0, and the one before.
    private var isHeard: Float = 1
    private var wasHeard: Float = 1

    /// None.
    @_noLocks @_noAllocation
    init() {
        (outward, inward, depth, jitter, gaps, seed) = (0, 0, 0, 0, 0, 0)
    }

    @_noLocks @_noAllocation
    init(_ pulse: Texture.Pulse, seed: UInt64, rate: SampleRate) {
        outward = Double(rate.phaseIncrement(pulse.rate))
        inward = Double(rate.phaseIncrement(pulse.inhaled))
        depth = Float(pulse.depth)
        jitter = pulse.jitter
        gaps = pulse.gaps
        self.seed = seed
        begin(isInhaling: false)
        wasHeard = isHeard
    }

    @_noLocks @_noAllocation
    private mutating func begin(isInhaling: Bool) {
        let exact = isInhaling ? inward : outward
        increment = UInt32(exact * (1 + jitter * uniform(2 &* cycle, seed: seed)))
        steps = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &* increment
        lead = min(0.2, max(0.03125, Float(increment) * 0x1p-29))
        wasHeard = isHeard
        isHeard = (uniform(2 &* cycle &+ 1, seed: seed) + 1) / 2 < gaps ? 0 : 1
        cycle &+= 1
    }

    /// 0…1 at the group's eight frames.
    var gains: SIMD8<Float> {
        @inline(__always) @_noLocks @_noAllocation get {
            let phases = steps &+ phase
            let pulses = 0.5 - 0.5 * sine(phases &+ 0x4000_0000)
            let gains = pulses * depth + (1 - depth)
            guard wasHeard + isHeard < 2 else { return gains }
            // A cycle that begins in mid-group is taken in with the next one: until `lead` the gain is the last cycle's.
            let turned = floats(SIMD8<Int32>(truncatingIfNeeded: phases &>> 8)) * 0x1p-24
            let offset: SIMD8<Float> = (turned - lead) * (1 / (0.25 - lead))
            let progress = offset.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 1))
            let crossing: SIMD8<Float> = raisedCosine(progress) * (isHeard - wasHeard) + wasHeard
            let isNext = phases .< SIMD8<UInt32>(repeating: phase)
            return gains * crossing.replacing(with: isHeard, where: isNext)
        }
    }

    /// On to the next group.
    @inline(__always) @_noLocks @_noAllocation
    mutating func advance(isInhaling: Bool) {
        let next = phase &+ increment &* 8
        if next < phase { begin(isInhaling: isInhaling) }
        phase = next
    }
}
