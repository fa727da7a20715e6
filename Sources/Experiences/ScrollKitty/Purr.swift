import Signals
import Units

/// The purr and the voice of the cat while somebody strokes it. Both depend on the cat's condition when the first finger came.
struct Purr: Equatable, Sendable {
    private let rate: SampleRate
    /// The cat's condition when the purr began; nil while the cat does not purr.
    private var condition: Condition?
    /// The earliest time of the next mew.
    private var nextMew = Frame.zero

    init(rate: SampleRate) { self.rate = rate }

    /// Begins the purr of a cat in this condition, and returns its cues; none for a dead cat, which does not purr.
    mutating func begin(_ condition: Condition, at time: Frame) -> [Cue] {
        guard let texture = condition.purr else { return [] }
        self.condition = condition
        return [.texture(texture, on: true)] + mew(at: time)
    }

    /// Returns the cue of the cat's voice (a mew), if the cat purrs and has been silent for long enough; else nothing.
    mutating func mew(at time: Frame) -> [Cue] {
        guard let condition, time >= nextMew else { return [] }
        nextMew = time + rate.frames(in: condition.mewInterval)
        return [.chime(condition.mew)]
    }

    mutating func end() -> [Cue] {
        defer { condition = nil }
        return condition?.purr.map { [.texture($0, on: false)] } ?? []
    }

    /// Returns when the cat wants to mew next; nil while it does not purr. The time is at least 1 ms after `time`. It is not earlier even
    /// where a mew is overdue, because an event came before the tick for it.
    func nextMew(after time: Frame) -> Frame? {
        condition == nil ? nil : max(nextMew, time + rate.frames(in: .milliseconds(1)))
    }
}
