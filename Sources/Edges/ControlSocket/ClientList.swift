import NIOCore
import Synchronization
import Wire

/// Counts the connected clients, each of which takes one of a limited number of places, and the clients that found no place. Not
/// thread-safe: `ClientList` adds the lock.
struct PlaceBook {
    /// The place that one client takes while it is connected.
    struct Place: Sendable {
        /// The client's number. No two clients since the start have the same.
        let client: Int
        fileprivate let places: Places
        fileprivate let isSpare: Bool
    }

    /// The number of spare places for each kind of client on the control socket. A client in a spare place may only watch, and stop the
    /// sound. One client more closes the oldest spare connection of its own kind: nobody who comes to stop the sound is turned away, and no
    /// watcher displaces an operator.
    static let spare = 8

    /// The largest number of clients at once, not counting those in spare places.
    let limit: Int
    private var last = 0
    private var counts: [Places: Int] = [:]
    /// The clients in spare places, by kind, oldest first, each with the function that closes its connection.
    private var spares: [Places: [(client: Int, giveWay: @Sendable () -> Void)]] = [:]
    /// The number of clients since the start that found no ordinary place: those that were turned away, and those that got a spare place,
    /// in which they may only watch and stop.
    private(set) var turnedAway: UInt64 = 0
    /// The kinds of clients that found no place, and for which none has become free since.
    private var isFull: Set<Places> = []

    init(limit: Int) { self.limit = limit }

    /// The limits of places: how many clients of certain kinds, counted together, there may be at once. They keep some places free for each
    /// kind, unless there are too few places for that. Of 256 places, 16 are kept for users of the control socket and 48 more for
    /// operators. Of the other 192, pages on this machine have 96 at most, with 16 kept for them; watchers on the control socket have 16 at
    /// most.
    private var rooms: [(kinds: [Places], room: Int)] {
        let sixteenth = max(1, limit / 16)
        let remote = max(1, limit - sixteenth)
        let onlookers = max(1, remote - max(1, limit * 3 / 16))
        return [
            ([.watchers], sixteenth),
            ([.pages], max(1, onlookers / 2)),
            ([.guests, .watchers], max(1, onlookers - sixteenth)),
            ([.guests, .watchers, .pages], onlookers),
            ([.guests, .watchers, .pages, .operators], remote),
            (Places.allCases, limit),
        ]
    }

    private func room(of places: Places) -> Int { rooms.filter { $0.kinds.contains(places) }.map(\.room).min() ?? limit }

    private func hasRoom(for places: Places) -> Bool {
        rooms.allSatisfy { kinds, room in !kinds.contains(places) || kinds.reduce(0) { $0 + counts[$1, default: 0] } < room }
    }

    /// Takes an ordinary place for a client of the kind `places`. Returns nil, and counts the client as turned away, where no place is open
    /// to that kind.
    mutating func admit(_ places: Places) -> Place? {
        guard hasRoom(for: places) else {
            turnedAway += 1
            isFull.insert(places)
            return nil
        }
        counts[places, default: 0] += 1
        return Place(client: next(), places: places, isSpare: false)
    }

    /// Takes a spare place for a client of the kind `places`. `giveWay` must close that client's connection when another one needs the
    /// place. `oldest` is the `giveWay` of the client that must make room now, and must be called without a lock; nil where none must.
    mutating func admitSpare(_ places: Places, giveWay: @escaping @Sendable () -> Void) -> (Place, oldest: (@Sendable () -> Void)?) {
        var waiting = spares[places, default: []]
        let oldest = waiting.count < Self.spare ? nil : waiting.removeFirst().giveWay
        let place = Place(client: next(), places: places, isSpare: true)
        waiting.append((place.client, giveWay))
        spares[places] = waiting
        return (place, oldest)
    }

