/// What a client may subscribe to, by its name.
public struct Topic: Hashable, Sendable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// A visitor has come, or gone.
    public static let session = Topic("session")
    /// What happened, as the journal has it.
    public static let event = Topic("event")
    /// What the outputs are told.
    public static let cue = Topic("cue")
    /// Touchscreens and motors that come and go.
    public static let device = Topic("device")
    /// What is not as it should be.
    public static let fault = Topic("fault")
    /// Who holds what, and how the tone is.
    public static let state = Topic("state")
    /// How loud it is, so many times a second.
    public static let meters = Topic("meters")
}
