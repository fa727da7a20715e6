import Experience
import Fields
import Signals

/// Says who may call a method, and whether a call of it may release something.
public enum Access: Equatable, Sendable {
    /// Everybody: it changes nothing, and tells nothing of the house, its files or who is connected.
    case look
    /// Everybody but players: it changes nothing, but tells what somebody has paid.
    case lookAtMoney
    /// Watchers, who may set the volume or not, and operators: it changes nothing, but tells what is nobody else's business.
    case inspect
    /// The roles of this audience.
    case act(by: Audience)
    /// The roles of this audience. Some of its calls let go of what is held, and these are acted on before their turn.
    case hold(by: Audience)
    /// Everybody: it only releases, and is acted on before its turn.
    case release

    /// Whether a call changes nothing.
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
    /// Visitors, who stand in front of the work, and players too.
    case visitor
    /// Visitors on pages only: what they call needs a page, or is about money.
    case page
    /// Players, who play from outside.
    case player
    /// Those who set how loud the house is.
    case volume
    case `operator`

    fileprivate func has(_ role: Role) -> Bool {
        switch role {
        case .visitor: self == .visitor || self == .page
        case .player: self == .visitor || self == .player
        case .watch: false
        case .volume: self == .volume
        case .operator: true
        }
    }
}

/// What a client may do.
public enum Role: String, CaseIterable, Codable, Sendable {
    /// Somebody in front of the work, who may touch it and do what the piece declares for visitors.
    case visitor
    /// Somebody who plays from outside: touches, tones, chimes, haptic patterns, and what the piece declares for visitors.
    case player
    /// Somebody who looks on, and may stop everything, which everybody may.
    case watch
    /// Somebody who looks on, and sets the volume and the mute.
    case volume
    /// An operator, who may do everything.
    case `operator`

    /// Whether the role is told how the house is, and who is connected.
    public var inspects: Bool {
        switch self {
        case .visitor, .player: false
        case .watch, .volume, .operator: true
        }
    }

    /// Whether the role touches, plays or plans anything of its own.
    public var plays: Bool {
        switch self {
        case .watch, .volume: false
        case .visitor, .player, .operator: true
        }
    }

    /// Whether the role does things as fast as people can, and no faster.
    public var isRated: Bool {
        switch self {
        case .watch, .operator: false
        case .visitor, .player, .volume: true
        }
    }

    public func admits(_ access: Access) -> Bool {
        switch access {
        case .look, .release: true
        case .lookAtMoney: self != .player
        case .inspect: inspects
        case .act(let audience), .hold(let audience): audience.has(self)
        }
    }

    /// Says why a client of this role is refused what it asks for.
    public var restriction: String {
        switch self {
        case .visitor: "this client is a visitor, and only an operator may do this"
        case .player: "this client only plays, and may not do this"
        case .watch: "this client may only watch"
        case .volume: "this client may only watch, and set the volume and the mute"
        case .operator: "an operator may do everything"
        }
    }
}

/// The way by which a client came in. This is the one place that says which role a way in gives.
public enum WayIn: Equatable, Sendable {
    /// The control socket, by root, by the daemon's own user, or by another user whom the settings let in.
    case user
    /// The control socket, by a user who may only watch (`watchers`).
    case watcher
    /// The control socket, when all places are taken.
    case spare
    /// HTTP, with a token that was made for this role.
    case token(Role)
    /// HTTP, with the code of an invitation: whoever comes this way claims a token, and may do next to nothing before.
    case invitation
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
        // The role that is told least.
        case .osc, .invitation: .player
        }
    }

    /// The kind of place that a client takes that came this way. `isLocal` says that it is a page on this machine, the kiosk's for
    /// instance.
    public func places(isLocal: Bool) -> Places {
        switch self {
        case .user: .controlSocket
        case .watcher: .watchers
        // A spare place is beside all others.
        case .spare: .controlSocket
        case .token, .invitation, .page: role == .operator ? .operators : isLocal ? .pages : .guests
        case .osc, .oscOperator: role == .operator ? .operators : .guests
        }
    }

    /// Every way in, with every role that it can give.
    public static let all = [.user, .watcher, .spare] + Role.allCases.map { WayIn.token($0) } + [.invitation]
        + [Role.visitor, .watch, .operator].map { WayIn.page($0) } + [.osc, .oscOperator]

    /// Methods that no datagram may call, because its sender's address can be forged: they would outlast the exhibition's day, or let
    /// somebody in. No datagram may do either what operators do to a household of a piece (`MethodDescription.isOverHouseholds`).
    private static let beyondDatagrams: Set = [
        "clock.accept", "config.apply", "config.approve", "config.propose", "config.publish", "config.withdraw",
        "household.merge", "household.remove", "household.secret", "token.add", "token.claim", "token.invite", "token.list",
        "token.revoke", "volume.set",
    ]
    /// What may be done by an invitation's code alone: the code is not used up by it, and others may have seen it.
    private static let forTheInvited: Set = ["hello", "ping", "stop", "subscribe", "token.claim"]
    static let invitationRestriction = "this client came by an invitation's code, and has to claim its token first (token.claim)"
    static let datagramRestriction = "not over OSC, because the address of a datagram's sender can be forged"

    /// The error for a client that came this way and may not call `method`; nil when it may. No way in has more than its role; OSC has no
    /// subscriptions, and neither households, tokens, documents, the volume nor the house's clock are changed over it. An
    /// invitation's code is for claiming a token.
    public func refusal(of method: MethodDescription) -> ErrorReply? {
        if self == .invitation, !Self.forTheInvited.contains(method.name) {
            return ErrorReply(.refused(.notAllowed), Self.invitationRestriction)
        }
        guard role.admits(method.access) else { return ErrorReply(.refused(.notAllowed), role.restriction) }
        guard self == .osc || self == .oscOperator else { return nil }
        if method.isOverHouseholds || Self.beyondDatagrams.contains(method.name) {
            return ErrorReply(.refused(.notAllowed), Self.datagramRestriction)
        }
        return method.name == "subscribe" ? ErrorReply(.refused(.notHere), "subscriptions are for the socket") : nil
    }
}

