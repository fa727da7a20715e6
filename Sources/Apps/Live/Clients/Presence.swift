import ControlSocket
import Fields
import Signals
import Wire

/// Knows which clients are connected, what they may do, and which fingers and tones they hold. A plain value: the caller passes the time
/// (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct Presence {
    /// A connected client.
    private struct Record {
        let role: Role
        /// Whether the client is on this machine.
        let isLocal: Bool
        let identity: Identity
        /// The name by which the client introduced itself; nil where it gave none.
        var name: String?
        /// How many frames the client has reported to have drawn, and when; nil for a client that is no page, or has drawn nothing yet.
        var drawing: Drawing?
        /// The client's notifications that were refused.
        var refusals = Refusals()
        /// Whether the client reports swipes and taps itself.
        var reportsGestures = false
    }

    /// What a page has reported about its drawing.
    private struct Drawing {
        var frames: Int
        /// When the count of frames last grew; CLOCK_MONOTONIC in nanoseconds.
        var grewAt: Int64
        /// The kiosk's screen on which the page is shown; nil where it is on none.
        var screen: String?
    }

    /// The refused notifications of a client: their number, and the reason for the last refusal.
    private struct Refusals {
        var count: UInt64 = 0
        var last: String?
    }

    /// The length in characters to which a refusal's message is cut, because it may quote what the client sent.
    private static let longestMessage = 256

    /// The number of disconnected clients whose roles are remembered, because their last requests may still be under way.
    private static let mostGone = 256

    /// The connected clients, by number.
    private var table: [Int: Record] = [:]
    /// The roles of clients that have disconnected.
    private var formerRoles: [Int: Role] = [:]
    /// Clients that have disconnected and whose fingers and tones could not be released yet, because the command ring was full.
    private(set) var departed: Set<Client> = []
    private var holds = Holds()
    /// The number of the session whose fingers and tones are in `holds`; the daemon's first session has number 1.
    private var holdsSession = 0
    /// How many times the engine itself released what a client held (fingers, tones), by reason.
    private(set) var released = StatusReport.Released()
    /// How many notifications were refused, including those of clients that have disconnected, and why the last one was refused.
    private(set) var refusedNotifications: (count: UInt64, last: String?) = (0, nil)

    /// The number of connected clients.
    var count: Int { table.count }
    /// Whether a connected front end reports swipes and taps itself. If so, the engine's own recognition of them is ignored.
    var hasGestures: Bool { table.values.contains { $0.reportsGestures } }

    /// The connected clients, in the order of their numbers.
    var list: [ConnectedClients.Client] {
        table.sorted { $0.key < $1.key }.map { client, record in
            ConnectedClients.Client(client: client, name: record.name, role: record.role, isLocal: record.isLocal,
                                    refused: record.refusals.count, lastRefusal: record.refusals.last)
        }
    }

    /// Returns a client's role. A client that has disconnected keeps its role, because its last requests are still acted on. An unknown
    /// client is a visitor.
    func role(of client: Int) -> Role { table[client]?.role ?? formerRoles[client] ?? .visitor }

    /// Whether a client may call a method. No client may call more methods than its role allows; senders of OSC and
    /// clients that come by an invitation may call fewer.
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

    /// Returns who a client is; unknown for a client that has disconnected.
    func identity(of client: Int) -> Identity { table[client]?.identity ?? .unknown }

    /// Returns in words which client it is, and whose credentials it has.
    func words(for client: Client) -> String {
        guard case .connection(let number) = client else {
            return client == .engine ? "the engine" : "a touchscreen or switch of this machine"
        }
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

    /// Records a client's name for itself, and whether it reports gestures. Gestures of watchers and players do not count here: the house's
    /// touchscreens would make no gestures while such a client is connected.
    mutating func introduced(_ client: Int, as name: String?, reportsGestures: Bool) {
        guard let role = table[client]?.role else { return }
        table[client]?.name = name
        table[client]?.reportsGestures = reportsGestures && [.visitor, .operator].contains(role)
    }

    mutating func disconnected(_ client: Int) {
        if let gone = table.removeValue(forKey: client) { formerRoles[client] = gone.role }
        // Numbers only grow, so the lowest number belongs to the client that disconnected first, or nearly so.
        if formerRoles.count > Self.mostGone, let first = formerRoles.keys.min() { formerRoles[first] = nil }
    }

    /// Counts a refused notification. The client is not told, because JSON-RPC 2.0 forbids an answer.
    mutating func refused(_ client: Int, _ message: String) {
        let message = String(message.prefix(Self.longestMessage))
        refusedNotifications = (refusedNotifications.count + 1, message)
        table[client]?.refusals.count += 1
        table[client]?.refusals.last = message
    }

    /// Records how many frames a page has drawn since it was loaded. The same count again is ignored, because a page that hangs may still
    /// send it. A page whose count is 0 is not listed.
    mutating func drew(_ client: Int, frames: Int, on screen: String? = nil, at now: Int64) {
        if table[client]?.drawing?.frames ?? 0 != frames {
            table[client]?.drawing = Drawing(frames: frames, grewAt: now, screen: screen)
        }
    }

    /// Returns the pages that report their drawing, in the order of their clients.
    func pages(at now: Int64) -> [StatusReport.Page] {
        table.sorted { $0.key < $1.key }.compactMap { client, record in
            record.drawing.map { drawing in
                StatusReport.Page(client: client, name: record.name, frames: drawing.frames,
                                  secondsSinceFrame: Double(now - drawing.grewAt) / 1e9, screen: drawing.screen)
            }
        }
    }

    /// Returns `hasRoom`: whether the command ring has room to release the fingers and tones of a client that has disconnected. If not, the
    /// client stays in `departed` until it has.
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

    /// Records what an event has changed in the fingers and tones that clients hold, after it took effect in session number `session` (from
    /// 1). An event that changed nothing (`counts` is false) is ignored.
    mutating func follow(_ event: Event, counts: Bool, session: Int, at now: Int64) {
        if session != holdsSession { holds.end() }
        holdsSession = session
        if counts { holds.follow(event, at: now) }
    }

    /// Two limits for the fingers that are down at once, of the 64 in the house. `guestFingers` is for all visitors and players on other
    /// machines together, and `visitorFingers` for all visitors and players together. The rest is for the house's touchscreens and for
    /// operators. Only pages on this machine may use the difference between the two limits.
    private static let guestFingers = 32, visitorFingers = 48

    /// Returns why a client may not make the event `kind`: it would have more fingers down than a person has, or its group more than it may
    /// have. Nil when it may.
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

    /// Returns, in ascending order, the clients of which a finger or tone has given no sign of life since `moment` (CLOCK_MONOTONIC,
    /// nanoseconds).
    func holding(silentSince moment: Int64) -> [Client] { holds.clients(silentSince: moment) }

    /// Returns, in ascending order, the clients whose pink noise has played for its longest time at `now`.
    func playingLongNoise(at now: Int64) -> [Client] { holds.clientsOfLongNoise(at: now) }

    /// Forgets the fingers and tones that a client held.
    mutating func forgetHolds(of client: Client) { holds.forget(client) }

    /// Forgets all fingers and tones, because the session has ended.
    mutating func endHolds() { holds.end() }
}

/// The reasons why the engine itself releases the fingers and tones that a client holds.
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
