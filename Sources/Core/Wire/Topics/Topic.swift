/// A topic that clients may subscribe to.
public struct Topic: Hashable, Sendable {
    public let name: String

    public init(_ name: String) { self.name = name }

    /// A visitor has come, or gone.
    public static let session = Topic("session")
    /// Events, as the journal has them.
    public static let event = Topic("event")
    /// Cues for the outputs.
    public static let cue = Topic("cue")
    /// Touchscreens and motors that come and go.
    public static let device = Topic("device")
    /// Issues, discontinuities and releases.
    public static let fault = Topic("fault")
    /// Who holds what, and how the tone is.
    public static let state = Topic("state")
    /// Fingers on the touchscreens that the engine reads, as they move.
    public static let touches = Topic("touches")
    /// Whose touches count has changed.
    public static let touchOwner = Topic("touch.owner")
    /// How far the simulation is that the client has asked for.
    public static let outlook = Topic("config.outlook")
    /// How loud it is, so many times a second.
    public static let meters = Topic("meters")

    /// Those that tell what `Access.inspect` keeps from strangers: who does what, devices, and what is wrong, with names and paths.
    public static let inspected: Set = [event, device, fault]
}
