/// Decides what a force-feedback device is to do next: which effects to start, and which effects to upload into its memory beforehand.
///
/// The owner of a schedule drives the device: it asks what to do, does that, and reports the outcome. Moments are in nanoseconds, by any
/// one clock.
public struct MotorSchedule: Sendable {
    /// An effect that is to be started now.
    public struct Start: Equatable, Sendable {
        public var effect: MotorEffect
        public var id: Int16
        /// The nanoseconds since the touch that caused the effect; nil if no touch did, or if it is not the first effect of its pattern.
        public var delay: Int64?
    }

    /// An effect that is to be uploaded: in place of the effect with the id `over`, or into a free slot.
    public struct Upload: Equatable, Sendable {
        public var effect: MotorEffect
        public var over: Int16?
    }

    /// A pattern or a texture that is being played.
    private struct Performance {
        var score: MotorScore
        var start: Int64
        /// The number of the next step. When a texture's score is repeated, the numbering goes on.
        var next = 0
        /// The moment of the touch that caused the pattern or texture, in nanoseconds; nil if no touch caused it.
        var stamp: Int64?
        /// The name of the texture; nil for a pattern.
        var texture: String?

        /// The duration of a round in nanoseconds; 0 for a pattern.
        private var round: Int64 { Int64(((score.round?.rawValue ?? 0) * 1e9).rounded()) }

        func effect(_ step: Int) -> MotorEffect { score.steps[step % score.steps.count].effect }

        func moment(_ step: Int) -> Int64 {
            let (rounds, step) = step.quotientAndRemainder(dividingBy: score.steps.count)
            return start + Int64(rounds) * round + Int64((score.steps[step].time.rawValue * 1e9).rounded())
        }

        /// Returns the numbers of the next steps: `count`, or as many as a pattern still has.
        func coming(_ count: Int) -> Range<Int> { next..<(score.round == nil ? min(next + count, score.steps.count) : next + count) }

        var isOver: Bool { score.round == nil && next == score.steps.count }

        /// Skips the steps of those repetitions (rounds) of the score that have ended by `now`.
        mutating func catchUp(_ now: Int64) {
            guard score.round != nil, now > start + round else { return }
            let current = Int((now - start) / round) * score.steps.count
            if next < current { next = current }
        }
    }

    /// The largest delay in nanoseconds with which an effect is still played. A later effect would no longer fit what happens.
    public static let longestDelay: Int64 = 80_000_000
    /// The time in nanoseconds that must pass before an effect that the device refused is tried again.
    public static let refusalTime: Int64 = 2_000_000_000
    /// The largest number of patterns and textures at once; a hand cannot distinguish more.
    private static let mostPerformances = 32

    public private(set) var slots: EffectSlots
    /// The number of effects that were not started: because they were too late, refused, or too many at once.
    public private(set) var missed: UInt64 = 0
    /// The stock: effects to upload when there is nothing else to do, the most urgent one first.
    private var stock: [MotorEffect]
    private var performances: [Performance] = []
    /// When each refused effect may be tried again, in nanoseconds by the clock of `now`.
    private var refusals: [MotorEffect: Int64] = [:]
    private var pause = Int64.min
    /// The ids of effects that the device is still to be told to stop.
    private var stops: [Int16] = []

    /// Creates a schedule. The effects of `stock`, the most urgent one first, are held in the device's memory, as many as its `capacity`
    /// allows.
    public init(capacity: Int, stock: [MotorEffect]) {
        slots = EffectSlots(capacity: capacity)
        self.stock = Array(stock.prefix(capacity))
        performances.reserveCapacity(Self.mostPerformances)
    }

    /// Replaces the stock, the effects that the device is to hold before they are needed. Effects that it holds already stay until their
    /// slots are needed.
    public mutating func restock(_ stock: [MotorEffect]) { self.stock = Array(stock.prefix(slots.capacity)) }

    /// Whether no effect is left to be started.
    public var isEmpty: Bool { performances.isEmpty }

    /// Whether there is nothing to upload: the device holds the effects of the stock, as far as it has room and does not refuse them. False
    /// while uploads pause (`rest`).
    public func isStocked(now: Int64) -> Bool { upload(now: now) == nil && pause <= now }

