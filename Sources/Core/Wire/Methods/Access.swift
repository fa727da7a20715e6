import Experience
import Fields
import Signals

/// Says who may call a method, and whether a call may release something that is held.
public enum Access: Equatable, Sendable {
    /// Everybody may call the method. It changes nothing, and reveals nothing about the house, its files or who is connected.
    case look
    /// Everybody except players may call the method. It changes nothing, but reveals what somebody has paid.
    case lookAtMoney
    /// The roles `watch`, `volume` and `operator` may call the method. It changes nothing, but reveals what is not meant for visitors and
    /// players.
    case inspect
    /// Only this audience may call the method.
    case act(by: Audience)
    /// Only this audience may call the method. Calls that release something are carried out at once, before earlier requests that still
    /// wait.
    case hold(by: Audience)
    /// Everybody may call the method. It only releases something, and is carried out at once, before earlier requests that still wait.
    case release

    /// Whether a call changes nothing.
    public var onlyLooks: Bool { [.look, .lookAtMoney, .inspect].contains(self) }

    /// Whether only people who look after the house may call the method.
    fileprivate var isForTheHouse: Bool {
        switch self {
        case .act(by: let audience), .hold(by: let audience):
            switch audience {
            case .volume, .operator: true
            case .visitor, .page, .player: false
            }
        case .look, .lookAtMoney, .inspect, .release: false
        }
    }

    /// Whether a call may release something. (`Call.releases` says whether a particular call does.)
    public var canRelease: Bool {
        switch self {
        case .hold, .release: true
        case .look, .lookAtMoney, .inspect, .act: false
        }
    }
}

/// The clients that may call a method that changes something. Each audience includes operators.
public enum Audience: Equatable, Sendable {
    /// Visitors in front of the work, and players as well.
    case visitor
    /// Visitors on pages, but no players: the method needs a page, or is about money.
    case page
    /// Players, who take part from elsewhere.
    case player
    /// Clients that may set the volume of the house.
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

/// The role of a client, which says what it may do.
public enum Role: String, CaseIterable, Codable, Sendable {
    /// Somebody in front of the work, who may touch it and do what the piece declares for visitors.
    case visitor
    /// Somebody who takes part from elsewhere: with touches, tones, chimes, haptic patterns, and what the piece declares for visitors.
    case player
    /// Somebody who only watches, and may stop everything, as everybody may.
    case watch
    /// Somebody who watches, and may set the volume and the mute.
    case volume
    /// Somebody who looks after the house, and may do everything.
    case `operator`

    /// Whether the role may see the state of the house, and who is connected.
    public var inspects: Bool {
        switch self {
        case .visitor, .player: false
        case .watch, .volume, .operator: true
        }
    }

    /// Whether the role may touch, play or plan anything.
    public var plays: Bool {
        switch self {
        case .watch, .volume: false
        case .visitor, .player, .operator: true
        }
    }

    /// Whether the number of requests a second is limited for the role, to what a person can do.
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

    /// The message to a client of this role whose request is refused.
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

/// The way by which a client has connected. This type alone says which role each way gives.
public enum WayIn: Equatable, Sendable {
    /// The control socket, by root, the daemon's own user, or another user whom the settings allow.
    case user
    /// The control socket, by a user who may only watch (setting `watchers`).
    case watcher
    /// The control socket, when all slots for clients (the connections that are allowed at once) are taken.
    case spare
    /// HTTP, with a token that was made for this role.
    case token(Role)
    /// HTTP, with the code of an invitation. A client that comes this way must claim a token, and may do almost nothing before.
    case invitation
    /// HTTP, from this machine and without a token. The setting `http-local-role` says which role such a page gets.
    case page(Role)
    /// OSC, over UDP or the Unix datagram socket. A datagram does not prove who sent it.
    case osc
    /// OSC over UDP, from an address that the setting `osc-operators` lists.
    case oscOperator

    public var role: Role {
        switch self {
        case .user, .oscOperator: .operator
        case .watcher, .spare: .watch
        case .token(let role), .page(let role): role
        // The role that gets to know least.
        case .osc, .invitation: .player
        }
    }

    /// Returns the kind of slot that a client takes if it has connected in this way. A slot is one of the connections that are allowed at
    /// once. `isLocal` says that the client is a page on this machine, for instance the kiosk's page.
    public func slotKind(isLocal: Bool) -> SlotKind {
        switch self {
        case .user: .controlSocket
        case .watcher: .watchers
        // A spare slot is additional to all other slots.
        case .spare: .controlSocket
        case .token, .invitation, .page: role == .operator ? .operators : isLocal ? .pages : .guests
        case .osc, .oscOperator: role == .operator ? .operators : .guests
        }
    }

