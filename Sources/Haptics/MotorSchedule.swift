/// What a force-feedback device is to do next: which effects to start, and which to have in its memory for it.
///
/// Pure: whoever drives the device asks, does it, and says how it went. Moments are nanoseconds of any one clock.
public struct MotorSchedule: Sendable {
    /// An effect to be started now.
    public struct Start: Equatable, Sendable {
        public var effect: MotorEffect
        public var id: Int16
        /// Since the touch that it answers; nil if it answers none, or is not the first of its pattern.
        public var delay: Int64?
    }

    /// An effect to be uploaded, in the place of another or in one that is free.
    public struct Upload: Equatable, Sendable {
        public var effect: MotorEffect
        public var over: Int16?

        public init(effect: MotorEffect, over: Int16?) {
            self.effect = effect
            self.over = over
        }
    }

    /// A pattern or a texture being played.
    private struct Performance {
        var score: MotorScore
        var start: Int64
        /// Of the score's steps, those of all rounds counted on.
        var next = 0
        /// Of the touch that it answers.
        var stamp: Int64?
        /// The texture's name.
        var texture: String?

        /// In nanoseconds.
        private var round: Int64 { Int64(((score.round?.rawValue ?? 0) * 1e9).rounded()) }

        func effect(_ step: Int) -> MotorEffect { score.steps[step % score.steps.count].effect }

        func moment(_ step: Int) -> Int64 {
            let (rounds, step) = step.quotientAndRemainder(dividingBy: score.steps.count)
            return start + Int64(rounds) * round + Int64((score.steps[step].time.rawValue * 1e9).rounded())
        }

        /// Of what is still to be started, `count` at most.
        func coming(_ count: Int) -> Range<Int> { next..<(score.round == nil ? min(next + count, score.steps.count) : next + count) }

        var isOver: Bool { score.round == nil && next == score.steps.count }

        /// What was to be started in rounds that are over is passed over.
        mutating func catchUp(_ now: Int64) {
            guard score.round != nil, now > start + round else { return }
            let current = Int((now - start) / round) * score.steps.count
            if next < current { next = current }
        }
    }

    /// What comes later than this says something that is not so any more, in nanoseconds.
    public static let patience: Int64 = 80_000_000
    /// An effect that was refused is tried again after it, in nanoseconds.
    public static let refusalTime: Int64 = 2_000_000_000
    /// Patterns at once; a hand tells no more of them apart.
    private static let mostPerformances = 32

    public private(set) var slots: EffectSlots
    /// Effects that were not started: too late, refused, or too many at once.
    public private(set) var missed: UInt64 = 0
    /// To be had ready when there is nothing else to do, the most urgent first.
    private var stock: [MotorEffect]
    private var performances: [Performance] = []
    /// Until when.
    private var refusals: [MotorEffect: Int64] = [:]
    private var pause = Int64.min
    /// Effects that are to end, by their ids.
    private var stops: [Int16] = []

    /// `stock`, the most urgent first, is had ready as far as the device's `capacity` goes.
    public init(capacity: Int, stock: [MotorEffect]) {
        slots = EffectSlots(capacity: capacity)
        self.stock = Array(stock.prefix(capacity))
        performances.reserveCapacity(Self.mostPerformances)
    }

    /// To be had ready from now on instead; what the device holds gives way when there is need.
    public mutating func restock(_ stock: [MotorEffect]) { self.stock = Array(stock.prefix(slots.capacity)) }

    /// Whether nothing is left to be started.
    public var isEmpty: Bool { performances.isEmpty }

    /// Whether all that is to be had ready is, as far as the device takes it.
    public func isStocked(now: Int64) -> Bool { upload(now: now) == nil && pause <= now }

    /// Whether the device has refused something, and not taken it since, at its last trial.
    public func hasRefusals(now: Int64) -> Bool { refusals.values.contains { $0 + Self.refusalTime / 2 > now } }

    // MARK: What comes in

    public mutating func play(_ score: MotorScore, at start: Int64, stamp: Int64? = nil) {
        add(Performance(score: score, start: start, stamp: stamp))
    }

    /// Texture `name` goes on from now until it is ended. One that is played already goes on as it began.
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

    /// Texture `name` is to be felt no more.
    public mutating func end(_ name: String, now: Int64) {
        guard let index = performances.firstIndex(where: { $0.texture == name }) else { return }
        for effect in Set(performances.remove(at: index).score.steps.map(\.effect)) { stops += slots.end(effect, now: now) }
    }

    /// Nothing is to be felt any more, and nothing is left to be started.
    public mutating func silence(now: Int64) {
        performances.removeAll(keepingCapacity: true)
        stops += slots.end(now: now)
    }

    /// The device did not start what it was told to.
    public mutating func miss() { missed += 1 }

    public mutating func uploaded(_ effect: MotorEffect, id: Int16) {
        refusals[effect] = nil
        // Of what was never played, the most urgent is the last to go.
        slots.hold(effect, id: id, lastUse: -Int64(stock.firstIndex(of: effect) ?? stock.count))
    }

    public mutating func refused(_ effect: MotorEffect, now: Int64) { refusals[effect] = now + Self.refusalTime }

    /// The device erased this one.
    public mutating func forget(_ id: Int16) {
        slots.forget(id)
        stops.removeAll { $0 == id }
    }

    /// The device has no more room than for what it holds.
    public mutating func shrink() { slots.shrink() }

    /// The device is to be left alone until then.
    public mutating func rest(until moment: Int64) { pause = moment }

    // MARK: What is to be done

    /// The next effect that is to be ended, each once; before others are started. Nil if there is none.
    public mutating func stop() -> Int16? { stops.popLast() }

    /// The next effect that is due and ready. What is too late, or refused, is given up. Nil if there is none: then ask again at
    /// `wake`.
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
            if now - moment > Self.patience || isRefused(effect, now) {
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

    /// What the device should be given now: what is started next, in its order, as much as there is room for; then the stock.
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

    /// When there may be something to do again, unless something comes in before; nil for never.
    public func wake(now: Int64) -> Int64? {
        var moments = performances.map { performance in
            let moment = performance.moment(performance.next)
            return moment > now ? moment : moment + Self.patience + 1
        }
        if pause > now { moments.append(pause) }
        // A slot may be waited for.
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
