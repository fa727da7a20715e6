/// What a client may do.
public enum Role: String, Codable, Sendable {
    case control
    /// Look on, and `stop`, which everybody may.
    case watch

    public func admits(_ call: Call) -> Bool {
        if case .report(.stop, _) = call { return true }
        return self == .control || call.onlyLooks
    }
}
