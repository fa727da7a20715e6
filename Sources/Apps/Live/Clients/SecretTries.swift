/// Counts how often clients have said a wrong secret, and says when they may say another: later with each, and sooner where few were wrong
/// for the household. A client that said none that was wrong is never made to wait, so that nobody keeps a household out of its own home. A
/// plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct SecretTries {
    enum Turn: Equatable {
        case now
        /// Not now: another secret of the client's is being compared.
        case busy
        /// Later, in so many nanoseconds.
        case later(Int64)
    }

    private struct Wrong {
        var count = 0
        var last: Int64 = 0
    }

    /// How long a client waits after its first wrong secret, in nanoseconds; twice as long after each further one.
    static let shortestWait: Int64 = 1_000_000_000
    /// How long a client waits at most, in nanoseconds.
    static let longestWait: Int64 = 60_000_000_000
    /// How long wrong secrets count for a household after the last, in nanoseconds.
    static let memory: Int64 = 600_000_000_000
    /// How many wrong secrets of a household, by whomever, nobody waits longer for.
    static let forgiven = 3
    /// The number of wrong secrets of a household from which on somebody is guessing.
    static let guessing = 20
    /// How many households it is known of how many were wrong; beyond that the one whose last is longest ago is forgotten.
    private static let mostHouseholds = 1_024

    /// How many secrets of each connected client were wrong, and until when the client waits.
    private var clients: [Int: (count: Int, until: Int64)] = [:]
    private var households: [String: Wrong] = [:]
    private var underWay: Set<Int> = []

    /// Returns whether it is the turn of `client` to say a secret. If it is, `ended`, `wasRight` or `wasWrong` must follow.
    mutating func begin(_ client: Int, at now: Int64) -> Turn {
        if underWay.contains(client) { return .busy }
        if let until = clients[client]?.until, now < until { return .later(until - now) }
        underWay.insert(client)
        return .now
    }

    /// Ends a turn in which nothing was compared, or for which nobody waits any more.
    mutating func ended(_ client: Int) { underWay.remove(client) }

    /// Ends a turn in which the secret was right.
    mutating func wasRight(_ client: Int) {
        ended(client)
        clients[client] = nil
    }

    /// Ends a turn in which the secret was not that household's. Returns for how many nanoseconds the client has to wait.
    mutating func wasWrong(_ client: Int, for household: String, at now: Int64) -> Int64 {
        let isThere = underWay.remove(client) != nil
        let before = wrong(for: household, at: now)
        if before == 0, households.count >= Self.mostHouseholds, let oldest = households.min(by: { $0.value.last < $1.value.last }) {
            households[oldest.key] = nil
        }
        households[household] = Wrong(count: before + 1, last: now)
        let count = (clients[client]?.count ?? 0) + 1
        let steps = min(count - 1 + max(0, before - Self.forgiven), 6)
        let wait = min(Self.shortestWait << Int64(steps), Self.longestWait)
        if isThere { clients[client] = (count, now + wait) }
        return wait
    }

    private func wrong(for household: String, at now: Int64) -> Int {
        guard let wrong = households[household], now < wrong.last + Self.memory else { return 0 }
        return wrong.count
    }

    /// Forgets a client that is gone. What of it is being compared counts for the household alone.
    mutating func disconnected(_ client: Int) {
        ended(client)
        clients[client] = nil
    }

    /// Returns what those are told who run the installation while somebody guesses at secrets; else nil. It names no household.
    func issue(at now: Int64) -> String? {
        let guessed = households.values.filter { now < $0.last + Self.memory && $0.count >= Self.guessing }
        guard !guessed.isEmpty else { return nil }
        let count = guessed.reduce(0) { $0 + $1.count }
        return "somebody guesses at households' secrets: \(count) were wrong, for \(guessed.count) of them. Longer secrets are not found: "
            + "thrum household secret sets one"
    }
}
