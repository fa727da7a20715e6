/// The notification of topic `fault` that a client, or touchscreen, was released by the engine.
public struct ReleaseReport: Codable, Equatable, Sendable {
    public var client: Int
    /// Why: `held`, `silent` or `unread`, as `StatusReport.Released` counts them.
    public var released: String

    private enum CodingKeys: String, CodingKey { case client, released = "letGo" }

    public init(client: Int, released: String) {
        self.client = client
        self.released = released
    }
}
