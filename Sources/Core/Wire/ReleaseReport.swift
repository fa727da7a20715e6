/// The notification of topic `fault` that the engine released a client, or a touchscreen, by itself.
public struct ReleaseReport: Codable, Equatable, Sendable {
    public var client: Int
    /// Why: `held`, `silent` or `unread`, as `StatusReport.Released` counts them.
    public var released: String

    public init(client: Int, released: String) {
        self.client = client
        self.released = released
    }
}
