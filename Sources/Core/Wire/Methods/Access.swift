/// Who may call a method, and whether a call of it may let go of something.
public enum Access: Sendable {
    /// Everybody: nothing changes by it.
    case look
    /// Whoever may control.
    case act
    /// Whoever may control. Some of its calls let go of what is held, and these are acted on before their turn.
    case hold
    /// Everybody: it only lets go, and is acted on before its turn.
    case release

    /// Whether nothing is changed by it.
    public var onlyLooks: Bool { self == .look }

    /// Whether calls of it may let go of something; `Call.releases` says whether one does.
    public var canRelease: Bool { self == .hold || self == .release }
}

/// What a client may do.
public enum Role: String, Codable, Sendable {
    case control
    /// Look on, and stop everything, which everybody may.
    case watch

    public func admits(_ access: Access) -> Bool { self == .control || access == .look || access == .release }
}
