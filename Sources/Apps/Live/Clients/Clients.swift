import Calendar
import ControlSocket
import Glibc
import HTTPServer
import Signals
import Wire

/// What the stage knows of clients: who they are, which fingers and tones they hold, which answers they wait for, which events they have
/// planned, who has muted the house or set its ceiling, and which requests were refused. Forgets clients that have gone. Only the stage has
/// this class, so its state belongs to the event loop.
final class Clients {
    var presence = Presence()
    var deferredAnswers = DeferredAnswers()
    var agenda = Agenda()
    var receipts = Receipts()
    var rejections = Rejections()
    var overload = Overload()
    var handMarks = HandMarks()

    func identity(of caller: Caller) -> Identity { presence.identity(of: caller.client) }

    /// Whether a client runs as root or as thrumd's own user; both could change the database by hand.
    func isAdministrator(_ caller: Caller) -> Bool { [.user(0), .user(geteuid())].contains(identity(of: caller)) }

    /// Forgets a client that has gone, except for the fingers and tones that it holds. Returns the `cancelled` callbacks of the events that
    /// it had planned, which the caller must call.
    func forget(_ client: Int) -> [() -> Void] {
        presence.disconnected(client)
        return agenda.cancel(from: client)
    }
}

/// Records who muted the house and who set its ceiling, and when. A plain value: the caller passes the time (seconds since 1970-01-01,
/// UTC).
struct HandMarks {
    /// Who muted the house, and when; nil while the house is not muted.
    private(set) var mute: HouseReport.ByHand?
    /// Who last set the ceiling, and when; nil before anybody has.
    private(set) var ceiling: HouseReport.ByHand?

    /// Records that the client `by` has muted the house or set its ceiling, if `kind` does that, after the event took effect. Muting a
    /// house that is muted already changes nothing.
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

/// Counts HTTP requests that were refused because of their host, origin or token. A plain value: the caller passes the time
/// (CLOCK_MONOTONIC, nanoseconds).
struct Rejections {
    /// The time in nanoseconds in which only one refusal of each kind is logged, so that frequent requests do not fill the disk.
    private static let pause: Int64 = 10_000_000_000

    /// The number of refused requests since the daemon's start, by kind.
    private(set) var counts = StatusReport.Refused()
    /// When a refusal of each kind was last logged, and how many of that kind have come since.
    private var logged: [HTTPRefusal.Stranger: (at: Int64, since: Int)] = [:]

    /// Counts a refused request. Returns nil where it is not to be logged; else how many of its kind were refused since the last one that
    /// was logged.
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

/// Counts events that were refused because they came faster than they could be played. A plain value: the caller passes the time
/// (CLOCK_MONOTONIC, nanoseconds).
struct Overload {
    /// The time for which the overload stays an issue after the last refusal, in nanoseconds.
    static let memory: Int64 = 10_000_000_000

    /// The number of refused events since the daemon's start.
    private(set) var total: UInt64 = 0
    private var last: Int64?

    mutating func refuse(at now: Int64) {
        total += 1
        last = now
    }

    /// Returns the issue that there is an overload, in words that stay the same while it lasts; nil where there is no overload.
    func issue(at now: Int64) -> String? {
        guard let last, now - last < Self.memory else { return nil }
        return "events come faster than they can be played: some were refused in the last \(Self.memory / 1_000_000_000) s"
    }
}
