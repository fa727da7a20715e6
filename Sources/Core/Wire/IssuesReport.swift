/// The notification of topic `fault` that other things than before are wrong.
public struct IssuesReport: Codable, Equatable, Sendable {
    /// All that is wrong now, as in `StatusReport`.
    public var issues: [String]
    /// The word for `issues` in Thrum 0.1.0, kept for its front ends.
    public private(set) var troubles: [String]

    public init(issues: [String]) {
        self.issues = issues
        troubles = issues
    }
}
