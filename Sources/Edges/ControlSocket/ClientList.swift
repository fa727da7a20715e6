import NIOCore
import Synchronization
import Wire

/// Counts which places among the clients are taken, and who was turned away for want of one. A value without a lock.
struct PlaceBook {
    /// The place of one client.
    struct Place: Sendable {
        /// The client's number, never given before.
        let client: Int
        fileprivate let places: Places
        fileprivate let isSpare: Bool
    }

    /// The number of spare places for each kind, whose clients may watch and stop on the control socket. With one more, the oldest of that
    /// kind makes room: who comes to stop the sound is never turned away, and who may only watch sends no operator away.
    static let spare = 8

    /// The most clients at once, those in spare places not counted.
    let limit: Int
    private var last = 0
    private var counts: [Places: Int] = [:]
    /// The clients in spare places, by kind, in the order in which they came.
    private var spares: [Places: [(client: Int, giveWay: @Sendable () -> Void)]] = [:]
    /// The number of clients since the start that found no ordinary place: those that were turned away, and those that got a spare one, in
    /// which they may only watch and stop.
    private(set) var turnedAway: UInt64 = 0
    /// The kinds of which somebody was turned away and that have had no free place since.
    private var isFull: Set<Places> = []

    init(limit: Int) { self.limit = limit }

    /// The most clients at once of any of these kinds together. A place that is kept for one kind is out of reach of all others, except
    /// where there are too few places to keep one for each.
    ///
    /// With 256 places, 16 are kept for users of the control socket and 48 more for operators. Of the 192 that are left, 16 are kept for
    /// pages on this machine, which have 96 at most; watchers on the control socket have 16 at most.
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

    /// Takes a place that is open to this kind of client; nil when there is none.
    mutating func admit(_ places: Places) -> Place? {
        guard hasRoom(for: places) else {
            turnedAway += 1
            isFull.insert(places)
            return nil
        }
        counts[places, default: 0] += 1
        return Place(client: next(), places: places, isSpare: false)
    }

    /// Takes one of the spare places, for `places` of the control socket. Returns what is to be called, without a lock, to close the
    /// connection that makes room for it; nil where none has to.
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
        // A place that was shared is free for others, too, and one that was kept is not.
        isFull = isFull.filter { !hasRoom(for: $0) }
    }

    private mutating func next() -> Int {
        last += 1
        return last
    }

    /// Says why there is no place for this kind.
    func refusal(of places: Places) -> String {
        switch places {
        case .guests: "\(room(of: .guests)) visitors and watchers are connected already, and the other places are kept"
        case .pages: "\(room(of: .pages)) pages of this machine are connected already, and the other places are kept"
        case .watchers: "\(room(of: .watchers)) watchers are connected already on the control socket, and the other places are kept"
        case .operators, .controlSocket: "\(limit) clients are connected already"
        }
    }

    /// Says that clients are turned away, from the first of them until a place is free again; nil otherwise.
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

/// The connected clients, by whatever way they came, and the turns that they take. Thread: any.
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

    /// Makes a list for servers on `loop`, until that shuts down. Throws `IOError` when there is no descriptor left.
    public static func open(limit: Int = 256, on loop: any EventLoop) async throws -> ClientList {
        ClientList(try await FairScheduler.open(on: loop), Book(limit: limit))
    }

    /// Makes a list of the same clients, counted together, for servers on another loop than the service's, which is `home`: each turn waits
    /// until `home` has done what the one before handed over. Throws `IOError`.
    public func shared(with loop: any EventLoop, servedOn home: any EventLoop) async throws -> ClientList {
        ClientList(try await FairScheduler.open(on: loop, servedOn: home), book)
    }

    /// The number of clients that were turned away for want of a place since the start, those that got a spare place included.
    public var turnedAway: UInt64 { book.places.withLock(\.turnedAway) }

    /// Says in words that clients were turned away and no place is free since; nil when that is not so.
    public var issue: String? { book.places.withLock(\.issue) }

    /// Takes a place that is open to this kind of client; nil when there is none.
    func admit(_ places: Places) -> Place? { book.places.withLock { $0.admit(places) } }

    /// Takes one of the spare places, for `places` of the control socket. `giveWay` closes the connection when another needs it; it is
    /// called on any thread.
    func admitSpare(_ places: Places, giveWay: @escaping @Sendable () -> Void) -> Place {
        let (place, oldest) = book.places.withLock { $0.admitSpare(places, giveWay: giveWay) }
        oldest?()
        return place
    }

    func leave(_ place: Place) { book.places.withLock { $0.leave(place) } }

    /// Says why there is no place for this kind.
    func refusal(of places: Places) -> String { book.places.withLock { $0.refusal(of: places) } }
}
