import Signals

/// Follows the fingers of a person who explores a page by touch, and finds the named region under them. The first finger that comes down
/// explores: what it comes upon is announced, and stays selected when the finger is lifted. A second tap activates the region announced
/// last. It is a tap anywhere that begins at most 0.5 s after a finger was lifted, or a tap of another finger while the first one rests.
///
/// Moments are in nanoseconds, by any one clock. Positions are fractions of the page's width and height.
public struct Exploration: Sendable {
    /// Something that a finger has found, and that is to be announced or done.
    public enum Finding: Equatable, Sendable {
        /// The finger has come upon a region.
        case entered(Region)
        /// There is no region under the finger: it has left one, or has come down outside all of them.
        case blank
        /// A region is to be activated.
        case activated(Region)
    }

    private struct Finger {
        var began: Int64
        var x: Double
        var y: Double
        /// The largest distance so far from where the finger came down, as a fraction of the page's width or height.
        var reach = 0.0
        /// Whether the finger may still make the second tap. As long as it may, it does not explore.
        var mayTap: Bool
    }

    /// The longest time between a finger's lifting and a second tap, in nanoseconds.
    static let pause: Int64 = 500_000_000
    /// How far a finger may leave a region and still count as inside, as a fraction of the page's width or height. Without this, a finger
    /// on an edge would cause announcement after announcement.
    static let tolerance = 0.01
    /// The largest distance of a tap, as a fraction of the page's width or height, and the longest time of a tap, in nanoseconds. Both are
    /// as in `GestureRecognizer`.
    private static let tapReach = 0.03, tapTime: Int64 = 300_000_000
    /// The largest number of fingers that are followed at once.
    private static let mostFingers = 10

    private var fingers: [Int: Finger] = [:]
    /// The number of the finger that explores; nil while no finger explores.
    private var explorer: Int?
    /// The id of the region under the exploring finger; nil where there is no region.
    private var under: String?
    /// The id of the region that was announced last, which a second tap activates; nil before the first on a page.
    private var announced: String?
    /// When a finger was last lifted, in nanoseconds, other than at the end of a second tap; nil before that, and after a second tap.
    private var liftedAt: Int64?

    public init() {}

    /// Follows a touch on a page with `regions`. Returns what is to be announced or done; nil when there is nothing. Touches without a
    /// position, or of a finger that has not come down, have no effect. A finger that ends without a position was taken away by the system:
    /// that is no tap.
    public mutating func take(_ touch: Touch, at moment: Int64, among regions: [Region]) -> Finding? {
        switch touch.phase {
        case .began: return begin(touch, at: moment, among: regions)
        case .moved: return move(touch, at: moment, among: regions)
        case .ended: return end(touch, at: moment, among: regions)
        }
    }

    /// Returns what a resting finger has found; nil when there is nothing new. A finger that has been down too long for a tap explores,
    /// even if it has not moved.
    public mutating func advance(to now: Int64, among regions: [Region]) -> Finding? {
        guard let late = fingers.first(where: { $0.value.mayTap && now - $0.value.began > Self.tapTime })?.key else { return nil }
        fingers[late]?.mayTap = false
        return look(late, among: regions)
    }

    /// Goes on to the next region that acts, in the order of `regions`, as a switch asks for: from the last one to the first, and to the
    /// first where none was announced. Returns it, to be announced; `blank` where no region acts.
    public mutating func step(among regions: [Region]) -> Finding {
        let acting = regions.filter(\.role.acts)
        guard !acting.isEmpty else { return .blank }
        let next = acting.firstIndex { $0.id == announced }.map { ($0 + 1) % acting.count } ?? 0
        announced = acting[next].id
        return .entered(acting[next])
    }

    /// Returns the region that was announced last, to be activated as a switch asks for; `blank` where it is gone, or none was announced.
    public func act(among regions: [Region]) -> Finding { regions.first { $0.id == announced }.map { .activated($0) } ?? .blank }

    /// Forgets what was found, because another page is shown, whose regions may have the same ids. Fingers that are down explore the new
    /// page.
    public mutating func turnPage() { (under, announced, liftedAt) = (nil, nil, nil) }

    private mutating func begin(_ touch: Touch, at moment: Int64, among regions: [Region]) -> Finding? {
        guard let x = touch.x, let y = touch.y, fingers.count < Self.mostFingers, fingers[touch.finger] == nil else { return nil }
        let follows = announced != nil && liftedAt.map { moment - $0 <= Self.pause } == true
        fingers[touch.finger] = Finger(began: moment, x: x, y: y, mayTap: explorer != nil || follows)
        return look(touch.finger, among: regions)
    }

    private mutating func move(_ touch: Touch, at moment: Int64, among regions: [Region]) -> Finding? {
        follow(touch, at: moment)
        return look(touch.finger, among: regions)
    }

    private mutating func follow(_ touch: Touch, at moment: Int64) {
        guard var finger = fingers[touch.finger] else { return }
        if let x = touch.x, let y = touch.y {
            finger.reach = max(finger.reach, abs(x - finger.x), abs(y - finger.y))
            (finger.x, finger.y) = (x, y)
        }
        if finger.reach >= Self.tapReach || moment - finger.began > Self.tapTime { finger.mayTap = false }
        fingers[touch.finger] = finger
    }

    private mutating func end(_ touch: Touch, at moment: Int64, among regions: [Region]) -> Finding? {
        follow(touch, at: moment)
        guard let finger = fingers.removeValue(forKey: touch.finger) else { return nil }
        if explorer == touch.finger { (explorer, under) = (nil, nil) }
        guard finger.mayTap, touch.x != nil, touch.y != nil, let region = regions.first(where: { $0.id == announced }) else {
            liftedAt = moment
            return nil
        }
        // Another tap does not activate the region again.
        liftedAt = nil
        return .activated(region)
    }

    /// Lets the finger `number` explore, unless another finger explores or this one may still be tapping. Returns what is new under the
    /// finger; nil when nothing is new.
    private mutating func look(_ number: Int, among regions: [Region]) -> Finding? {
        guard let finger = fingers[number], !finger.mayTap, explorer == nil || explorer == number else { return nil }
        let isFirst = explorer == nil
        explorer = number
        let found = Self.region(at: finger.x, finger.y, after: under, among: regions)
        guard found?.id != under || isFirst else { return nil }
        under = found?.id
        guard let found else { return .blank }
        announced = found.id
        return .entered(found)
    }

    /// Returns the smallest region at a position; of equally small ones, the last in the list; nil where there is none. But a finger stays
    /// in the region `current` until it is `tolerance` outside, or in a smaller region.
    private static func region(at x: Double, _ y: Double, after current: String?, among regions: [Region]) -> Region? {
        let found = regions.filter { $0.contains(x, y) }.reduce(nil as Region?) { best, next in
            guard let best, best.area < next.area else { return next }
            return best
        }
        guard let current = regions.first(where: { $0.id == current }), current.contains(x, y, tolerance: tolerance) else { return found }
        guard let found, found.area < current.area else { return current }
        return found
    }
}