    /// Whether the device refused an effect within the last 3 s and has not taken the effect since. (It is tried again after 2 s.)
    public func hasRefusals(now: Int64) -> Bool { refusals.values.contains { $0 + Self.refusalTime / 2 > now } }

    // MARK: Input

    public mutating func play(_ score: MotorScore, at start: Int64, stamp: Int64? = nil) {
        add(Performance(score: score, start: start, stamp: stamp))
    }

    /// Begins the texture `name`, which goes on until `end`. A texture that is already played goes on unchanged.
    public mutating func begin(_ name: String, _ score: MotorScore, at start: Int64, stamp: Int64? = nil) {
        guard !performances.contains(where: { $0.texture == name }) else { return }
        add(Performance(score: score, start: start, stamp: stamp, texture: name))
    }

    private mutating func add(_ performance: Performance) {
        guard !performance.score.steps.isEmpty else { return }
        guard performances.count < Self.mostPerformances else {
            missed += UInt64(performance.score.steps.count)
            return
        }
        performances.append(performance)
    }

    /// Ends the texture `name`.
    public mutating func end(_ name: String, now: Int64) {
        guard let index = performances.firstIndex(where: { $0.texture == name }) else { return }
        for effect in Set(performances.remove(at: index).score.steps.map(\.effect)) { stops += slots.end(effect, now: now) }
    }

    /// Ends everything that is felt, and drops all effects that were still to be started.
    public mutating func silence(now: Int64) {
        performances.removeAll(keepingCapacity: true)
        stops += slots.end(now: now)
    }

    /// Counts one more missed effect, because the device did not start it.
    public mutating func miss() { missed += 1 }

    public mutating func uploaded(_ effect: MotorEffect, id: Int16) {
        refusals[effect] = nil
        // Among effects that were never played, the most urgent one is replaced last.
        slots.hold(effect, id: id, lastUse: -Int64(stock.firstIndex(of: effect) ?? stock.count))
    }

    public mutating func refused(_ effect: MotorEffect, now: Int64) { refusals[effect] = now + Self.refusalTime }

    /// Records that the device has erased the effect with this id.
    public mutating func forget(_ id: Int16) {
        slots.forget(id)
        stops.removeAll { $0 == id }
    }

    /// Records that the device has no room for more effects than it holds now.
    public mutating func shrink() { slots.shrink() }

    /// Makes `upload` return nil until `moment`, in nanoseconds by the clock of `now`.
    public mutating func rest(until moment: Int64) { pause = moment }

    // MARK: What to do

    /// Returns the id of the next effect that the device must stop; nil if there is none to stop. Each id is returned once. Call this until
    /// it returns nil before starting other effects.
    public mutating func stop() -> Int16? { stops.popLast() }

    /// Returns the next effect that is due and that the device holds. Skips effects that are later than `longestDelay` or that the device
    /// has refused, and counts them in `missed`. nil if there is nothing to start now: `wake` returns when to ask again.
    public mutating func start(now: Int64) -> Start? {
        var index = 0
        while index < performances.count {
            var performance = performances[index]
            let start = start(&performance, now: now)
            performances[index] = performance
            if let start { return start }
            if performances[index].isOver {
                performances.remove(at: index)
            } else {
                index += 1
            }
        }
        return nil
    }

    private mutating func start(_ performance: inout Performance, now: Int64) -> Start? {
        performance.catchUp(now)
        while !performance.isOver {
            let effect = performance.effect(performance.next)
            let moment = performance.moment(performance.next)
            guard moment <= now else { return nil }
            let isFirst = performance.next == 0
            if now - moment > Self.longestDelay || isRefused(effect, now) {
                missed += 1
            } else if let id = slots.id(of: effect) {
                performance.next += 1
                slots.start(effect, now: now)
                return Start(effect: effect, id: id, delay: isFirst ? performance.stamp.map { now - $0 } : nil)
            } else {
                return nil
            }
            performance.next += 1
        }
        return nil
    }

    /// Returns the effect to upload now; nil if there is none, or no slot for it. The effects that start next come first, in order, as long
    /// as there is room. Then come the effects of the stock.
    public func upload(now: Int64) -> Upload? {
        guard pause <= now else { return nil }
        let needed = needed(now)
        if let effect = needed.first(where: { slots.id(of: $0) == nil }) {
            if !slots.isFull { return Upload(effect: effect, over: nil) }
            return slots.victim(sparing: needed, now: now).map { Upload(effect: effect, over: $0) }
        }
        guard !slots.isFull else { return nil }
        return stock.first { slots.id(of: $0) == nil && !isRefused($0, now) }.map { Upload(effect: $0, over: nil) }
    }