    mutating func leave(_ place: Place) {
        guard !place.isSpare else {
            spares[place.places]?.removeAll { $0.client == place.client }
            return
        }
        counts[place.places, default: 0] -= 1
        // If the client had a shared place, others may have it now; if it had a place that is kept for its kind, they may not.
        isFull = isFull.filter { !hasRoom(for: $0) }
    }

    private mutating func next() -> Int {
        last += 1
        return last
    }

    /// Returns in words why no place is free for a client of the kind `places`.
    func refusal(of places: Places) -> String {
        switch places {
        case .guests: "\(room(of: .guests)) visitors and watchers are connected already, and the other places are kept"
        case .pages: "\(room(of: .pages)) pages of this machine are connected already, and the other places are kept"
        case .watchers: "\(room(of: .watchers)) watchers are connected already on the control socket, and the other places are kept"
        case .operators, .controlSocket: "\(limit) clients are connected already"
        }
    }

    /// The kinds of clients that have been turned away and for which no place has become free since, in words; nil where there are none.
    var issue: String? {
        let full = Places.allCases.filter(isFull.contains).map(\.words)
        guard !full.isEmpty else { return nil }
        return "clients are turned away, because all places are taken that are open to \(full.joined(separator: ", ")): max-clients is "
            + "\(limit), and `thrum send client.list` says who is there"
    }
}

extension Places {
    fileprivate var words: String {
        switch self {
        case .guests: "visitors and watchers"
        case .pages: "pages of this machine"
        case .watchers: "watchers on the control socket"
        case .operators: "operators"
        case .controlSocket: "users of the control socket"
        }
    }
}

/// The connected clients of all servers, and the scheduler of their turns. Thread: any.
public final class ClientList: Sendable {
    typealias Place = PlaceBook.Place

    let scheduler: NIOLoopBound<FairScheduler>

    private final class Book: Sendable {
        let places: Mutex<PlaceBook>

        init(limit: Int) { places = Mutex(PlaceBook(limit: limit)) }
    }

    private let book: Book

    private init(_ scheduler: NIOLoopBound<FairScheduler>, _ book: Book) {
        self.scheduler = scheduler
        self.book = book
    }

    /// Makes a list for servers on `loop`; it lasts until the loop shuts down. Throws `IOError` when no file descriptor is left.
    public static func open(limit: Int = 256, on loop: any EventLoop) async throws -> ClientList {
        ClientList(try await FairScheduler.open(on: loop), Book(limit: limit))
    }

    /// Makes a list for further servers, whose event loop is `loop`; `home` is the event loop of the service. The clients of both lists are
    /// counted together. Each turn of a client waits until `home` has done the work of the turn before. Throws `IOError`.
    public func shared(with loop: any EventLoop, servedOn home: any EventLoop) async throws -> ClientList {
        ClientList(try await FairScheduler.open(on: loop, servedOn: home), book)
    }

    /// The number of clients since the start that found no ordinary place, including those that got a spare place.
    public var turnedAway: UInt64 { book.places.withLock(\.turnedAway) }

    /// The kinds of clients that have been turned away and for which no place has become free since, in words; nil where there are none.
    public var issue: String? { book.places.withLock(\.issue) }

    /// Takes an ordinary place for a client of the kind `places`. Returns nil, and counts the client as turned away, where no place is open
    /// to that kind.
    func admit(_ places: Places) -> Place? { book.places.withLock { $0.admit(places) } }

    /// Takes a spare place for the kind `places` of the control socket. `giveWay` must close the connection, when another client needs the
    /// place; it is called on any thread.
    func admitSpare(_ places: Places, giveWay: @escaping @Sendable () -> Void) -> Place {
        let (place, oldest) = book.places.withLock { $0.admitSpare(places, giveWay: giveWay) }
        oldest?()
        return place
    }

    func leave(_ place: Place) { book.places.withLock { $0.leave(place) } }

    /// Returns in words why no place is free for a client of the kind `places`.
    func refusal(of places: Places) -> String { book.places.withLock { $0.refusal(of: places) } }
}
