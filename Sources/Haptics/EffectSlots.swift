/// Which effects a device's memory holds, and under which ids: what was played longest ago goes first.
///
/// Moments are nanoseconds of any one clock.
public struct EffectSlots: Sendable {
    private struct Slot {
        var effect: MotorEffect
        var id: Int16
        var lastUse: Int64
        /// When what was started last is over.
        var end: Int64
    }

    /// The most that it may hold.
    public private(set) var capacity: Int
    private var slots: [Slot] = []

    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        slots.reserveCapacity(self.capacity)
    }

    public var count: Int { slots.count }
    public var isFull: Bool { slots.count >= capacity }

    public func id(of effect: MotorEffect) -> Int16? { slots.first { $0.effect == effect }?.id }

    /// Those that are still being felt at `now`.
    public func playing(_ now: Int64) -> [Int16] { slots.filter { $0.end > now }.map(\.id) }

    /// `effect` was started at `now`.
    public mutating func start(_ effect: MotorEffect, now: Int64) {
        guard let index = slots.firstIndex(where: { $0.effect == effect }) else { return }
        slots[index].lastUse = now
        slots[index].end = now + Int64(effect.length) * 1_000_000
    }

    /// Of what is being felt at `now`, `effect` alone or all, nothing is any more. Returns the ids of what was.
    public mutating func end(_ effect: MotorEffect? = nil, now: Int64) -> [Int16] {
        var ended: [Int16] = []
        for index in slots.indices where slots[index].end > now && effect.map({ $0 == slots[index].effect }) ?? true {
            slots[index].end = .min
            ended.append(slots[index].id)
        }
        return ended
    }

    /// The id of an effect that may go, when there is no room: neither one of `needed` nor one that is still felt. Nil if there
    /// is none.
    public func victim(sparing needed: [MotorEffect], now: Int64) -> Int16? {
        slots.filter { $0.end <= now && !needed.contains($0.effect) }.min { $0.lastUse < $1.lastUse }?.id
    }

    /// When the next of those that are felt at `now` is over.
    func nextEnd(after now: Int64) -> Int64? { slots.map(\.end).filter { $0 > now }.min() }

    /// The device holds `effect` under `id` now, and nothing else under it; it counts as played at `lastUse`.
    public mutating func hold(_ effect: MotorEffect, id: Int16, lastUse: Int64) {
        forget(id)
        slots.append(Slot(effect: effect, id: id, lastUse: lastUse, end: .min))
    }

    public mutating func forget(_ id: Int16) { slots.removeAll { $0.id == id } }

    /// The device has no more room than for what it holds, whatever it said: others use it too.
    public mutating func shrink() { capacity = max(1, slots.count) }
}
