/// Told of topic `fault`: a client, or screen, was let go of without having asked for it.
public struct LetGoReport: Codable, Equatable, Sendable {
    public var client: Int
    /// Why: `held`, `silent` or `unread`, as `StatusReport.LetGo` counts them.
    public var letGo: String

    public init(client: Int, letGo: String) {
        self.client = client
        self.letGo = letGo
    }
}
