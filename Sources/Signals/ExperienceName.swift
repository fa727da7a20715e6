/// The pieces there are.
public enum ExperienceName: String, CaseIterable, Sendable {
    /// The front end says what to sound.
    case direct
    /// The feed of coloured cards, whole.
    case colorScroller = "colorscroller"
}
