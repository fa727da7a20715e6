/// Limits how fast clients may try secrets of households. The wait grows with each wrong secret of the client, and grows sooner if many
/// were wrong for the same household. A client that has said no wrong secret never waits, so nobody can keep a household out of its own
/// home. A plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct SecretTries {
    enum Turn: Equatable {
        case now
        /// Not now, because another secret of this client is being compared.
        case busy
        /// Not before this many nanoseconds have passed.
        case later(Int64)
    }

    private struct Wrong {
        var count = 0
        var last: Int64 = 0
    }

    /// The time that a client waits after its first wrong secret, in nanoseconds. Each further one doubles the wait.
    static let shortestWait: Int64 = 1_000_000_000
    /// The longest time that a client waits, in nanoseconds.
    static let longestWait: Int64 = 60_000_000_000
    /// The time after a household's last wrong secret for which its wrong secrets are remembered, in nanoseconds.
    static let memory: Int64 = 600_000_000_000
    /// The number of wrong secrets for one household, from whatever clients, that do not yet lengthen the waits of clients.
    static let forgiven = 3
    /// The number of wrong secrets for a household from which on somebody counts as guessing.
    static let guessing = 20
    /// The number of households whose wrong secrets are remembered. Beyond that, the household whose last wrong secret is oldest is
    /// forgotten.
    private static let mostHouseholds = 1_024

    /// The number of wrong secrets of each connected client, and the time until which the client has to wait.
    private var clients: [Int: (count: Int, until: Int64)] = [:]
    private var households: [String: Wrong] = [:]
    private var underWay: Set<Int> = []

    /// Says whether `client` may try a secret now, and if not, why or for how long. If it may, the caller must call `ended`, `wasRight` or
    /// `wasWrong` afterwards.
    mutating func begin(_ client: Int, at now: Int64) -> Turn {
        if underWay.contains(client) { return .busy }
        if let until = clients[client]?.until, now < until { return .later(until - now) }
        underWay.insert(client)
        return .now
    }

    /// Ends a try in which no secret was compared, or whose result nobody waits for any more.
    mutating func ended(_ client: Int) { underWay.remove(client) }

    /// Ends a try in which the secret was right.
    mutating func wasRight(_ client: Int) {
        ended(client)
        clients[client] = nil
    }

    /// Ends a try in which the secret was wrong for `household`. Returns for how many nanoseconds the client has to wait.
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

    /// Forgets a client that has disconnected. If its secret is still being compared, the result counts for the household only.
    mutating func disconnected(_ client: Int) {
        ended(client)
        clients[client] = nil
    }

    /// Returns, while somebody is guessing secrets, the issue in words for operators, which names no household; nil while nobody is.
    func issue(at now: Int64) -> String? {
        let guessed = households.values.filter { now < $0.last + Self.memory && $0.count >= Self.guessing }
        guard !guessed.isEmpty else { return nil }
        let count = guessed.reduce(0) { $0 + $1.count }
        return "somebody guesses at households' secrets: \(count) were wrong, for \(guessed.count) of them. Longer secrets are not found: "
            + "thrum household secret sets one"
    }
}
