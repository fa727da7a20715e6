/// How a visitor scrolls: how fast, whether faster or slower lately, and for how long in all.
struct Pace: Codable, Equatable, Sendable {
    /// Seconds without a scroll after which somebody is not scrolling any more.
    static let attention = 2.0
    /// Scrolls that the trend looks back on.
    private static let memory = 8
    /// What is taken from the time between scrolls, at most: nobody can follow more screen heights per second.
    private static let fastest = 50.0

    /// Of the last scrolls, the newest last.
    private var velocities: [Double] = []
    /// Seconds since the session's start.
    private var last: Double
    private(set) var activeSeconds = 0.0
    private(set) var isScrolling = false

    init(from time: Double = 0) { last = time }

    /// `velocity` is what was reported, in screen heights per second. Without it, it is taken from the time since the scroll
    /// before: a card is a screen high.
    mutating func scroll(at time: Double, velocity: Double?) {
        let gap = time - last
        isScrolling = gap <= Self.attention
        activeSeconds += min(gap, Self.attention)
        last = time
        // Two scrolls at once, as the first of a session with its arrival, say nothing of how fast.
        guard let velocity = velocity ?? (gap > 0 ? min(Self.fastest, 1 / gap) : nil) else { return }
        if velocities.count == Self.memory { velocities.removeFirst() }
        velocities.append(velocity)
    }

    /// Screen heights per second.
    var velocity: Double { velocities.last ?? 0 }

    /// By how much the velocity grows from one scroll to the next: the slope of the least-squares line through the last ones.
    var trend: Double {
        let count = Double(velocities.count)
        guard count >= 2 else { return 0 }
        let middle = (count - 1) / 2
        let mean = velocities.reduce(0, +) / count
        var covariance = 0.0
        for (place, velocity) in velocities.enumerated() { covariance += (Double(place) - middle) * (velocity - mean) }
        // Σ(x − x̄)² of 0…n−1.
        return covariance / (count * (count * count - 1) / 12)
    }
}
