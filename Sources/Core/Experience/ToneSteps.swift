import Signals
import Units

/// Computes the tone's pitch and level from the seed and the number of blocks viewed, and from nothing else.
///
/// Each block takes the pitch on along the curve with a chance of one in three, by half to one and a half times the step that brings it
/// from the curve's beginning to its end in the curve's number of views. So its mean course is the curve. The level is the curve's.
public struct ToneSteps: Codable, Equatable, Sendable {
    public private(set) var curve: ToneCurve
    public let seed: UInt64
    /// The number of blocks viewed so far.
    public private(set) var viewed = 0
    /// The distance gone along the curve's way.
    private var walked = 0.0

    public init(_ curve: ToneCurve, seed: UInt64) {
        self.curve = curve
        self.seed = seed
    }

    public var pitch: Hertz { curve.pitch(after: walked) }

    public var level: Decibels { curve.level(after: viewed) }

    /// Moves to `blocks` viewed, forwards or back: the same number always sounds the same.
    public mutating func move(to blocks: Int) {
        if blocks < viewed {
            viewed = 0
            walked = 0
        }
        let way = curve.way
        let meanStep = way * 3 / Double(curve.views)
        while viewed < blocks, walked < way {
            viewed += 1
            let draw = splitMix(seed, viewed)
            guard UInt32(truncatingIfNeeded: draw >> 32) % 3 == 0 else { continue }
            walked = min(way, walked + meanStep * (0.5 + Double(UInt32(truncatingIfNeeded: draw)) * 0x1p-32))
        }
        viewed = blocks
    }

    /// Changes the curve, as if it had been so from the beginning. Returns the cues for what has changed.
    public mutating func cues(changingTo curve: ToneCurve) -> [Cue] {
        let before = self
        var other = ToneSteps(curve, seed: seed)
        other.move(to: viewed)
        self = other
        // With a short glide, because no event of a visitor caused it.
        return changes(since: before, glide: .milliseconds(50))
    }

    /// Moves to `blocks` viewed. Returns the cues for what has changed.
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
