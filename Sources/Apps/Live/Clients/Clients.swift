import Calendar
import ControlSocket
import Glibc
import HTTPServer
import Signals
import Wire

/// What the stage knows of clients: who they are, what they hold, wait for, have planned and have set, and what was refused. A client that
/// goes is forgotten here. Only the stage has this class: its state is the event loop's.
final class Clients {
    var presence = Presence()
    var deferredAnswers = DeferredAnswers()
    var agenda = Agenda()
    var receipts = Receipts()
    var rejections = Rejections()
    var overload = Overload()
    var handMarks = HandMarks()

    func identity(of caller: Caller) -> Identity { presence.identity(of: caller.client) }

    /// Returns whether a client is root or thrumd's own user, who could write the database by hand.
    func isAdministrator(_ caller: Caller) -> Bool { [.user(0), .user(geteuid())].contains(identity(of: caller)) }

    /// Forgets a client that is gone, except for what it holds. Returns what is to be called for the events that it had planned.
    func forget(_ client: Int) -> [() -> Void] {
        presence.disconnected(client)
        return agenda.cancel(from: client)
    }
}

/// Notes who has muted the house and set its ceiling, and when. A plain value: the caller gives the time (seconds since 1970-01-01 in UTC).
struct HandMarks {
    /// Who has muted the house; nil while it is not muted.
    private(set) var mute: HouseReport.ByHand?
    /// Who has set the last ceiling; nil before anybody has.
    private(set) var ceiling: HouseReport.ByHand?

    /// Follows an event that has been acted on. Whoever mutes what is muted already changes nothing.
    mutating func follow(_ kind: EventKind, by: @autoclosure () -> String, at instant: Int) {
        func mark() -> HouseReport.ByHand {
            HouseReport.ByHand(by: by(), since: LocalClock.isBelievable(instant) ? instant : nil)
        }
        switch kind {
        case .mute(true): mute = mute ?? mark()
        case .mute(false): mute = nil
        case .ceiling: ceiling = mark()
        default: break
        }
    }
}

/// Counts requests over HTTP that were refused because of who asks. A plain value: the caller gives the time (CLOCK_MONOTONIC,
/// nanoseconds).
struct Rejections {
    /// The time in which one request of each kind is logged, in nanoseconds, so that whoever asks often fills no disk.
    private static let pause: Int64 = 10_000_000_000

    /// The requests refused since the daemon's start.
    private(set) var counts = StatusReport.Refused()
    /// When a request of each kind was logged last, and how many have come since.
    private var logged: [HTTPRefusal.Stranger: (at: Int64, since: Int)] = [:]

    /// Counts a rejection. Returns how many of its kind came unlogged before it; nil where it is not to be logged either.
    mutating func note(_ rejection: HTTPRejection, at now: Int64) -> Int? {
        switch rejection.stranger {
        case .host: counts.hosts += 1
        case .origin: counts.origins += 1
        case .token: counts.tokens += 1
        }
        if let last = logged[rejection.stranger], now - last.at < Self.pause {
            logged[rejection.stranger]?.since += 1
            return nil
        }
        let unlogged = logged[rejection.stranger]?.since ?? 0
        logged[rejection.stranger] = (now, 0)
        return unlogged
    }
}

/// Counts events that were refused because they came faster than they could be played. A plain value: the caller gives the time
/// (CLOCK_MONOTONIC, nanoseconds).
struct Overload {
    /// How long after the last refusal the overload stays an issue, in nanoseconds.
    static let memory: Int64 = 10_000_000_000

    /// The events refused since the start.
    private(set) var total: UInt64 = 0
    private var last: Int64?

    mutating func refuse(at now: Int64) {
        total += 1
        last = now
    }

    /// Returns the issue in words, which stay the same as long as it lasts; nil when it is over.
    func issue(at now: Int64) -> String? {
        guard let last, now - last < Self.memory else { return nil }
        return "events come faster than they can be played: some were refused in the last \(Self.memory / 1_000_000_000) s"
    }
}
