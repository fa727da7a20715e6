import Wire

/// How often somebody has said a wrong secret, and when they may say another: later with each, and sooner where few were wrong for the
/// household. Who said none that was wrong is never made to wait, so that nobody keeps a household out of its own home. A plain value: the
/// caller gives the time (CLOCK_MONOTONIC, nanoseconds). Thread: the event loop.
struct SecretTries {
    enum Turn: Equatable {
        case now
        /// Another of the client's is being compared.
        case busy
        /// As many of clients with the same credentials are being compared as may be.
        case crowded
        /// In so many nanoseconds.
        case later(Int64)
    }

    private struct Wrong {
        var count = 0
        var last: Int64 = 0
    }

    /// After the first wrong one, in nanoseconds; twice as long after each further one.
    static let shortestWait: Int64 = 1_000_000_000
    static let longestWait: Int64 = 60_000_000_000
    /// What was wrong for a household counts for so long after the last, in nanoseconds.
    static let memory: Int64 = 600_000_000_000
    /// Wrong ones of a household, by whomever, that nobody waits for.
    static let forgiven = 3
    /// Of clients with the same credentials so many are compared or wait for it, at once.
    static let mostOfCredentials = 8
    /// From so many on somebody is guessing.
    static let guessing = 20
    /// Of which it is known how many were wrong; then of those whose last is longest ago nothing is known any more.
    private static let mostHouseholds = 1_024

    /// Of clients that are connected: how many were wrong, and until when they wait.
    private var clients: [Int: (count: Int, until: Int64)] = [:]
    private var households: [String: Wrong] = [:]
    private var underWay: [Int: (identity: Identity, household: String)] = [:]

    /// `client`, whose credentials are `identity`, says a secret of `household`. If it is its turn now, `ended` must follow.
    mutating func begin(_ client: Int, _ identity: Identity, for household: String, at now: Int64) -> Turn {
        if underWay[client] != nil { return .busy }
        if let until = clients[client]?.until, now < until { return .later(until - now) }
        guard underWay.values.count(where: { $0.identity == identity }) < Self.mostOfCredentials else { return .crowded }
        underWay[client] = (identity, household)
        return .now
    }

    /// It could not be compared, or it was right, or nobody waits for it any more.
    mutating func ended(_ client: Int) { underWay[client] = nil }

    /// It was right.
    mutating func wasRight(_ client: Int) {
        ended(client)
        clients[client] = nil
    }

    /// It was not that household's. Returns for how many nanoseconds the client has to wait.
    mutating func wasWrong(_ client: Int, for household: String, at now: Int64) -> Int64 {
        // Of a client that is gone it has counted already.
        guard underWay.removeValue(forKey: client) != nil else { return Self.shortestWait }
        let before = count(wrongFor: household, at: now)
        let count = (clients[client]?.count ?? 0) + 1
        let steps = min(count - 1 + max(0, before - Self.forgiven), 6)
        let wait = min(Self.shortestWait << Int64(steps), Self.longestWait)
        clients[client] = (count, now + wait)
        return wait
    }

    /// Counts one that was wrong for a household. Returns how many were before.
    private mutating func count(wrongFor household: String, at now: Int64) -> Int {
        let before = wrong(for: household, at: now)
        if before == 0, households.count >= Self.mostHouseholds, let oldest = households.min(by: { $0.value.last < $1.value.last }) {
            households[oldest.key] = nil
        }
        households[household] = Wrong(count: before + 1, last: now)
        return before
    }

    private func wrong(for household: String, at now: Int64) -> Int {
        guard let wrong = households[household], now < wrong.last + Self.memory else { return 0 }
        return wrong.count
    }

    /// It is gone. What of it is being compared counts as wrong for the household: whoever guesses may not wait for the answer.
    mutating func disconnected(_ client: Int, at now: Int64) {
        if let household = underWay.removeValue(forKey: client)?.household { _ = count(wrongFor: household, at: now) }
        clients[client] = nil
    }

    /// What those are told who run the installation; nil while nobody guesses. It names no household.
    func issue(at now: Int64) -> String? {
        let guessed = households.values.filter { now < $0.last + Self.memory && $0.count >= Self.guessing }
        guard !guessed.isEmpty else { return nil }
        let count = guessed.reduce(0) { $0 + $1.count }
        return "somebody guesses at households' secrets: \(count) were wrong, for \(guessed.count) of them. Longer secrets are not found: "
            + "thrum household secret sets one"
    }
}
