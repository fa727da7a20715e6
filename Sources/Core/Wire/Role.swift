/// What a client may do.
public enum Role: String, Codable, Sendable {
    case control
    /// Look on, and `stop`, which everybody may.
    case watch

    public func admits(method: String) -> Bool { self == .control || method == "stop" || Call.onlyLooks(method: method) }
}
