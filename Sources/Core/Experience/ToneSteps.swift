import Signals
import Units

/// Computes the tone's pitch and level. They depend only on the curve, the seed and the number of cards viewed ("blocks" in the code).
///
/// Each block moves the pitch along the curve with a probability of one in three, by 0.5 to 1.5 times the mean step. The mean step is
/// chosen so that the pitch takes the curve's number of views to reach its end. So the pitch follows the curve on average, and the level
/// exactly.
public struct ToneSteps: Codable, Equatable, Sendable {
    public private(set) var curve: ToneCurve
    public let seed: UInt64
    /// The number of cards viewed so far.
    public private(set) var viewed = 0
    /// The part of the curve's way that is covered so far, in the unit of `ToneCurve.way`.
    private var distance = 0.0

    public init(_ curve: ToneCurve, seed: UInt64) {
        self.curve = curve
        self.seed = seed
    }

    public var pitch: Hertz { curve.pitch(after: distance) }

    public var level: Decibels { curve.level(after: viewed) }

    /// Moves on or back to `blocks` cards viewed. The same number always gives the same sound.
    public mutating func move(to blocks: Int) {
        if blocks < viewed {
            viewed = 0
            distance = 0
        }
        let way = curve.way
        let meanStep = way * 3 / Double(curve.views)
        while viewed < blocks, distance < way {
            viewed += 1
            let draw = splitMix(seed, viewed)
            guard UInt32(truncatingIfNeeded: draw >> 32) % 3 == 0 else { continue }
            distance = min(way, distance + meanStep * (0.5 + Double(UInt32(truncatingIfNeeded: draw)) * 0x1p-32))
        }
        viewed = blocks
    }

    /// Replaces the curve, as if the new one had applied from the beginning. Returns the cues for the tone's change.
    public mutating func cues(changingTo curve: ToneCurve) -> [Cue] {
        let before = self
        var other = ToneSteps(curve, seed: seed)
        other.move(to: viewed)
        self = other
        // A short glide softens the change, which no visitor has caused.
        return changes(since: before, glide: .milliseconds(50))
    }

    /// Moves to `blocks` cards viewed. Returns the cues for the tone's change.
    public mutating func cues(movingTo blocks: Int) -> [Cue] {
        let before = self
        move(to: blocks)
        return changes(since: before, glide: .zero)
    }

    private func changes(since before: ToneSteps, glide: Seconds) -> [Cue] {
        var cues: [Cue] = []
        if pitch != before.pitch { cues.append(.tonePitch(pitch, glide: glide)) }
        if level != before.level { cues.append(.toneLevel(level)) }
        return cues
    }
}
