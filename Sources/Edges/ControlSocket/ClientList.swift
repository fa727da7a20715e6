import NIOCore
import Synchronization
import Wire

/// Counts the connected clients, each of which takes one of a limited number of slots (connections), and the clients that found none free.
/// Not thread-safe: `ClientList` adds the lock.
struct SlotBook {
    /// The slot that one client takes while it is connected.
    struct Slot: Sendable {
        /// The client's number. No two clients since the start have the same.
        let client: Int
        fileprivate let kind: SlotKind
        fileprivate let isSpare: Bool
    }

    /// The number of spare slots for each kind of client on the control socket. A client in a spare slot may only watch, and stop the
    /// sound. One client more closes the oldest spare connection of its own kind: nobody who comes to stop the sound is turned away, and no
    /// watcher displaces an operator.
    static let spare = 8

    /// The largest number of clients at once, not counting those in spare slots.
    let limit: Int
    private var last = 0
    private var counts: [SlotKind: Int] = [:]
    /// The clients in spare slots, by kind, oldest first, each with the function that closes its connection.
    private var spares: [SlotKind: [(client: Int, giveWay: @Sendable () -> Void)]] = [:]
    /// The number of clients since the start that found no ordinary slot: those that were turned away, and those that got a spare slot,
    /// in which they may only watch and stop.
    private(set) var turnedAway: UInt64 = 0
    /// The kinds of clients that found no slot, and for which none has become free since.
    private var isFull: Set<SlotKind> = []

    init(limit: Int) { self.limit = limit }

    /// The limits of slots: how many clients of certain kinds, counted together, there may be at once. They keep some slots free for each
    /// kind, unless there are too few slots for that. Of 256 slots, 16 are kept for users of the control socket and 48 more for
    /// operators. Of the other 192, pages on this machine have 96 at most, with 16 kept for them; watchers on the control socket have 16 at
    /// most.
    private var rooms: [(kinds: [SlotKind], room: Int)] {
        let sixteenth = max(1, limit / 16)
        let remote = max(1, limit - sixteenth)
        let onlookers = max(1, remote - max(1, limit * 3 / 16))
        return [
            ([.watchers], sixteenth),
            ([.pages], max(1, onlookers / 2)),
            ([.guests, .watchers], max(1, onlookers - sixteenth)),
            ([.guests, .watchers, .pages], onlookers),
            ([.guests, .watchers, .pages, .operators], remote),
            (SlotKind.allCases, limit),
        ]
    }

    private func room(of kind: SlotKind) -> Int { rooms.filter { $0.kinds.contains(kind) }.map(\.room).min() ?? limit }

    private func hasRoom(for kind: SlotKind) -> Bool {
        rooms.allSatisfy { kinds, room in !kinds.contains(kind) || kinds.reduce(0) { $0 + counts[$1, default: 0] } < room }
    }

    /// Takes an ordinary slot for a client of the kind `kind`. Returns nil, and counts the client as turned away, where no slot is open
    /// to that kind.
    mutating func admit(_ kind: SlotKind) -> Slot? {
        guard hasRoom(for: kind) else {
            turnedAway += 1
            isFull.insert(kind)
            return nil
        }
        counts[kind, default: 0] += 1
        return Slot(client: next(), kind: kind, isSpare: false)
    }

    /// Takes a spare slot for a client of the kind `kind`. `giveWay` must close that client's connection when another one needs the
    /// slot. `oldest` is the `giveWay` of the client that must make room now, and must be called without a lock; nil where none must.
    mutating func admitSpare(_ kind: SlotKind, giveWay: @escaping @Sendable () -> Void) -> (Slot, oldest: (@Sendable () -> Void)?) {
        var waiting = spares[kind, default: []]
        let oldest = waiting.count < Self.spare ? nil : waiting.removeFirst().giveWay
        let slot = Slot(client: next(), kind: kind, isSpare: true)
        waiting.append((slot.client, giveWay))
        spares[kind] = waiting
        return (slot, oldest)
    }

    mutating func leave(_ slot: Slot) {
        guard !slot.isSpare else {
            spares[slot.kind]?.removeAll { $0.client == slot.client }
            return
        }
        counts[slot.kind, default: 0] -= 1
        // If the client had a shared slot, others may have it now; if it had a slot that is kept for its kind, they may not.
        isFull = isFull.filter { !hasRoom(for: $0) }
    }

    private mutating func next() -> Int {
        last += 1
        return last
    }

    /// Returns in words why no slot is free for a client of the kind `kind`.
    func refusal(of kind: SlotKind) -> String {
        switch kind {
        case .guests: "\(room(of: .guests)) visitors and watchers are connected already, and the other places are kept"
        case .pages: "\(room(of: .pages)) pages of this machine are connected already, and the other places are kept"
        case .watchers: "\(room(of: .watchers)) watchers are connected already on the control socket, and the other places are kept"
        case .operators, .controlSocket: "\(limit) clients are connected already"
        }
    }

    /// The kinds of clients that have been turned away and for which no slot has become free since, in words; nil where there are none.
    var issue: String? {
        let full = SlotKind.allCases.filter(isFull.contains).map(\.words)
        guard !full.isEmpty else { return nil }
        return "clients are turned away, because all places are taken that are open to \(full.joined(separator: ", ")): max-clients is "
            + "\(limit), and `thrum send client.list` says who is there"
    }
}

extension SlotKind {
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
    typealias Slot = SlotBook.Slot

    let scheduler: NIOLoopBound<FairScheduler>

    private final class Book: Sendable {
        let slots: Mutex<SlotBook>

        init(limit: Int) { slots = Mutex(SlotBook(limit: limit)) }
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

    /// The number of clients since the start that found no ordinary slot, including those that got a spare slot.
    public var turnedAway: UInt64 { book.slots.withLock(\.turnedAway) }

    /// The kinds of clients that have been turned away and for which no slot has become free since, in words; nil where there are none.
    public var issue: String? { book.slots.withLock(\.issue) }

    /// Takes an ordinary slot for a client of the kind `kind`. Returns nil, and counts the client as turned away, where no slot is open
    /// to that kind.
    func admit(_ kind: SlotKind) -> Slot? { book.slots.withLock { $0.admit(kind) } }

    /// Takes a spare slot for the kind `kind` of the control socket. `giveWay` must close the connection, when another client needs the
    /// slot; it is called on any thread.
    func admitSpare(_ kind: SlotKind, giveWay: @escaping @Sendable () -> Void) -> Slot {
        let (slot, oldest) = book.slots.withLock { $0.admitSpare(kind, giveWay: giveWay) }
        oldest?()
        return slot
    }

    func leave(_ slot: Slot) { book.slots.withLock { $0.leave(slot) } }

    /// Returns in words why no slot is free for a client of the kind `kind`.
    func refusal(of kind: SlotKind) -> String { book.slots.withLock { $0.refusal(of: kind) } }
}
