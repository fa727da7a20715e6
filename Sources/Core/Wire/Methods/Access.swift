/// Who may call a method, and whether a call of it may release something.
public enum Access: Equatable, Sendable {
    /// Everybody: it changes nothing.
    case look
    /// Whoever has this role, or all rights.
    case act(by: Role)
    /// The same. Some of its calls let go of what is held, and these are acted on before their turn.
    case hold(by: Role)
    /// Everybody: it only releases, and is acted on before its turn.
    case release

    /// Whether it changes nothing.
    public var onlyLooks: Bool { self == .look }

    /// Whether calls of it may release something; `Call.releases` says whether one does.
    public var canRelease: Bool {
        switch self {
        case .hold, .release: true
        case .look, .act: false
        }
    }
}

/// What a client may do.
public enum Role: String, CaseIterable, Codable, Sendable {
    /// What somebody in front of the work may: touch it, and what the piece declares for visitors.
    case visitor
    /// Look on, and stop everything, which everybody may.
    case watch
    /// Everything.
    case `operator`

    public func admits(_ access: Access) -> Bool {
        switch access {
        case .look, .release: true
        case .act(let role), .hold(let role): self == role || self == .operator
        }
    }

    /// Why a client of this role is refused what it asks for.
    public var restriction: String {
        switch self {
        case .visitor: "this client is a visitor, and only an operator may do this"
        case .watch: "this client may only watch"
        case .operator: "an operator may do everything"
        }
    }
}
