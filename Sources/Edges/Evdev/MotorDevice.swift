import CEvdev
import CLinux
import Dispatch
import Glibc
import Haptics
import Signals
import Synchronization
import SystemPackage

/// A force-feedback device that plays haptic patterns and textures.
///
/// A thread of its own uploads the effects: the kernel lets an upload take as long as the device needs, and blocks other writes to the
/// device meanwhile. An uploaded effect is started by one write, on the caller's thread.
final class MotorDevice: Sendable {
    private struct State {
        var schedule: MotorSchedule
        var scores: Scores
        var plays: UInt64 = 0
        var uploads: UInt64 = 0
        var delays = Delays()
        /// The errno of the last write, if it failed. `refusal` is the errno of the last upload that was refused.
        var writeFailure: Int32?
        var refusal: Int32 = 0
        /// Whether an upload occupies the device, so that a write would wait.
        var isBusy = false
        var isOver = false
    }

    /// All patterns and textures, by their names, each in the form of effects with their start times (a score).
    private struct Scores {
        var patterns: [String: MotorScore] = [:]
        var textures: [String: MotorScore] = [:]
        /// The effects that the scores need, each once, in the order of first use.
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
    /// The gain that is applied to scores, because the device has no gain of its own, 0 to 1.
    private let softGain: Double
    private let state: Mutex<State>
    private let bell = DispatchSemaphore(value: 0)
    private let queue: DispatchQueue

    /// Starts the device's thread. `parts` are the patterns and textures to be loaded, the most urgent first. Without a rule, the gain of
    /// the device is not changed. `gone` is called at the end, when the device is gone or was stopped.
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

    /// Replaces the patterns and textures that names stand for. Textures that are playing go on as they began. Thread: any.
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

    /// Plays pattern `name` at `moment` (CLOCK_MONOTONIC, nanoseconds), or as soon as possible; `stamp` is the time of the touch that it
    /// answers. Never waits for the device. Thread: any.
    func play(_ name: String, at moment: Int64, stamp: Int64? = nil) {
        if let score = state.withLock({ $0.scores.patterns[name] }) { add(at: moment) { $0.play(score, at: $1, stamp: stamp) } }
    }

    /// Plays `pattern`, which the device must load first, at `moment` (CLOCK_MONOTONIC, nanoseconds), or as soon as possible. Never waits
    /// for the device. Thread: any.
    func play(_ pattern: HapticPattern, at moment: Int64) {
        let score = MotorScore(pattern, for: abilities.drive, gain: softGain)
        add(at: moment) { $0.play(score, at: $1) }
    }

    /// Plays texture `name` from `moment` on, or as soon as possible, until `end`. Otherwise it is like `play`.
    func begin(_ name: String, at moment: Int64, stamp: Int64? = nil) {
        if let score = state.withLock({ $0.scores.textures[name] }) { add(at: moment) { $0.begin(name, score, at: $1, stamp: stamp) } }
    }

    /// Ends texture `name`. Thread: any.
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

    /// Ends everything that is playing, and drops what was planned. Thread: any.
    func silence() {
        state.withLock { state in
            state.schedule.silence(now: monotonicNanoseconds())
            stopEnded(&state)
        }
    }

    /// Waits, for `time` nanoseconds at most, until the device has loaded all effects for which it has room.
    func prepare(within time: Int64) {
        let end = monotonicNanoseconds() + time
        while monotonicNanoseconds() < end,
              state.withLock({ !$0.isOver && ($0.isBusy || !$0.schedule.isStocked(now: monotonicNanoseconds())) }) { usleep(1_000) }
    }

    /// Waits until nothing is playing or planned. Must not be called while others start patterns.
    func drain() {
        while state.withLock({ state in
            !state.isOver && (!state.schedule.isEmpty || !state.schedule.slots.playing(monotonicNanoseconds()).isEmpty)
        }) { usleep(2_000) }
    }

    /// Stops the motor and ends its thread. Waits half a second at most for an upload that is under way.
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
        /// The device's thread waits until this time (CLOCK_MONOTONIC, nanoseconds) or until the bell rings; nil waits for the bell only.
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
            // The device cannot replace an effect in place, so the old one is erased first.
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

    /// Uploads `effect`, for as long as the device needs, in place of the effect `id`; where `id` is nil, beside those that are there.
    /// Returns the effect's id, and 0 or the errno of the refusal.
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

    /// Stops the effects whose time to end has come; if the device is busy, they go on until it is free.
    private func stopEnded(_ state: inout State) {
        while !state.isBusy, let id = state.schedule.stop() { write(UInt16(id), 0) }
    }

    /// Writes a force-feedback event (EV_FF) to the device, for instance to start or stop the effect with the id `code`. Returns 0, or
    /// errno.
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

extension ff_effect {
    /// Makes the kernel's form of `effect`. The id -1 requests a new one.
    init(_ effect: MotorEffect, id: Int16) {
        self.init()
        self.id = id
        // The direction left (ff.rst): a motor that has directions shakes sideways.
        direction = 0x4000
        replay.length = effect.length
        let envelope = ff_envelope(attack_length: effect.attack.length, attack_level: effect.attack.level,
                                   fade_length: effect.fade.length, fade_level: effect.fade.level)
        switch effect.drive {
        case .sine(let period, let magnitude):
            type = UInt16(FF_PERIODIC)
            u.periodic.waveform = UInt16(FF_SINE)
            u.periodic.period = period
            u.periodic.magnitude = Int16(clamping: magnitude)
            u.periodic.envelope = envelope
        case .rumble(let strong, let weak):
            type = UInt16(FF_RUMBLE)
            u.rumble.strong_magnitude = strong
            u.rumble.weak_magnitude = weak
        case .constant(let level):
            type = UInt16(FF_CONSTANT)
            u.constant.level = Int16(clamping: level)
            u.constant.envelope = envelope
        }
    }
}

/// Plays a single pattern on a device, for a trial.
public enum MotorTrial {
    public struct Failed: Error, CustomStringConvertible {
        public var description: String
    }

    /// Plays `pattern` on the device at `node`, and returns when it has ended. Throws `Failed` with the reason why it could not be played,
    /// and `Errno` if the device cannot be opened.
    public static func play(_ pattern: HapticPattern, on node: String) throws {
        let device = try DeviceNode(node)
        guard let abilities = device.motor else { throw Failed(description: "it has no force feedback") }
        guard device.isWritable else { throw Failed(description: "it may not be written to") }
        let name = "trial"
        let motor = MotorDevice(device, name: name, rule: nil, abilities: abilities, parts: [MotorPart(name, .pattern(pattern))]) {}
        motor.prepare(within: 2_000_000_000)
        motor.play(name, at: monotonicNanoseconds())
        motor.drain()
        let report = motor.report
        motor.stop()
        if report.missed > 0 { throw Failed(description: report.issue ?? "it was too busy") }
    }
}

/// The last 128 delays, in nanoseconds.
struct Delays {
    private static let capacity = 128
    private var values: [Int64] = []
    private var next = 0

    init() { values.reserveCapacity(Self.capacity) }

    mutating func add(_ delay: Int64) {
        if values.count < Self.capacity { values.append(delay) } else { values[next] = delay }
        next = (next + 1) % Self.capacity
    }

    /// The median; nil if there are no delays.
    var median: Int64? { values.isEmpty ? nil : values.sorted()[values.count / 2] }
}