    /// Every way to connect, with every role that it can give.
    public static let all = [.user, .watcher, .spare] + Role.allCases.map { WayIn.token($0) } + [.invitation]
        + [Role.visitor, .watch, .operator].map { WayIn.page($0) } + [.osc, .oscOperator]

    /// The methods for operators that a datagram may call too: they direct a show, and their effects do not outlast the day. Any other
    /// method that needs an operator or the role `volume` is refused to datagrams, because a sender's address can be forged; a new method
    /// is refused until it is listed here. No datagram may do what operators do to a household of a piece
    /// (`MethodDescription.isOverHouseholds`).
    private static let showsByDatagram: Set = [
        "journal.mark", "output.ceiling", "output.mute", "param.set", "preset.set", "rehearse", "setting.reload", "theme.set",
    ]
    /// The methods that an invitation's code alone allows. They are few, because calling them does not use up the code, and other people
    /// may have seen it.
    private static let forTheInvited: Set = ["hello", "ping", "stop", "subscribe", "token.claim"]
    static let invitationRestriction = "this client came by an invitation's code, and has to claim its token first (token.claim)"
    static let datagramRestriction = "not over OSC, because the address of a datagram's sender can be forged"

    /// Returns the error for a client that has connected this way and may not call `method`; nil when it may. A way to connect never allows
    /// more than its role does. An invitation's code only allows what is needed to claim a token.
    public func refusal(of method: MethodDescription) -> ErrorReply? {
        if self == .invitation, !Self.forTheInvited.contains(method.name) {
            return ErrorReply(.refused(.notAllowed), Self.invitationRestriction)
        }
        guard role.admits(method.access) else { return ErrorReply(.refused(.notAllowed), role.restriction) }
        guard self == .osc || self == .oscOperator else { return nil }
        if method.name == "subscribe" { return ErrorReply(.refused(.notHere), "subscriptions are for the socket") }
        return Self.isForDatagrams(method) ? nil : ErrorReply(.refused(.notAllowed), Self.datagramRestriction)
    }

    private static func isForDatagrams(_ method: MethodDescription) -> Bool {
        if method.name == "token.claim" { return false }
        guard method.access.isForTheHouse else { return true }
        return method.isOfPiece ? !method.isOverHouseholds : showsByDatagram.contains(method.name)
    }
}

/// The kinds of slots for clients. A slot is one of the connections that are allowed at once. Each kind is reserved for certain clients.
public enum SlotKind: CaseIterable, Sendable {
    /// Slots for visitors and watchers from elsewhere, and for everybody who plays by OSC.
    case guests
    /// Slots for pages on this machine without an operator's role, such as the kiosk's.
    case pages
    /// Slots for users on the control socket who may only watch.
    case watchers
    /// Slots for operators, over HTTP or OSC.
    case operators
    /// Slots for users on the control socket who may do everything.
    case controlSocket
}

/// Identifies who is at the other end of a connection, as far as this can be known. A step that needs two people needs two identities.
public enum Identity: Hashable, Sendable {
    /// A user of this machine, by the user id that the kernel reports.
    case user(UInt32)
    /// The holder of the token with this name.
    case token(String)
    /// The holder of the code of the invitation with this name.
    case invitation(String)
    /// A sender of OSC, whose address can be forged.
    case sender
    /// A page on this machine without a token.
    case unknown
}

/// Says how much of the present household a client may know. Pieces declare which fields are confidential; only this type removes them.
public struct HouseholdVisibility: Hashable, Sendable {
    private let seesName: Bool
    private let seesMoney: Bool

    /// Says what a client with this role may know. `isGuest` says that the client entered in the household's name. `isHome` says that the
    /// household is the house's own, which belongs to everybody.
    public init(_ role: Role, isGuest: Bool, isHome: Bool) {
        seesName = role == .operator || isGuest || isHome
        seesMoney = seesName && role != .player
    }

    /// The visibility for a client that may know everything.
    public static let all = HouseholdVisibility(.operator, isGuest: false, isHome: false)
    /// The visibility for a client that may know nothing confidential.
    public static let none = HouseholdVisibility(.visitor, isGuest: false, isHome: false)

    public func has(_ confidence: Confidence) -> Bool {
        switch confidence {
        case .name: seesName
        case .money: seesMoney
        }
    }

    /// Returns `whole` without the confidential fields that this client may not see, or `whole` itself if there is nothing to remove. The
    /// keys of `inConfidence` are paths of fields; a path applies to each element of a list on its way.
    public func part(of whole: any Encodable & Sendable, _ inConfidence: [String: Confidence]) -> any Encodable & Sendable {
        let hidden = inConfidence.filter { !has($0.value) }.keys
        guard !hidden.isEmpty else { return whole }
        return part(of: Reply.line(whole), hidden: hidden)
    }

    /// Does the same as `part(of:_:)` for JSON text that this daemon has written.
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
