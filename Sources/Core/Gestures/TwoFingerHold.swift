import Signals

/// Recognizes that two fingers are held on one screen for two seconds, anywhere. A third finger, or a finger that moves away from where it
/// came down, spoils the gesture until all fingers are up.
///
/// Moments are in nanoseconds, by any one clock. Positions are fractions of the screen's width and height.
public struct TwoFingerHold: Sendable {
    private struct Point {
        var x: Double
        var y: Double
    }

    /// How long the two fingers must be held, in nanoseconds.
    static let time: Int64 = 2_000_000_000
    /// How far a held finger may move from where it came down, as a fraction of the screen's width or height. (Skin rolls on the glass, and
    /// arms tire.)
    static let reach = 0.04
    /// The largest number of fingers that are followed at once.
    private static let mostFingers = 10

    /// The positions at which the fingers that are down came down, by the fingers' numbers.
    private var fingers: [Int: Point] = [:]
    /// When the second of two fingers came down, in nanoseconds; nil unless exactly two are down and the gesture is not spoilt.
    private var since: Int64?
    private var isSpoilt = false

    public init() {}

    /// Whether no finger is down.
    public var isIdle: Bool { fingers.isEmpty }

    /// The numbers of the fingers that are down, in ascending order.
    public var down: [Int] { fingers.keys.sorted() }

    /// Follows a touch. A finger that comes down without a position is not followed.
    public mutating func take(_ touch: Touch, at moment: Int64) {
        switch touch.phase {
        case .began:
            guard let x = touch.x, let y = touch.y, fingers.count < Self.mostFingers || fingers[touch.finger] != nil else { return }
            fingers[touch.finger] = Point(x: x, y: y)
            isSpoilt = isSpoilt || fingers.count > 2
        case .moved:
            guard let start = fingers[touch.finger], let x = touch.x, let y = touch.y else { return }
            if max(abs(x - start.x), abs(y - start.y)) > Self.reach { isSpoilt = true }
        case .ended:
            fingers[touch.finger] = nil
            if fingers.isEmpty { isSpoilt = false }
        }
        if isSpoilt || fingers.count != 2 { since = nil } else { since = since ?? moment }
    }

    /// Returns whether two fingers have been held long enough by `now`. Each hold gives true once.
    public mutating func isDue(at now: Int64) -> Bool {
        guard let since, now - since >= Self.time else { return false }
        self.since = nil
        isSpoilt = true
        return true
    }
}
