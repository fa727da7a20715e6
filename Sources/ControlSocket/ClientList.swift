import Synchronization

/// Who is connected, by whatever way.
public final class ClientList: Sendable {
    /// Clients at once.
    static let limit = 256

    private let state = Mutex((last: 0, count: 0))

    public init() {}

    /// A number never given before; nil when there are too many clients.
    func admit() -> Int? {
        state.withLock { state in
            guard state.count < Self.limit else { return nil }
            state.count += 1
            state.last += 1
            return state.last
        }
    }

    func leave() { state.withLock { $0.count -= 1 } }
}
