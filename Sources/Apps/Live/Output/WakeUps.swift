/// The render thread's wake-ups, as a rate.
struct WakeUps {
    private(set) var perSecond = 0.0
    private var last: (count: UInt64, moment: Int64)?

    mutating func count(_ count: UInt64, _ now: Int64) {
        guard let last else { return last = (count, now) }
        guard now - last.moment >= 900_000_000 else { return }
        perSecond = Double(count - last.count) * 1e9 / Double(now - last.moment)
        self.last = (count, now)
    }
}
