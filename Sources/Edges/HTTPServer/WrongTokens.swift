import NIOCore

/// How many wrong tokens were shown lately, by address. A plain value, without a clock.
struct WrongTokens {
    /// So many at once, and then as they are forgotten, one after the other.
    private static let most = 10.0
    /// In seconds, each.
    private static let forgetting = 6.0
    /// Addresses that are remembered at once.
    private static let room = 256

    private var counts: [String: (count: Double, at: NIODeadline)] = [:]

    /// How many seconds whoever is there must wait; nil where it need not.
    func wait(of address: String, at now: NIODeadline) -> Int? {
        let over = count(of: address, at: now) - (Self.most - 1)
        return over > 0 ? Int((over * Self.forgetting).rounded(.up)) : nil
    }

    mutating func note(_ address: String, at now: NIODeadline) {
        let count = count(of: address, at: now) + 1
        if counts[address] == nil, counts.count >= Self.room,
           let least = counts.keys.min(by: { self.count(of: $0, at: now) < self.count(of: $1, at: now) }) {
            counts[least] = nil
        }
        counts[address] = (min(count, Self.most), now)
    }

    private func count(of address: String, at now: NIODeadline) -> Double {
        guard let (count, then) = counts[address] else { return 0 }
        return max(0, count - Double((now - then).nanoseconds) * 1e-9 / Self.forgetting)
    }
}
