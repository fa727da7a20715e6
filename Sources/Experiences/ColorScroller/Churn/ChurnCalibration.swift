// Written by scripts/calibrate-churn from 700 simulated visits of at most 200 cards, seeds from 100000 on.
enum ChurnCalibration {
    /// The weights of the five signals. Their sum is 1.
    static let weights = (slowness: 0.4075, slowing: 0.4623, drought: 0.0487, fatigue: 0.005, shallowness: 0.0765)
    /// Pairs of a weighted sum and the fraction of visitors who left within 5 cards. Both rise from pair to pair.
    private static let table = [
        (0.0, 0.0), (0.0435, 0.0006), (0.049, 0.0019), (0.0532, 0.0025), (0.0588, 0.0028), (0.0635, 0.0036), (0.0696, 0.0046),
        (0.0761, 0.006), (0.0837, 0.0079), (0.1032, 0.008), (0.1267, 0.0086), (0.1408, 0.0102), (0.1471, 0.0118),
        (0.1657, 0.0123), (0.1891, 0.0125), (0.2087, 0.0152), (0.2368, 0.0156), (0.2586, 0.0228), (0.2687, 0.025),
        (0.2751, 0.0268), (0.2839, 0.0292), (0.2901, 0.0375), (0.2961, 0.075), (0.303, 0.0875), (0.3099, 0.1125),
        (0.3162, 0.1375), (0.323, 0.15), (0.3366, 0.25), (0.3723, 0.4792), (0.4198, 0.5792), (0.4523, 0.65), (0.47, 0.675),
        (0.5007, 0.7), (0.5639, 0.7438), (0.684, 0.7925), (1.0, 0.97),
    ]

    /// Returns the probability for a weighted sum, interpolated between two entries of the table.
    static func probability(of score: Double) -> Double {
        guard let above = table.firstIndex(where: { $0.0 > score }) else { return table[table.count - 1].1 }
        guard above > 0 else { return table[0].1 }
        let (from, to) = (table[above - 1], table[above])
        return min(to.1, from.1 + (to.1 - from.1) * ((score - from.0) / (to.0 - from.0)))
    }
}
