import Experience
import Signals
import Wire

/// Knows which clients came in the name of the household that is there: its guests are told what is told in confidence, and nobody else may
/// take their place while they are at it. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct HouseholdGuests {
    /// How long guests must have done nothing for others to follow them, in nanoseconds.
    static let stay: Int64 = 20_000_000_000

    private var household = Household.home
    private var roles: [Int: Role] = [:]
    private var guests: Set<Int> = []
    /// The client on whose event the conductor acts, if a household enters by it.
    private var entering: Int?
    /// When a guest did something last; nil before.
    private var lastAct: Int64?

    mutating func connected(_ client: Int, as role: Role) { roles[client] = role }

    mutating func disconnected(_ client: Int) {
        roles[client] = nil
        guests.remove(client)
    }

    /// Notes that the conductor is about to act on an event of `client` by which a household enters.
    mutating func begins(_ client: Int) { entering = client }

    /// Notes that the conductor has acted on it.
    mutating func ended() { entering = nil }

    /// Notes that another household has come: by the client on whose event the conductor acts, or by itself. A client that went meanwhile
    /// is no guest.
    mutating func came(_ next: String) {
        household = next
        lastAct = nil
        guests = if next != Household.home, let entering, roles[entering] != nil { [entering] } else { [] }
    }

    /// Makes a client a guest that has entered the household that is there.
    mutating func joined(_ client: Int) { if household != Household.home, roles[client] != nil { guests.insert(client) } }

    /// Has all guests enter again.
    mutating func leave() { guests = [] }

    /// Notes that a client has done something. `isAtGuests` says whether this machine's own touchscreen, where it was, may be a guest's
    /// page.
    mutating func acted(_ client: Client, at now: Int64, isAtGuests: (Set<Int>) -> Bool) {
        let isGuest = switch client {
        case .connection(let number): guests.contains(number)
        case .screen: isAtGuests(guests)
        case .engine: false
        }
        if isGuest { lastAct = now }
    }

    func isOperator(_ client: Int) -> Bool { roles[client] == .operator }

    func isGuest(_ client: Int) -> Bool { guests.contains(client) }

    /// Returns what `client` is told of the household that is there.
    func sight(of client: Int) -> HouseholdSight {
        HouseholdSight(roles[client] ?? .visitor, isGuest: isGuest(client), isHome: household == Household.home)
    }

    /// Returns in how many nanoseconds `client` may have another household enter; nil when it may now.
    func wait(of client: Int, at now: Int64) -> Int64? {
        guard !isGuest(client), let lastAct, now < lastAct + Self.stay else { return nil }
        return lastAct + Self.stay - now
    }
}
