import Signals

/// Who did something last, so that nobody ends what others are at. A plain value: the caller gives the time (CLOCK_MONOTONIC,
/// nanoseconds). Thread: the event loop.
struct LatestActs {
    /// What somebody has done is under way for so long; in nanoseconds.
    static let lasting: Int64 = 10_000_000_000

    /// This machine's own touchscreens are one: the same people are at all of them.
    private enum Source: Equatable {
        case screens
        case connection(Int)

        init?(_ client: Client) {
            switch client {
            case .screen: self = .screens
            case .connection(let number): self = .connection(number)
            case .engine: return nil
            }
        }
    }

    /// The last of each, the newest last. Of three one is neither a client's own nor a touchscreen's, if there is such a one at all.
    private var acts: [(source: Source, at: Int64)] = []

    mutating func note(_ client: Client, at now: Int64) {
        guard let source = Source(client) else { return }
        acts.removeAll { $0.source == source }
        acts.append((source, now))
        if acts.count > 3 { acts.removeFirst() }
    }

    /// In how many nanoseconds `client` may end what others are at; nil when it may now. Somebody at this machine's touchscreens is who
    /// uses a local client.
    func wait(of client: Int, isLocal: Bool, at now: Int64) -> Int64? {
        let others = acts.filter { $0.source != .connection(client) && !(isLocal && $0.source == .screens) }
        guard let last = others.last?.at, now < last + Self.lasting else { return nil }
        return last + Self.lasting - now
    }
}
