/// Whose memory a piece goes on with. A daemon begins with its own.
public enum Household {
    public static let home = "home"
    /// Is a visitor's who says no name. In a walk-up it begins anew each time that it enters.
    public static let guest = "guest"
}