    /// Returns the moment at which to ask again for something to do, in nanoseconds, unless something happens before; nil if nothing is
    /// planned.
    public func wake(now: Int64) -> Int64? {
        var moments = performances.map { performance in
            let moment = performance.moment(performance.next)
            return moment > now ? moment : moment + Self.longestDelay + 1
        }
        if pause > now { moments.append(pause) }
        // An effect may be waiting for a free slot.
        if !performances.isEmpty, slots.isFull, let end = slots.nextEnd(after: now) { moments.append(end) }
        moments += refusals.values.filter { $0 > now }
        return moments.min()
    }

    private func isRefused(_ effect: MotorEffect, _ now: Int64) -> Bool { refusals[effect].map { $0 > now } ?? false }

    private func needed(_ now: Int64) -> [MotorEffect] {
        let steps = performances.flatMap { performance in
            performance.coming(slots.capacity).map { (moment: performance.moment($0), effect: performance.effect($0)) }
        }
        var needed: [MotorEffect] = []
        for step in steps.sorted(by: { $0.moment < $1.moment }) where needed.count < slots.capacity {
            if !needed.contains(step.effect), !isRefused(step.effect, now) { needed.append(step.effect) }
        }
        return needed
    }
}

/// The effects that a device's memory holds, with their ids. The effect that was played longest ago is replaced first.
///
/// Moments are in nanoseconds, by any one clock.
public struct EffectSlots: Sendable {
    private struct Slot {
        var effect: MotorEffect
        var id: Int16
        var lastUse: Int64
        /// The moment at which the latest play of the effect ends.
        var end: Int64
    }

    /// The largest number of effects that the device may hold.
    public private(set) var capacity: Int
    private var slots: [Slot] = []

    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        slots.reserveCapacity(self.capacity)
    }

    public var count: Int { slots.count }
    public var isFull: Bool { slots.count >= capacity }

    public func id(of effect: MotorEffect) -> Int16? { slots.first { $0.effect == effect }?.id }

    /// Returns the ids of the effects that are still felt at `now`.
    public func playing(_ now: Int64) -> [Int16] { slots.filter { $0.end > now }.map(\.id) }

    /// Records that `effect` was started at `now`.
    public mutating func start(_ effect: MotorEffect, now: Int64) {
        guard let index = slots.firstIndex(where: { $0.effect == effect }) else { return }
        slots[index].lastUse = now
        slots[index].end = now + Int64(effect.length) * 1_000_000
    }

    /// Records that what is felt at `now` ends: only `effect`, or everything if `effect` is nil. Returns the ids of the effects that were
    /// felt.
    public mutating func end(_ effect: MotorEffect? = nil, now: Int64) -> [Int16] {
        var ended: [Int16] = []
        for index in slots.indices where slots[index].end > now && effect.map({ $0 == slots[index].effect }) ?? true {
            slots[index].end = .min
            ended.append(slots[index].id)
        }
        return ended
    }

    /// Returns the id of an effect that can be replaced when there is no room. It is neither one of `needed` nor still felt. nil if there
    /// is no such effect.
    public func victim(sparing needed: [MotorEffect], now: Int64) -> Int16? {
        slots.filter { $0.end <= now && !needed.contains($0.effect) }.min { $0.lastUse < $1.lastUse }?.id
    }

    /// Returns when the next of the effects that are felt at `now` ends; nil if none is felt.
    func nextEnd(after now: Int64) -> Int64? { slots.map(\.end).filter { $0 > now }.min() }

    /// Records that the device now holds `effect` under `id`, instead of the effect that had this id before. It counts as last played at
    /// `lastUse`.
    public mutating func hold(_ effect: MotorEffect, id: Int16, lastUse: Int64) {
        forget(id)
        slots.append(Slot(effect: effect, id: id, lastUse: lastUse, end: .min))
    }

    public mutating func forget(_ id: Int16) { slots.removeAll { $0.id == id } }

    /// Limits the capacity to the effects that the device holds now, even if it reported more: other programs use its memory too.
    public mutating func shrink() { capacity = max(1, slots.count) }
}
