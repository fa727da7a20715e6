/// Tells long presses of one switch from short ones. Moments are in nanoseconds, by any one clock.
public struct SwitchPress: Sendable {
    public enum Length: Equatable, Sendable { case short, long }

    /// How long the switch must be held for a long press, in nanoseconds.
    private let hold: Int64
    /// When the switch was pressed; nil while it is up, and after a long press.
    private var since: Int64?

    public init(hold: Int64) { self.hold = hold }

    public mutating func press(at moment: Int64) { since = moment }

    /// Follows that the switch was let go. Returns the press that this ends; nil where none was under way, or `isLong` has told of it.
    public mutating func letGo(at moment: Int64) -> Length? {
        defer { since = nil }
        return since.map { moment - $0 >= hold ? .long : .short }
    }

    /// Returns whether the switch has been held for a long press by `now`. Each press gives true once.
    public mutating func isLong(at now: Int64) -> Bool {
        guard let since, now - since >= hold else { return false }
        self.since = nil
        return true
    }
}
