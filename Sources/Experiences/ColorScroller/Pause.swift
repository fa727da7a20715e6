import Experience
import Fields
import Signals

/// The feed stands still for a moment when a skin is unlocked. The engine holds it: what would move it meanwhile does not.
struct Pause: Codable, Equatable, Sendable {
    /// Seconds.
    private static let length = 0.8

    /// In seconds since the session's start.
    private(set) var end = 0.0

    mutating func begin(at time: Double) { end = time + Self.length }

    func holds(at time: Double) -> Bool { time < end }

    /// How long it lasts from `time` on, in seconds, to the millisecond.
    static func remaining(until end: Double, at time: Double) -> Double { ((end - time) * 1_000).rounded() / 1_000 }
}

extension ColorScroller {
    /// What moving the feed comes to in its pause: whoever tried is told, and so is whoever draws.
    func held(at time: Double) -> Effects {
        let held = Held(index: state.feed.index, pausedUntil: state.pause.end, at: time)
        var effects = Effects(result: held.answer)
        effects.tell(held)
        return effects
    }
}

extension Held {
    /// To whoever tried to move the feed.
    var answer: JSONValue {
        .object(["held": .flag(true), "index": .integer(Int64(index)), "pausedUntil": .number(pausedUntil),
                 "pausedFor": .number(pausedFor)])
    }
}
