/// Who may call a method, and whether a call of it may release something.
public enum Access: Equatable, Sendable {
    /// Everybody: it changes nothing, and tells nothing of the house, its files or who is connected.
    case look
    /// Everybody but who only plays from outside: it changes nothing, but tells what somebody has paid.
    case lookAtMoney
    /// Whoever watches, and operators: it changes nothing, but tells what is nobody else's business.
    case inspect
    /// Those of this audience.
    case act(by: Audience)
    /// The same. Some of its calls let go of what is held, and these are acted on before their turn.
    case hold(by: Audience)
    /// Everybody: it only releases, and is acted on before its turn.
    case release

    /// Whether it changes nothing.
    public var onlyLooks: Bool { [.look, .lookAtMoney, .inspect].contains(self) }

    /// Whether calls of it may release something; `Call.releases` says whether one does.
    public var canRelease: Bool {
        switch self {
        case .hold, .release: true
        case .look, .lookAtMoney, .inspect, .act: false
        }
    }
}

/// The roles that may call what changes something. An operator is in each.
public enum Audience: Equatable, Sendable {
    /// Whoever is in front of the work, or plays on it.
    case visitor
    /// Visitors on pages alone: what needs a page, or is about money.
    case page
    /// Whoever plays from outside.
    case player
    case `operator`

    fileprivate func has(_ role: Role) -> Bool {
        switch (self, role) {
        case (_, .operator), (.visitor, .visitor), (.visitor, .player), (.page, .visitor), (.player, .player): true
        default: false
        }
    }
}

/// What a client may do.
public enum Role: String, CaseIterable, Codable, Sendable {
    /// What somebody in front of the work may: touch it, and what the piece declares for visitors.
    case visitor
    /// Play on it from outside: touches, tones, chimes, haptic patterns, and what the piece declares for visitors.
    case player
    /// Look on, and stop everything, which everybody may.
    case watch
    /// Everything.
    case `operator`

    public func admits(_ access: Access) -> Bool {
        switch access {
        case .look, .release: true
        case .lookAtMoney: self != .player
        case .inspect: self == .watch || self == .operator
        case .act(let audience), .hold(let audience): audience.has(self)
        }
    }

    /// Why a client of this role is refused what it asks for.
    public var restriction: String {
        switch self {
        case .visitor: "this client is a visitor, and only an operator may do this"
        case .player: "this client only plays, and may not do this"
        case .watch: "this client may only watch"
        case .operator: "an operator may do everything"
        }
    }
}
