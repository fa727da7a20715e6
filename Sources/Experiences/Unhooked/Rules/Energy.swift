import Units

/// Minutes of screen time of one day, and how many there were to be at most.
struct DayUse: Codable, Equatable, Sendable {
    /// 0…1,440.
    var minutes: Int
    /// 1…1,440.
    var limit: Int

    /// r: how much of the limit was used.
    var ratio: Double { Double(minutes) / Double(limit) }
}

/// What a day of restraint earns.
enum EnergyAward {
    static let most = 150

    /// E = round(150 · max(0, 1 − r)^γ), where r is the mean of the days' ratios; halves are rounded up. With γ = 1 it is exact.
    /// `days` are today and, where it was reported, yesterday; nothing is earned without any.
    static func energy(_ days: [DayUse], gamma: Double) -> Int {
        guard !days.isEmpty else { return 0 }
        // 1 − r as a fraction of whole numbers.
        let below = days.reduce(1) { $0 * $1.limit }
        let used = days.reduce(0) { $0 + $1.minutes * (below / $1.limit) }
        let (rest, whole) = (below * days.count - used, below * days.count)
        guard rest > 0 else { return gamma == 0 ? most : 0 }
        guard gamma == 1 else { return energy(rest: Double(rest) / Double(whole), gamma: gamma) }
        return (2 * most * rest + whole) / (2 * whole)
    }

    /// The same of 1 − r, in doubles. 0⁰ is 1.
    static func energy(rest: Double, gamma: Double) -> Int {
        guard gamma > 0 else { return most }
        guard rest > 0 else { return 0 }
        return Int((Double(most) * exp2(gamma * log2(rest))).rounded(.toNearestOrAwayFromZero))
    }
}
