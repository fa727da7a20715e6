/// Whose memory a piece goes on with. A daemon begins with its own.
public enum Household {
    public static let home = "home"
}
