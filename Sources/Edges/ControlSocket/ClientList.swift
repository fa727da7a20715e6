import NIOCore
import Synchronization
import Wire

/// Who is connected, by whatever way, and the turns that they take. Thread: any.
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

    /// For servers on `loop`, until that shuts down. Throws `IOError` when there is no descriptor left.
    public static func open(limit: Int = 256, on loop: any EventLoop) async throws -> ClientList {
        ClientList(try await FairScheduler.open(on: loop), Book(limit: limit))
    }

    /// The same clients, counted together, for servers on another loop than the service's, which is `home`: each turn waits until `home`
    /// has done what the one before handed over. Throws `IOError`.
    public func shared(with loop: any EventLoop, servedOn home: any EventLoop) async throws -> ClientList {
        ClientList(try await FairScheduler.open(on: loop, servedOn: home), book)
    }

    /// Clients that were turned away for want of a place since the start; those count that got a spare one.
    public var turnedAway: UInt64 { book.places.withLock(\.turnedAway) }

    /// That clients were turned away and no place is free since, in words.
    public var issue: String? { book.places.withLock(\.issue) }

    /// Nil when there is no place left of those that are open to it.
    func admit(_ places: Places) -> Place? { book.places.withLock { $0.admit(places) } }

    /// One of the places beside the others, for `places` of the control socket. `giveWay` closes the connection when another needs it; it
    /// is called on any thread.
    func admitSpare(_ places: Places, giveWay: @escaping @Sendable () -> Void) -> Place {
        let (place, oldest) = book.places.withLock { $0.admitSpare(places, giveWay: giveWay) }
        oldest?()
        return place
    }

    func leave(_ place: Place) { book.places.withLock { $0.leave(place) } }

    /// Why there is no place.
    func refusal(of places: Places) -> String { book.places.withLock { $0.refusal(of: places) } }
}
