import CEvdev
import CLinux
import Dispatch
import Glibc
import Haptics
import Signals
import Synchronization

/// A force-feedback device that plays patterns and textures.
///
/// Its effects are uploaded by a thread of its own, since the kernel lets an upload take as long as the device likes, and lets
/// nobody write to the device meanwhile. Starting what has been uploaded is one write, on the caller's thread.
final class MotorDevice: Sendable {
    private struct State {
        var schedule: MotorSchedule
        var scores: Scores
        var plays: UInt64 = 0
        var uploads: UInt64 = 0
        var delays = Delays()
        /// Of the last write that failed, if none has succeeded since; and of the last upload that was refused.
        var writeFailure: Int32?
        var refusal: Int32 = 0
        /// The kernel holds the device for an upload: whoever wrote to it now would wait.
        var isBusy = false
        var isOver = false
    }

    /// What names mean.
    private struct Scores {
        var patterns: [String: MotorScore] = [:]
        var textures: [String: MotorScore] = [:]
        /// What they need, without what is there twice, in their order.
        var effects: [MotorEffect] = []

        init(_ parts: [MotorPart], for abilities: MotorAbilities, gain: Double) {
            var seen: Set<MotorEffect> = []
            for part in parts {
                let score: MotorScore
                switch part.content {
                case .pattern(let pattern):
                    score = MotorScore(pattern, for: abilities.drive, gain: gain)
                    patterns[part.name] = score
                case .texture(let texture):
                    score = MotorScore(texture, for: abilities.drive, gain: gain)
                    textures[part.name] = score
                }
                effects += score.steps.map(\.effect).filter { seen.insert($0).inserted }
            }
        }
    }

    private let name: String
    private let node: DeviceNode
    private let abilities: MotorAbilities
    private let latency: Int64
    /// Of what the device cannot do by itself.
    private let softGain: Double
    private let state: Mutex<State>
    private let bell = DispatchSemaphore(value: 0)
    private let queue: DispatchQueue

    /// `parts`, the most urgent to have ready first. Without a rule the device's master gain stays as it is. `gone` is
    /// called last, when it is over.
    init(_ node: DeviceNode, name: String, rule: MotorRule?, abilities: MotorAbilities,
         parts: [MotorPart], gone: @escaping @Sendable () -> Void) {
        self.name = name
        self.node = node
        self.abilities = abilities
        latency = Int64((rule?.latency ?? 0) * 1e6)
        let softGain = abilities.hasGain ? 1 : rule?.gain ?? 1
        self.softGain = softGain
        let scores = Scores(parts, for: abilities, gain: softGain)
        state = Mutex(State(schedule: MotorSchedule(capacity: abilities.slots, stock: scores.effects), scores: scores))
        queue = DispatchQueue(label: "motor \(node.identity.node)")
        queue.async { [self] in
            if abilities.hasGain, let rule { write(UInt16(FF_GAIN), Int32((rule.gain * 65_535).rounded())) }
            work()
            gone()
        }
    }

    /// Names mean these parts from now on; textures that are played go on as they began. Thread: any.
    func use(_ parts: [MotorPart]) {
        let scores = Scores(parts, for: abilities, gain: softGain)
        state.withLock { state in
            state.scores = scores
            state.schedule.restock(scores.effects)
        }
        bell.signal()
    }

    /// Whether the device is still there.
    var isThere: Bool { !node.isGone && state.withLock { !$0.isOver } }

    var report: Devices.Report.Motor {
        state.withLock { state in
            let issue = state.writeFailure.map { "it does not play: \(words($0))" }
                ?? (state.schedule.hasRefusals(now: monotonicNanoseconds()) ? "it refuses effects: \(words(state.refusal))" : nil)
            return Devices.Report.Motor(
                name: name, node: node.identity.node, abilities: abilities, held: state.schedule.slots.count, plays: state.plays,
                missed: state.schedule.missed, uploads: state.uploads, delay: state.delays.median, issue: issue)
        }
    }

    /// Has pattern `name` felt at `moment` (CLOCK_MONOTONIC), or as soon as possible; `stamp` is the touch's that it answers.
    /// Never waits for the device. Thread: any.
    func play(_ name: String, at moment: Int64, stamp: Int64? = nil) {
        if let score = state.withLock({ $0.scores.patterns[name] }) { add(at: moment) { $0.play(score, at: $1, stamp: stamp) } }
    }

    /// The same of a pattern that it has to be given first.
    func play(_ pattern: HapticPattern, at moment: Int64) {
        let score = MotorScore(pattern, for: abilities.drive, gain: softGain)
        add(at: moment) { $0.play(score, at: $1) }
    }

    /// Texture `name` is felt from `moment` on, or as soon as possible, until it is ended; else as `play`.
    func begin(_ name: String, at moment: Int64, stamp: Int64? = nil) {
        if let score = state.withLock({ $0.scores.textures[name] }) { add(at: moment) { $0.begin(name, score, at: $1, stamp: stamp) } }
    }

