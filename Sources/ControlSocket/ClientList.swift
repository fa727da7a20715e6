import Synchronization

/// Who is connected, by whatever way.
public final class ClientList: Sendable {
    /// At once.
    let limit: Int

    /// So many more may look on, and stop: those who come to see what is wrong.
    private static let spare = 8

    private let state = Mutex((last: 0, count: 0))

    public init(limit: Int = 256) { self.limit = limit }

    /// A number never given before; nil when there are too many.
    func admit() -> Int? { admit(upTo: limit) }

    /// The same, for one who only looks on.
    func admitWatcher() -> Int? { admit(upTo: limit + Self.spare) }

    private func admit(upTo limit: Int) -> Int? {
        state.withLock { state in
            guard state.count < limit else { return nil }
            state.count += 1
            state.last += 1
            return state.last
        }
    }

    func leave() { state.withLock { $0.count -= 1 } }
}
