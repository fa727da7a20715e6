import Experience
import Signals
import Wire

/// The guests: the clients by which the present household entered. Only guests and operators get what is confidential to the household.
/// While a guest is active, other clients may not have another household enter. A plain value: the caller passes the time
/// (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct HouseholdGuests {
    /// The time in nanoseconds for which guests must have been inactive before another household may take their place.
    static let stay: Int64 = 20_000_000_000

    private var household = Household.home
    private var roles: [Int: Role] = [:]
    private var guests: Set<Int> = []
    /// The client by whose event a household is entering, while the conductor acts on that event; nil at all other times.
    private var entering: Int?
    /// The time of a guest's last action; nil before the first.
    private var lastAct: Int64?

    mutating func connected(_ client: Int, as role: Role) { roles[client] = role }

    mutating func disconnected(_ client: Int) {
        roles[client] = nil
        guests.remove(client)
    }

    /// Records that the conductor is about to act on an event of `client` by which a household enters.
    mutating func begins(_ client: Int) { entering = client }

    /// Records that the conductor has acted on that event.
    mutating func ended() { entering = nil }

    /// Records that the household `next` has entered. Its only guest is the client on whose event the conductor acts; it has none if there
    /// is no such event, or if that client has disconnected meanwhile.
    mutating func came(_ next: String) {
        household = next
        lastAct = nil
        guests = if next != Household.home, let entering, roles[entering] != nil { [entering] } else { [] }
    }

    /// Makes a client a guest, because it has entered the household that is present already.
    mutating func joined(_ client: Int) { if household != Household.home, roles[client] != nil { guests.insert(client) } }

    /// Forgets all guests, who have to enter again.
    mutating func leave() { guests = [] }

    /// Records that a client has done something. For a touch on this machine's own touchscreen, `isAtGuests` says whether that touchscreen
    /// may belong to the page of one of the guests.
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

    /// Returns how much `client` may see of what concerns the present household.
    func visibility(of client: Int) -> HouseholdVisibility {
        HouseholdVisibility(roles[client] ?? .visitor, isGuest: isGuest(client), isHome: household == Household.home)
    }

    /// Returns the nanoseconds for which `client` must wait before it may have another household enter; nil where it need not wait.
    func wait(of client: Int, at now: Int64) -> Int64? {
        guard !isGuest(client), let lastAct, now < lastAct + Self.stay else { return nil }
        return lastAct + Self.stay - now
    }
}
