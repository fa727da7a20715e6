import NIOCore
import Synchronization
import Wire

/// Who is connected, by whatever way, and the turns that they take.
public final class ClientList: Sendable {
    /// A client's, until it leaves.
    struct Place: Sendable {
        /// The client's number, never given before.
        let client: Int
        fileprivate let places: Places
        fileprivate var isSpare = false
    }

    /// At once, beside those with spare places.
    let limit: Int
    let scheduler: NIOLoopBound<FairScheduler>

    /// So many more may look on and stop on the control socket. With one more, the oldest of them makes room: who comes to stop the sound
    /// is never turned away.
    private static let spare = 8

    private struct State {
        var last = 0
        var counts: [Places: Int] = [:]
        /// In the order in which they came.
        var spares: [(client: Int, giveWay: @Sendable () -> Void)] = []

        func count(_ places: Places...) -> Int { places.reduce(0) { $0 + counts[$1, default: 0] } }

        mutating func next() -> Int {
            last += 1
            return last
        }
    }

    private final class Count: Sendable { let state = Mutex(State()) }

    private let count: Count

    private init(limit: Int, _ scheduler: NIOLoopBound<FairScheduler>, _ count: Count = Count()) {
        self.limit = limit
        self.scheduler = scheduler
        self.count = count
    }

    /// For servers on `loop`, until that shuts down. Throws `IOError` when there is no descriptor left.
    public static func open(limit: Int = 256, on loop: any EventLoop) async throws -> ClientList {
        ClientList(limit: limit, try await FairScheduler.open(on: loop))
    }

    /// The same clients, counted together, for servers on another loop than the service's, which is `home`: each turn waits until `home`
    /// has done what the one before handed over. Throws `IOError`.
    public func shared(with loop: any EventLoop, servedOn home: any EventLoop) async throws -> ClientList {
        ClientList(limit: limit, try await FairScheduler.open(on: loop, servedOn: home), count)
    }

    /// A sixteenth of all places, and one at least, is kept for the control socket.
    private var remoteRoom: Int { max(1, limit - max(1, limit / 16)) }
    /// Three sixteenths more, and one at least, are kept for operators: guests have three quarters.
    private var guestRoom: Int { max(1, remoteRoom - max(1, limit * 3 / 16)) }

    /// Nil when there is no place left of those that are open to it.
    func admit(_ places: Places) -> Place? {
        count.state.withLock { state in
            guard state.count(.guests, .operators, .controlSocket) < limit,
                  places == .controlSocket || state.count(.guests, .operators) < remoteRoom,
                  places != .guests || state.count(.guests) < guestRoom else { return nil }
            state.counts[places, default: 0] += 1
            return Place(client: state.next(), places: places)
        }
    }

    /// One of the places beside the others, on the control socket. `giveWay` closes the connection when another needs it; it is called on
    /// any thread.
    func admitSpare(giveWay: @escaping @Sendable () -> Void) -> Place {
        let (place, oldest) = count.state.withLock { state in
            let oldest = state.spares.count < Self.spare ? nil : state.spares.removeFirst().giveWay
            let place = Place(client: state.next(), places: .controlSocket, isSpare: true)
            state.spares.append((place.client, giveWay))
            return (place, oldest)
        }
        oldest?()
        return place
    }

    func leave(_ place: Place) {
        count.state.withLock { state in
            if place.isSpare {
                state.spares.removeAll { $0.client == place.client }
            } else {
                state.counts[place.places, default: 0] -= 1
            }
        }
    }

    /// Why there is no place.
    func refusal(of places: Places) -> String {
        switch places {
        case .guests: "\(guestRoom) visitors and watchers are connected already, and the other places are kept"
        case .operators, .controlSocket: "\(limit) clients are connected already"
        }
    }
}
