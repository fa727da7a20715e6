/// How a client came in, and who is let in there. This is the one place that says which role a way in gives.
public enum WayIn: Equatable, Sendable {
    /// The control socket, by root, by the daemon's own user, or by another user whom the settings let in.
    case user
    /// The control socket, by a user who may only watch (`watchers`).
    case watcher
    /// The control socket, when all places are taken.
    case spare
    /// HTTP, with a token that was made for this role.
    case token(Role)
    /// HTTP, from this machine and without a token. The setting `http-local-role` says what such a page may do.
    case page(Role)
    /// OSC, over UDP or the Unix datagram socket. A datagram does not prove who has sent it.
    case osc
    /// OSC over UDP, from an address of the setting `osc-operators`.
    case oscOperator

    public var role: Role {
        switch self {
        case .user, .oscOperator: .operator
        case .watcher, .spare: .watch
        case .token(let role), .page(let role): role
        case .osc: .player
        }
    }

    /// Whose place a client takes that came this way. `isLocal`: it is a page on this machine, the kiosk's for instance.
    public func places(isLocal: Bool) -> Places {
        switch self {
        case .user: .controlSocket
        case .watcher: .watchers
        // A spare place is beside all others.
        case .spare: .controlSocket
        case .token, .page: role == .operator ? .operators : isLocal ? .pages : .guests
        case .osc, .oscOperator: role == .operator ? .operators : .guests
        }
    }

    /// Every way in, with every role that it can give.
    public static let all = [.user, .watcher, .spare] + Role.allCases.map { WayIn.token($0) }
        + [Role.visitor, .watch, .operator].map { WayIn.page($0) } + [.osc, .oscOperator]

    /// What no datagram may do, because its sender's address can be forged: it would outlast the exhibition's day, or let somebody in.
    /// Neither may any that does what operators do to a household of a piece (`MethodDescription.isOverHouseholds`).
    private static let beyondDatagrams: Set = [
        "clock.accept", "config.apply", "config.approve", "config.propose", "config.publish", "config.withdraw",
        "household.merge", "household.remove", "household.secret", "token.add", "token.list", "token.revoke",
    ]
    static let datagramRestriction = "not over OSC, because the address of a datagram's sender can be forged"

    /// Why whoever came this way may not call `method`; nil when they may. No way in has more than its role; OSC has no subscriptions, and
    /// neither households, tokens, documents nor the house's clock are changed over it.
    public func refusal(of method: MethodDescription) -> ErrorReply? {
        guard role.admits(method.access) else { return ErrorReply(.refused(.notAllowed), role.restriction) }
        if self == .oscOperator, method.isOverHouseholds || Self.beyondDatagrams.contains(method.name) {
            return ErrorReply(.refused(.notAllowed), Self.datagramRestriction)
        }
        guard method.name == "subscribe", self == .osc || self == .oscOperator else { return nil }
        return ErrorReply(.refused(.notHere), "subscriptions are for the socket")
    }
}

/// Whom a place among the clients is kept for.
public enum Places: CaseIterable, Sendable {
    /// Visitors and onlookers from elsewhere, and whoever plays by OSC.
    case guests
    /// Pages on this machine that are no operator's, such as the kiosk's.
    case pages
    /// Users on the control socket who may only watch.
    case watchers
    /// Operators, over HTTP or OSC.
    case operators
    /// Users on the control socket who may do everything.
    case controlSocket
}