    /// Texture `name` is felt no more. Thread: any.
    func end(_ name: String) {
        state.withLock { state in
            state.schedule.end(name, now: monotonicNanoseconds())
            stopEnded(&state)
        }
    }

    private func add(at moment: Int64, _ change: (inout MotorSchedule, Int64) -> Void) {
        let now = monotonicNanoseconds()
        let isLeft = state.withLock { state in
            change(&state.schedule, max(now, moment - latency))
            startDue(&state, now: now)
            return !state.schedule.isEmpty || state.isOver
        }
        if isLeft { bell.signal() }
    }

    /// Nothing is felt any more, and nothing that was still to come. Thread: any.
    func silence() {
        state.withLock { state in
            state.schedule.silence(now: monotonicNanoseconds())
            stopEnded(&state)
        }
    }

    /// Waits until it holds what it has room for, no longer than so many nanoseconds.
    func prepare(within time: Int64) {
        let end = monotonicNanoseconds() + time
        while monotonicNanoseconds() < end,
              state.withLock({ !$0.isOver && ($0.isBusy || !$0.schedule.isStocked(now: monotonicNanoseconds())) }) { usleep(1_000) }
    }

    /// Returns when nothing is to come or felt any more; not to be called while others play.
    func drain() {
        while state.withLock({ state in
            !state.isOver && (!state.schedule.isEmpty || !state.schedule.slots.playing(monotonicNanoseconds()).isEmpty)
        }) { usleep(2_000) }
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

    private enum Step {
        case upload(MotorSchedule.Upload)
        /// Until this moment, or until the bell rings.
        case wait(Int64?)
        case leave
    }

    private func work() {
        while true {
            switch state.withLock({ next(&$0, now: monotonicNanoseconds()) }) {
            case .upload(let upload): perform(upload)
            case .wait(let moment?): _ = bell.wait(timeout: DispatchTime(uptimeNanoseconds: UInt64(max(0, moment))))
            case .wait(nil): bell.wait()
            case .leave: return
            }
        }
    }

    private func next(_ state: inout State, now: Int64) -> Step {
        startDue(&state, now: now)
        if state.isOver { return .leave }
        guard let upload = state.schedule.upload(now: now) else { return .wait(state.schedule.wake(now: now)) }
        state.isBusy = true
        return .upload(upload)
    }

    private func perform(_ upload: MotorSchedule.Upload) {
        var (id, failure) = hold(upload.effect, over: upload.over)
        var isErased = false
        if failure == EINVAL, let old = upload.over {
            // A device that cannot change an effect: the old one goes first.
            evdev_erase_effect(node.descriptor, Int32(old))
            isErased = true
            (id, failure) = hold(upload.effect, over: nil)
        }
        state.withLock { state in
            let now = monotonicNanoseconds()
            state.isBusy = false
            if isErased, let old = upload.over { state.schedule.forget(old) }
            stopEnded(&state)
            switch failure {
            case 0:
                state.uploads += 1
                state.schedule.uploaded(upload.effect, id: id)
            case ENODEV: state.isOver = true
            case ENOSPC where state.schedule.slots.count > 0: state.schedule.shrink()
            case EINTR, EAGAIN: state.schedule.rest(until: now + 20_000_000)
            default:
                state.refusal = failure
                state.schedule.refused(upload.effect, now: now)
            }
        }
    }

    /// The effect's id, and 0 or why it was refused. As long as the device likes.
    private func hold(_ effect: MotorEffect, over id: Int16?) -> (id: Int16, failure: Int32) {
        var upload = ff_effect(effect, id: id ?? -1)
        let failure = evdev_upload_effect(node.descriptor, &upload) < 0 ? errno : 0
        return (upload.id, failure)
    }

    // MARK: Starting and stopping. Under the lock, by either thread.

    private func startDue(_ state: inout State, now: Int64) {
        while !state.isBusy, !state.isOver, let start = state.schedule.start(now: now) {
            let failure = write(UInt16(start.id), 1)
            state.writeFailure = failure == 0 ? nil : failure
            switch failure {
            case 0:
                state.plays += 1
                if let delay = start.delay { state.delays.add(delay + monotonicNanoseconds() - now) }
            case ENODEV: state.isOver = true
            default: state.schedule.miss()
            }
        }
    }

    /// What is to end ends, as soon as the device is free.
    private func stopEnded(_ state: inout State) {
        while !state.isBusy, let id = state.schedule.stop() { write(UInt16(id), 0) }
    }

    /// Returns 0 or why not.
    @discardableResult
    private func write(_ code: UInt16, _ value: Int32) -> Int32 {
        var event = input_event()
        event.type = UInt16(EV_FF)
        event.code = code
        event.value = value
        while Glibc.write(node.descriptor, &event, MemoryLayout<input_event>.size) < 0 {
            guard errno == EINTR else { return errno }
        }
        return 0
    }

    private func words(_ failure: Int32) -> String { String(cString: strerror(failure)) }
}
