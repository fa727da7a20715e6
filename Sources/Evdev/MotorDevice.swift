import CEvdev
import CLinux
import Dispatch
import Glibc
import Haptics
import Signals
import Synchronization
import Units

/// A force-feedback device that plays patterns.
///
/// Its effects are uploaded by a thread of its own, since the kernel lets an upload take as long as the device likes, and lets
/// nobody write to the device meanwhile. Playing what has been uploaded is one write, on the caller's thread.
// Safe to share, because what changes is behind the lock, and only the device's own thread uploads.
final class MotorDevice: @unchecked Sendable {
    /// What `status` tells of it. Counters count since it appeared.
    struct Report: Sendable {
        var name: String
        var node: String
        var abilities: MotorAbilities
        /// Effects in its memory.
        var held = 0
        var plays: UInt64 = 0
        /// Effects that were to be played and were not, because the device was busy or refused them.
        var missed: UInt64 = 0
        var uploads: UInt64 = 0
        /// Why its last upload or play failed; nil when it did not.
        var trouble: String?
    }

    private struct Play {
        var effect: MotorEffect
        var moment: Int64
    }

    private struct State {
        var report: Report
        var slots: EffectSlots
        /// In the order of their moments.
        var queue: [Play] = []
        /// To be uploaded when there is nothing else to do, the last first.
        var wanted: [MotorEffect] = []
        /// The kernel holds the device for an upload: whoever wrote to it now would wait.
        var isBusy = false
        /// What is felt is to end as soon as the device is free.
        var isToFallSilent = false
        var isOver = false
        /// Until when a device that refused is left alone.
        var pause: Int64 = .min
    }

    /// What comes later than this says something that is not so any more.
    private static let patience: Int64 = 80_000_000
    /// A device that refuses an upload is asked again after it.
    private static let pause: Int64 = 2_000_000_000

    private let node: DeviceNode
    private let latency: Int64
    private let softGain: Double
    private let scores: [String: MotorScore]
    private let state: Mutex<State>
    private let bell = DispatchSemaphore(value: 0)
    private let queue: DispatchQueue

    /// `patterns` by name, the most urgent to have ready first. `gone` is called last, when it was unplugged.
    init(_ node: DeviceNode, name: String, rule: MotorRule, abilities: MotorAbilities,
         patterns: [(name: String, pattern: HapticPattern)], gone: @escaping @Sendable () -> Void) {
        self.node = node
        latency = Int64(rule.latency * 1e6)
        softGain = abilities.hasGain ? 1 : rule.gain
        let softGain = softGain
        let ready = patterns.map { ($0.name, MotorScore($0.pattern, for: abilities.drive, gain: softGain)) }
        scores = Dictionary(ready) { first, _ in first }
        var wanted: [MotorEffect] = []
        for step in ready.flatMap(\.1.steps) where !wanted.contains(step.effect) { wanted.append(step.effect) }
        var state = State(report: Report(name: name, node: node.identity.node, abilities: abilities),
                          slots: EffectSlots(capacity: abilities.slots))
        state.wanted = wanted.prefix(abilities.slots).reversed()
        state.queue.reserveCapacity(64)
        self.state = Mutex(state)
        queue = DispatchQueue(label: "motor \(node.identity.node)")
        queue.async { [self] in
            if abilities.hasGain { Self.write(self.node.descriptor, UInt16(FF_GAIN), Int32((rule.gain * 65_535).rounded())) }
            work()
            gone()
        }
    }

    /// Whether the device is still there.
    var isThere: Bool { !node.isGone && state.withLock { !$0.isOver } }

    var report: Report {
        state.withLock { state in
            state.report.held = state.slots.count
            return state.report
        }
    }

    /// Has pattern `name` felt at `moment` (CLOCK_MONOTONIC), or as soon as possible. Never waits for the device. Thread: any.
    func play(_ name: String, at moment: Int64) {
        guard let score = scores[name] else { return }
        play(score, at: moment)
    }

    func play(_ score: MotorScore, at moment: Int64) {
        let now = monotonicNanoseconds()
        let start = max(now, moment - latency)
        let isLeft = state.withLock { state in
            for step in score.steps {
                let play = Play(effect: step.effect, moment: start + Int64(step.time.rawValue * 1e9))
                state.queue.insert(play, at: state.queue.firstIndex { $0.moment > play.moment } ?? state.queue.count)
            }
            startDue(&state, now: now)
            return !state.queue.isEmpty || state.isOver
        }
        if isLeft { bell.signal() }
    }

    /// Nothing is felt any more, and nothing that was still to come. Thread: any.
    func silence() {
        state.withLock { state in
            state.queue.removeAll(keepingCapacity: true)
            if state.isBusy { state.isToFallSilent = true } else { stopEffects(&state) }
        }
    }

    private func stopEffects(_ state: inout State) {
        for id in state.slots.playing(monotonicNanoseconds()) { Self.write(node.descriptor, UInt16(id), 0) }
        state.slots.silence()
        state.isToFallSilent = false
    }

    /// Waits until it holds what it has room for, no longer than so many nanoseconds.
    func prepare(within time: Int64) {
        let end = monotonicNanoseconds() + time
        while monotonicNanoseconds() < end, state.withLock({ !$0.isOver && (!$0.wanted.isEmpty || $0.isBusy) }) { usleep(1_000) }
    }

