/// What the people are called of whom publishing needs two.
public enum PersonName {
    /// Names that differ in case only are one person's: nobody becomes two people by a capital letter.
    public static func areSame(_ name: String, _ other: String) -> Bool { name.lowercased() == other.lowercased() }
}
