import ControlSocket
import Fields
import Signals
import Wire

/// Knows which clients are connected, what they may do, and what they hold. A plain value: the caller gives the time (CLOCK_MONOTONIC,
/// nanoseconds). Thread: the event loop.
struct Presence {
    /// A client that is connected.
    private struct Record {
        let role: Role
        /// Whether it is on this machine.
        let isLocal: Bool
        let identity: Identity
        /// The name that it calls itself by.
        var name: String?
        /// What it has told of its drawing; nil for a client that is no page, or has drawn nothing yet.
        var drawing: Drawing?
        /// The requests that wanted no answer and were refused.
        var refusals = Refusals()
        /// Whether it reports swipes and taps itself.
        var reportsGestures = false
    }

    /// What a page has told of its drawing.
    private struct Drawing {
        var frames: Int
        /// When the number last grew, CLOCK_MONOTONIC in nanoseconds.
        var grewAt: Int64
        /// The kiosk's screen that the page is on; nil where it is on none.
        var screen: String?
    }

    /// Requests that wanted no answer and were refused.
    private struct Refusals {
        var count: UInt64 = 0
        var last: String?
    }

    /// The longest message that is kept, in characters: it may quote what the client sent.
    private static let longestMessage = 256

    /// How many clients that have gone keep their roles: what they asked for last may be under way.
    private static let mostGone = 256

    /// The clients that are connected, by their numbers.
    private var table: [Int: Record] = [:]
    /// The roles of clients that have gone.
    private var formerRoles: [Int: Role] = [:]
    /// The clients that are gone and could not be released yet, because the command ring was full.
    private(set) var departed: Set<Client> = []
    private var holds = Holds()
    /// The number of the session that `holds` is about, counted from 1.
    private var holdsSession = 0
    /// How many clients the engine released by itself, by reason.
    private(set) var released = StatusReport.Released()
    /// How many notifications were refused, of clients that are gone as well, and why the last one was.
    private(set) var refusedNotifications: (count: UInt64, last: String?) = (0, nil)

    /// The number of clients that are connected.
    var count: Int { table.count }
    /// Whether a front end reports swipes and taps. Then those that the engine recognizes are no events.
    var hasGestures: Bool { table.values.contains { $0.reportsGestures } }

    /// The clients that are connected, in the order of their numbers.
    var list: [ConnectedClients.Client] {
        table.sorted { $0.key < $1.key }.map { client, record in
            ConnectedClients.Client(client: client, name: record.name, role: record.role, isLocal: record.isLocal,
                                    refused: record.refusals.count, lastRefusal: record.refusals.last)
        }
    }

    /// Returns a client's role. One that has gone keeps it, because its last requests are still acted on; one that nobody knows is a
    /// visitor.
    func role(of client: Int) -> Role { table[client]?.role ?? formerRoles[client] ?? .visitor }

    /// Returns whether a client may call a method: none may more than its role, and senders of OSC and
    /// whoever is invited may less.
    func mayCall(_ method: MethodDescription, _ client: Int) -> Bool {
        let role = role(of: client)
        return switch identity(of: client) {
        case .sender: (role == .operator ? WayIn.oscOperator : .osc).refusal(of: method) == nil
        case .invitation: WayIn.invitation.refusal(of: method) == nil
        case .user, .token, .unknown: role.admits(method.access)
        }
    }

    func isConnected(_ client: Int) -> Bool { table[client] != nil }

    func isLocal(_ client: Int) -> Bool { table[client]?.isLocal == true }

    /// Returns who a client is. Nobody knows who a client was that has gone.
    func identity(of client: Int) -> Identity { table[client]?.identity ?? .unknown }

    /// Returns in words which client it is and whose credentials it has.
    func words(for client: Client) -> String {
        guard case .connection(let number) = client else { return client == .engine ? "the engine" : "a touchscreen" }
        let credentials = switch identity(of: number) {
        case .user(0): ", root"
        case .user(let user): ", user \(user)"
        case .token(let name): ", with the token \(name)"
        case .invitation(let name): ", invited as \(name)"
        case .sender, .unknown: ""
        }
        return (table[number]?.name.map { "\($0), " } ?? "") + "client \(number)\(credentials)"
    }

    mutating func connected(_ client: Int, as role: Role, isLocal: Bool, identity: Identity = .unknown) {
        table[client] = Record(role: role, isLocal: isLocal, identity: identity)
    }

    /// Notes what a client calls itself, and whether it reports gestures. One that only watches or plays takes no gestures from the others:
    /// the house's touchscreens would make none for as long as it is there.
    mutating func introduced(_ client: Int, as name: String?, reportsGestures: Bool) {
        guard let role = table[client]?.role else { return }
        table[client]?.name = name
        table[client]?.reportsGestures = reportsGestures && [.visitor, .operator].contains(role)
    }