    /// Returns when nothing is queued or felt any more; not to be called while others play.
    func drain() {
        while state.withLock({ !$0.isOver && (!$0.queue.isEmpty || !$0.slots.playing(monotonicNanoseconds()).isEmpty) }) {
            usleep(2_000)
        }
    }

    /// Stops the motor and lets the device go. Waits for an upload no longer than half a second.
    func stop() {
        silence()
        state.withLock { $0.isOver = true }
        bell.signal()
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + 0.5)
    }

    // MARK: The device's thread

    private enum Task {
        case upload(MotorEffect, over: Int16?)
        /// Until this moment, or until the bell rings.
        case wait(Int64?)
        case leave
    }

    private func work() {
        while true {
            switch state.withLock({ next(&$0, now: monotonicNanoseconds()) }) {
            case .upload(let effect, let id): upload(effect, over: id)
            case .wait(let moment?): _ = bell.wait(timeout: DispatchTime(uptimeNanoseconds: UInt64(max(0, moment))))
            case .wait(nil): bell.wait()
            case .leave: return
            }
        }
    }

    private func next(_ state: inout State, now: Int64) -> Task {
        startDue(&state, now: now)
        if state.isOver { return .leave }
        let pause = state.pause > now ? state.pause : nil
        let upcoming = state.queue.first.map(\.moment)
        guard pause == nil else { return .wait(min(pause ?? .max, upcoming ?? .max)) }
        // What is played next is made ready in its order, as much of it as there is room for.
        var needed: [MotorEffect] = []
        for play in state.queue where needed.count < state.slots.capacity && !needed.contains(play.effect) { needed.append(play.effect) }
        if let effect = needed.first(where: { state.slots.id(of: $0) == nil }) {
            if !state.slots.isFull { return begin(&state, effect, over: nil) }
            if let victim = state.slots.victim(sparing: needed, now: now) { return begin(&state, effect, over: victim) }
            // Everything it holds is being felt, or about to be.
            return .wait(min(now + 2_000_000, upcoming ?? .max))
        }
        while let effect = state.wanted.popLast() {
            if state.slots.id(of: effect) == nil, !state.slots.isFull { return begin(&state, effect, over: nil) }
        }
        return .wait(upcoming)
    }

    private func begin(_ state: inout State, _ effect: MotorEffect, over id: Int16?) -> Task {
        state.isBusy = true
        return .upload(effect, over: id)
    }

    private func upload(_ effect: MotorEffect, over id: Int16?) {
        var upload = ff_effect(effect, id: id ?? -1)
        var failure = evdev_upload_effect(node.descriptor, &upload) < 0 ? errno : 0
        if failure == EINVAL, let id {
            // A device that cannot change an effect: the old one goes first.
            evdev_erase_effect(node.descriptor, Int32(id))
            upload = ff_effect(effect, id: -1)
            failure = evdev_upload_effect(node.descriptor, &upload) < 0 ? errno : 0
            if failure != 0 { state.withLock { $0.slots.forget(id) } }
        }
        state.withLock { state in
            let now = monotonicNanoseconds()
            state.isBusy = false
            if state.isToFallSilent { stopEffects(&state) }
            switch failure {
            case 0:
                state.report.uploads += 1
                state.report.trouble = nil
                state.slots.hold(effect, id: upload.id, now: now)
            case ENODEV: state.isOver = true
            case ENOSPC where state.slots.count > 0: state.slots.shrink()
            case EINTR, EAGAIN: state.wanted.append(effect)
            default:
                // Tried again after all others, in case it is this one that the device does not like.
                state.wanted.insert(effect, at: 0)
                state.report.trouble = "it refuses effects: \(String(cString: strerror(failure)))"
                state.pause = now + Self.pause
            }
        }
    }

    // MARK: Playing

    /// Starts what is due and uploaded, and gives up what is long past. Under the lock, by either thread.
    private func startDue(_ state: inout State, now: Int64) {
        var index = 0
        while !state.isBusy, !state.isOver, index < state.queue.count, state.queue[index].moment <= now {
            let play = state.queue[index]
            if let id = state.slots.id(of: play.effect) {
                start(play.effect, id, &state, now: now)
            } else if now - play.moment > Self.patience {
                state.report.missed += 1
            } else {
                index += 1
                continue
            }
            state.queue.remove(at: index)
        }
    }

    private func start(_ effect: MotorEffect, _ id: Int16, _ state: inout State, now: Int64) {
        switch Self.write(node.descriptor, UInt16(id), 1) {
        case 0:
            state.slots.start(effect, now: now)
            state.report.plays += 1
        case ENODEV: state.isOver = true
        case let failure:
            state.report.missed += 1
            state.report.trouble = "it does not play: \(String(cString: strerror(failure)))"
        }
    }

    /// Returns 0 or why not.
    @discardableResult
    private static func write(_ descriptor: Int32, _ code: UInt16, _ value: Int32) -> Int32 {
        var event = input_event()
        event.type = UInt16(EV_FF)
        event.code = code
        event.value = value
        while Glibc.write(descriptor, &event, MemoryLayout<input_event>.size) < 0 {
            guard errno == EINTR else { return errno }
        }
        return 0
    }
}
