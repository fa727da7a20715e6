import ControlSocket
import Signals
import Wire

/// Which clients are there, what they may do, and what they hold. A plain value, without a clock: whoever asks says what time it is
/// (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct Presence {
    /// Why somebody was let go of who did not ask for it.
    enum Reason: String {
        case held, silent, unread

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

    /// What a page has told of its drawing.
    private struct Drawing {
        var frames: Int
        /// CLOCK_MONOTONIC, nanoseconds: when the number last grew.
        var grewAt: Int64
    }

    private var roles: [Int: Role] = [:]
    /// What clients call themselves.
    private var names: [Int: String] = [:]
    private var drawings: [Int: Drawing] = [:]
    /// Those that report swipes and taps themselves.
    private var gesturing: Set<Int> = []
    /// Those that are gone and could not be let go of for want of room.
    private(set) var departed: Set<Client> = []
    private var holds = Holds()
    /// The session that `holds` is of, counted from 1.
    private var holdsSession = 0
    /// How often somebody was let go of, by why.
    private(set) var released = StatusReport.Released()

    /// Clients that are connected.
    var count: Int { roles.count }
    /// Whether a front end reports swipes and taps, so that those we see are not wanted.
    var hasGestures: Bool { !gesturing.isEmpty }

    /// Of a client that is not known any more: `operator`, as what it asked for before it went is still acted on.
    func role(of client: Int) -> Role { roles[client] ?? .operator }

    mutating func connected(_ client: Int, as role: Role) { roles[client] = role }

    /// A client that may only watch takes no gestures from the others.
    mutating func introduced(_ client: Int, as name: String?, reportsGestures: Bool) {
        names[client] = name
        if reportsGestures, let role = roles[client], role != .watch { gesturing.insert(client) } else { gesturing.remove(client) }
    }

    mutating func disconnected(_ client: Int) {
        roles[client] = nil
        names[client] = nil
        drawings[client] = nil
        gesturing.remove(client)
    }

    /// A page has drawn so many frames since it was loaded. The same number again is no news: a page that has hung may still send.
    mutating func drew(_ client: Int, frames: Int, at now: Int64) {
        if drawings[client]?.frames != frames { drawings[client] = Drawing(frames: frames, grewAt: now) }
    }

    /// Those that tell of their drawing, by client.
    func pages(at now: Int64) -> [StatusReport.Page] {
        drawings.sorted { $0.key < $1.key }.map { client, drawing in
            StatusReport.Page(client: client, name: names[client], frames: drawing.frames,
                              secondsSinceFrame: Double(now - drawing.grewAt) / 1e9)
        }
    }

    /// A client is to be let go of. Returns whether that can be done now; if not, it is among `departed` until it can.
    mutating func departs(_ client: Client, hasRoom: Bool) -> Bool {
        if hasRoom { departed.remove(client) } else { departed.insert(client) }
        return hasRoom
    }

    mutating func count(_ reason: Reason) {
        switch reason {
        case .held: released.held += 1
        case .silent: released.silent += 1
        case .unread: released.unread += 1
        }
    }

    /// `event` has been acted on in a session, counted from 1. It counts unless it changed nothing.
    mutating func follow(_ event: Event, counts: Bool, session: Int, at now: Int64) {
        if session != holdsSession { holds.end() }
        holdsSession = session
        if counts { holds.follow(event, at: now) }
    }

    /// Clients that hold something of which nothing was heard since `moment`, lowest first.
    func holding(silentSince moment: Int64) -> [Client] { holds.clients(silentSince: moment) }

    /// It holds nothing any more.
    mutating func forgetHolds(of client: Client) { holds.forget(client) }

    /// The session is over.
    mutating func endHolds() { holds.end() }
}