    mutating func disconnected(_ client: Int) {
        if let gone = table.removeValue(forKey: client) { formerRoles[client] = gone.role }
        // Numbers grow: the client with the least has been gone for longest, or nearly so.
        if formerRoles.count > Self.mostGone, let first = formerRoles.keys.min() { formerRoles[first] = nil }
    }

    /// Counts a refused request that wants no answer. Nobody tells the client: JSON-RPC 2.0 forbids an answer.
    mutating func refused(_ client: Int, _ message: String) {
        let message = String(message.prefix(Self.longestMessage))
        refusedNotifications = (refusedNotifications.count + 1, message)
        table[client]?.refusals.count += 1
        table[client]?.refusals.last = message
    }

    /// Notes how many frames a page has drawn since it was loaded. The same number again is no news: a page that has hung may still send. A
    /// page that has drawn nothing yet is not known.
    mutating func drew(_ client: Int, frames: Int, on screen: String? = nil, at now: Int64) {
        if table[client]?.drawing?.frames ?? 0 != frames {
            table[client]?.drawing = Drawing(frames: frames, grewAt: now, screen: screen)
        }
    }

    /// Returns the pages that tell of their drawing, in the order of their clients.
    func pages(at now: Int64) -> [StatusReport.Page] {
        table.sorted { $0.key < $1.key }.compactMap { client, record in
            record.drawing.map { drawing in
                StatusReport.Page(client: client, name: record.name, frames: drawing.frames,
                                  secondsSinceFrame: Double(now - drawing.grewAt) / 1e9, screen: drawing.screen)
            }
        }
    }

    /// Returns whether a client that is to be released can be now; if not, it is in `departed` until it can.
    mutating func departs(_ client: Client, hasRoom: Bool) -> Bool {
        if hasRoom { departed.remove(client) } else { departed.insert(client) }
        return hasRoom
    }

    mutating func count(_ reason: ReleaseReport.Reason) {
        switch reason {
        case .held: released.held += 1
        case .silent: released.silent += 1
        case .unread: released.unread += 1
        }
    }

    /// Follows an event that has been acted on in a session, counted from 1. An event that changed nothing does not count.
    mutating func follow(_ event: Event, counts: Bool, session: Int, at now: Int64) {
        if session != holdsSession { holds.end() }
        holdsSession = session
        if counts { holds.follow(event, at: now) }
    }

    /// How many of the 64 fingers that may be down at once visitors and players from elsewhere may hold together, and how many they may
    /// with the pages of this machine. The others are for those pages, for the house's touchscreens, and for operators.
    private static let guestFingers = 32, visitorFingers = 48

    /// Returns why a client may not do `kind`: it would hold more fingers than a person has, or more than its part of all. Nil when it may.
    func refusal(of kind: EventKind, from client: Client) -> Fault? {
        guard case .touch(let touch) = kind, touch.phase == .began else { return nil }
        guard !holds.hasRoom(for: touch.finger, of: client, in: groups(of: client)) else { return nil }
        let expected = holds.hasRoom(for: touch.finger, of: client)
            ? "fewer fingers of visitors down at once: the others are kept for this machine's pages and touchscreens"
            : "at most \(Holds.mostFingers) fingers of a client down at once"
        return Fault(field: "id", expected: expected, found: "one more")
    }

    private func groups(of client: Client) -> [Holds.Group] {
        guard isVisitor(client) else { return [] }
        let visitors = Holds.Group(most: Self.visitorFingers) { isVisitor($0) }
        guard isGuest(client) else { return [visitors] }
        return [visitors, Holds.Group(most: Self.guestFingers, keptForFew: Self.guestFingers / 4) { isGuest($0) }]
    }

    private func isVisitor(_ client: Client) -> Bool {
        guard case .connection(let number) = client else { return false }
        return [.visitor, .player].contains(role(of: number))
    }

    private func isGuest(_ client: Client) -> Bool {
        guard case .connection(let number) = client else { return false }
        return isVisitor(client) && !isLocal(number)
    }

    /// Returns the clients that hold something without a sign of life since `moment`, in ascending order.
    func holding(silentSince moment: Int64) -> [Client] { holds.clients(silentSince: moment) }

    /// Forgets what a client held.
    mutating func forgetHolds(of client: Client) { holds.forget(client) }

    /// Forgets all holds: the session is over.
    mutating func endHolds() { holds.end() }
}

/// The reasons why the engine releases a client by itself.
extension ReleaseReport.Reason {
    var words: String {
        switch self {
        case .held: "held for longer than max-hold without a sign of life"
        case .silent: "nothing came from it for as long as its ping allows"
        case .unread: "it did not read what it was sent"
        }
    }

    init?(_ departure: Departure) {
        switch departure {
        case .left: return nil
        case .silent: self = .silent
        case .unread: self = .unread
        }
    }
}
