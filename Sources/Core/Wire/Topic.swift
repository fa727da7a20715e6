import Experience
import Registry
import Signals

/// What a client may subscribe to.
public struct Topic: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// Nil when there is no such topic.
    public init?(rawValue: String) {
        guard Self.known.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(_ name: String) { rawValue = name }

    /// That of an announcement, which is one of those that its piece declares.
    public init(of announcement: Announcement) { rawValue = announcement.topic }

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

    private static let known = Set(allCases.map(\.rawValue))

    /// What somebody is told who does not say what of: all that is told when it happens.
    public static let usual = Set(allCases).subtracting([.meters])
}

extension Topic: CaseIterable {
    public static let allCases: [Topic] = [session] + Registry.pieces.flatMap { $0.declaration.topics.map { Topic($0.name) } }
        + [event, cue, device, fault, state, meters]
}
