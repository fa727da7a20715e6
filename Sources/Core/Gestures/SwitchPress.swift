/// Tells long presses of one switch from short ones. Moments are in nanoseconds, by any one clock.
public struct SwitchPress: Sendable {
    public enum Length: Equatable, Sendable { case short, long }

    /// How long the switch must be held for a long press, in nanoseconds.
    private let hold: Int64
    /// When the switch was pressed; nil while it is up, and after a long press.
    private var since: Int64?
    /// When the switch was last let go; nil before that.
    private var released: Int64?

    /// The time after the switch was let go in which its contact may still bounce, in nanoseconds.
    private static let bounce: Int64 = 30_000_000

    public init(hold: Int64) { self.hold = hold }

    /// Follows that the switch was pressed. A press right after one was let go is its contact bouncing, and is ignored.
    public mutating func press(at moment: Int64) {
        if let released, moment - released < Self.bounce { return }
        since = moment
    }

    /// Follows that the switch was let go. Returns the press that this ends; nil where none was under way, or `isLong` has told of it.
    public mutating func letGo(at moment: Int64) -> Length? {
        defer { (since, released) = (nil, moment) }
        return since.map { moment - $0 >= hold ? .long : .short }
    }

    /// Returns whether the switch has been held for a long press by `now`. Each press gives true once.
    public mutating func isLong(at now: Int64) -> Bool {
        guard let since, now - since >= hold else { return false }
        self.since = nil
        return true
    }
}