/// The kinds of places among the clients, by whom they are kept for.
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

/// Identifies who is at the other end of a connection, as far as anybody knows. A step that needs two people needs two identities.
public enum Identity: Hashable, Sendable {
    /// A user of this machine, by number, as the kernel says.
    case user(UInt32)
    /// Whoever has the token of this name.
    case token(String)
    /// Whoever has the code of the invitation of this name.
    case invitation(String)
    /// A sender of OSC, whose address can be forged.
    case sender
    /// A page of this machine without a token.
    case unknown
}

/// Says how much a client is told of the household that is there. Pieces declare what is told in confidence; this is the one place that
/// leaves it out.
public struct HouseholdSight: Hashable, Sendable {
    private let seesName: Bool
    private let seesMoney: Bool

    /// Creates the sight of a client with this role. `isGuest` says that it came in the household's name; `isHome` that this is the house's
    /// own household, which is everybody's.
    public init(_ role: Role, isGuest: Bool, isHome: Bool) {
        seesName = role == .operator || isGuest || isHome
        seesMoney = seesName && role != .player
    }

    /// The sight of a client that is told everything.
    public static let all = HouseholdSight(.operator, isGuest: false, isHome: false)
    /// The sight of a client that is told nothing in confidence.
    public static let none = HouseholdSight(.visitor, isGuest: false, isHome: false)

    public func has(_ confidence: Confidence) -> Bool {
        switch confidence {
        case .name: seesName
        case .money: seesMoney
        }
    }

    /// Returns `whole` without the fields that are confidential and not for this client. The keys of `inConfidence` are paths of fields,
    /// which go through lists. Returns `whole` itself where all of it may be told.
    public func part(of whole: any Encodable & Sendable, _ inConfidence: [String: Confidence]) -> any Encodable & Sendable {
        let hidden = inConfidence.filter { !has($0.value) }.keys
        guard !hidden.isEmpty else { return whole }
        return part(of: Reply.line(whole), hidden: hidden)
    }

    /// Returns the same part of JSON that this daemon has written.
    func part(ofJSON json: [UInt8], _ inConfidence: [String: Confidence]) -> JSONValue {
        part(of: json, hidden: inConfidence.filter { !has($0.value) }.keys)
    }

    private func part(of json: [UInt8], hidden: some Sequence<String>) -> JSONValue {
        do {
            let whole = try JSONValue(parsing: json)
            return hidden.reduce(whole) { $0.without($1.split(separator: ".")[...]) }
        } catch {
            preconditionFailure("our own messages are JSON: \(error)")
        }
    }
}

extension JSONValue {
    fileprivate func without(_ path: ArraySlice<Substring>) -> JSONValue {
        switch self {
        case .list(let elements): return .list(elements.map { $0.without(path) })
        case .object(var members):
            guard let step = path.first.map(String.init), let member = members[step] else { return self }
            members[step] = path.count == 1 ? nil : member.without(path.dropFirst())
            return .object(members)
        case .null, .flag, .integer, .number, .text: return self
        }
    }
}
