/// What may be taken of something that comes back at a steady rate: as much as `most` at once. A plain value: the caller gives the time
/// (CLOCK_MONOTONIC, nanoseconds).
struct Allotment {
    /// What comes back in a second.
    private(set) var rate: Double
    private(set) var most: Double
    private var left: Double
    private var filledAt: Int64?

    /// All of it is there at first, or `left`.
    init(rate: Double, most: Double, left: Double? = nil) {
        self.rate = rate
        self.most = most
        self.left = left ?? most
    }

    /// The part that is left, 0…1.
    var share: Double { left / most }

    mutating func fill(at now: Int64) {
        if let filledAt { left = min(most, left + Double(max(0, now - filledAt)) * 1e-9 * rate) }
        filledAt = now
    }

    /// From now on it is another's size.
    mutating func resize(rate: Double, most: Double) {
        (self.rate, self.most) = (rate, most)
        left = min(left, most)
    }

    func has(_ amount: Double) -> Bool { left >= amount }

    /// In how many seconds `amount` will be there, if nobody takes any.
    func wait(for amount: Double) -> Double { max(0, (amount - left) / rate) }

    /// What is not there is not owed.
    mutating func take(_ amount: Double) { left = max(0, left - amount) }

    /// Takes what was used up already; what is not there is owed, up to `most`.
    mutating func charge(_ amount: Double) { left = max(-most, left - amount) }
}
