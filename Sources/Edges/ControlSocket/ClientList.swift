import NIOCore
import Synchronization

/// Who is connected, by whatever way, and the turns that they take.
public final class ClientList: Sendable {
    /// At once.
    let limit: Int
    let scheduler: NIOLoopBound<FairScheduler>

    /// So many more may look on, and stop: those who come to see what is wrong.
    private static let spare = 8

    /// How many there are, and the number that was given last.
    private final class Count: Sendable { let state = Mutex((last: 0, count: 0)) }

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

    /// A number never given before; nil when there are too many.
    func admit() -> Int? { admit(upTo: limit) }

    /// The same, for one who only looks on.
    func admitWatcher() -> Int? { admit(upTo: limit + Self.spare) }

    private func admit(upTo limit: Int) -> Int? {
        count.state.withLock { state in
            guard state.count < limit else { return nil }
            state.count += 1
            state.last += 1
            return state.last
        }
    }

    func leave() { count.state.withLock { $0.count -= 1 } }
}
