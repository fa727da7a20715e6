import Signals
import Units

/// The cat's purr and its voice, while somebody strokes it: as it was when the first finger came.
struct Purr: Equatable, Sendable {
    private let rate: SampleRate
    /// How the cat was when it began to purr; nil while it does not.
    private var condition: Condition?
    /// When it mews again at the earliest.
    private var nextMew = Frame.zero

    init(rate: SampleRate) { self.rate = rate }

    /// A dead cat does not purr.
    mutating func begin(_ condition: Condition, at time: Frame) -> [Cue] {
        guard let texture = condition.purr else { return [] }
        self.condition = condition
        return [.texture(texture, on: true)] + mew(at: time)
    }

    /// Returns the cat's voice, if the cat purrs and has been silent for long enough; else nothing.
    mutating func mew(at time: Frame) -> [Cue] {
        guard let condition, time >= nextMew else { return [] }
        nextMew = time + rate.frames(in: condition.mewInterval)
        return [.chime(condition.mew)]
    }

    mutating func end() -> [Cue] {
        defer { condition = nil }
        return condition?.purr.map { [.texture($0, on: false)] } ?? []
    }

    /// When it wants to mew, 1 ms after `time` at the earliest: an event may come before the tick that a mew was due at. Nil while it does
    /// not purr.
    func nextMew(after time: Frame) -> Frame? {
        condition == nil ? nil : max(nextMew, time + rate.frames(in: .milliseconds(1)))
    }
}
