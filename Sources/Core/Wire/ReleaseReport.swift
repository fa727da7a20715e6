/// The notification of topic `fault` that the engine released a client, or a touchscreen, by itself.
public struct ReleaseReport: Codable, Equatable, Sendable {
    /// Why, as `StatusReport.Released` counts them.
    public enum Reason: String, CaseIterable, Codable, Sendable {
        case held, silent, unread
    }

    public var client: Int
    public var released: Reason

    public init(client: Int, released: Reason) {
        self.client = client
        self.released = released
    }
}
