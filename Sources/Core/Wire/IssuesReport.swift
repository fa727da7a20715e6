/// The notification of topic `fault` that other things than before are wrong.
public struct IssuesReport: Codable, Equatable, Sendable {
    /// All that is wrong now, as in `StatusReport`.
    public var issues: [String]

    public init(issues: [String]) { self.issues = issues }
}
