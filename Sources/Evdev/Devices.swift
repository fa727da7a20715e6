import Dispatch
import Glibc
import Haptics
import Signals
import Synchronization
import SystemPackage

/// The touchscreens and force-feedback devices in use: found when they appear, let go when they go.
///
/// Thread: any, unless said otherwise. Never waits for a device, but for `stop`.
public final class Devices: Sendable {
    /// As `status` tells it.
    public struct Report: Sendable {
        public struct Screen: Sendable {
            public var name: String
            public var node: String
            public var drops: Int
        }

        public struct Motor: Sendable {
            public var name: String
            public var node: String
            public var drive: MotorAbilities.Drive
            public var slots: Int
            public var held: Int
            public var plays: UInt64
            public var missed: UInt64
            public var uploads: UInt64
            public var trouble: String?
        }

        public var screens: [Screen]
        public var motors: [Motor]
        /// Nodes that may not be opened, and why.
        public var refused: [String: Errno]

        public init(screens: [Screen] = [], motors: [Motor] = [], refused: [String: Errno] = [:]) {
            self.screens = screens
            self.motors = motors
            self.refused = refused
        }
    }

    /// What one node is used as.
    private struct Use {
        var number: Int
        var screen: (name: String, screen: TouchScreen)?
        var motor: MotorDevice?
    }

    private struct State {
        var uses: [String: Use] = [:]
        var refused: [String: Errno] = [:]
        var lastNumber = 0
        var watch: HotplugWatch?
    }

    private let rules: DeviceRules
    private let patterns: [(name: String, pattern: HapticPattern)]
    private let touched: @Sendable (TouchReport) -> Void
    private let noticed: @Sendable (String) -> Void
    private let state = Mutex(State())
    /// Where devices are looked for.
    private let queue = DispatchQueue(label: "devices")

    /// `patterns` are what motors are to have ready, the most urgent first. `touched` is called on a thread of the screen's,
    /// `noticed` with words for the log.
    public init(_ rules: DeviceRules, patterns: [(name: String, pattern: HapticPattern)],
                touched: @escaping @Sendable (TouchReport) -> Void, noticed: @escaping @Sendable (String) -> Void) {
        self.rules = rules
        self.patterns = patterns
        self.touched = touched
        self.noticed = noticed
    }

    /// Begins to look for devices. Call once.
    public func start() {
        let watch = HotplugWatch(queue: queue) { [weak self] in self?.look() }
        if watch == nil {
            noticed("the system has no more file watches: devices that come later are not seen")
            queue.async { [self] in look() }
        }
        state.withLock { $0.watch = watch }
    }

    /// Lets all devices go; fingers that are down are told to have ended, and motors stop.
    public func stop() {
        state.withLock { $0.watch }?.stop()
        queue.sync {}
        let uses = state.withLock { state in
            defer { state.uses = [:] }
            return state.uses.values.map { $0 }
        }
        for use in uses { use.screen?.screen.stop() }
        for use in uses { use.motor?.stop() }
    }

    /// Has pattern `name` felt at `moment` (CLOCK_MONOTONIC, nanoseconds), on every motor. False if there is none.
    public func play(_ name: String, at moment: Int64) -> Bool {
        let motors = motors
        for motor in motors { motor.play(name, at: moment) }
        return !motors.isEmpty
    }

    /// Nothing is felt any more.
    public func silence() { for motor in motors { motor.silence() } }

    public var report: Report {
        let (uses, refused) = state.withLock { ($0.uses.sorted { $0.key < $1.key }, $0.refused) }
        return Report(
            screens: uses.compactMap { node, use in use.screen.map { Report.Screen(name: $0.name, node: node, drops: $0.screen.drops) } },
            motors: uses.compactMap { $0.value.motor?.report }.map { motor in
                Report.Motor(name: motor.name, node: motor.node, drive: motor.abilities.drive, slots: motor.abilities.slots,
                             held: motor.held, plays: motor.plays, missed: motor.missed, uploads: motor.uploads,
                             trouble: motor.trouble)
            },
            refused: refused)
    }

    private var motors: [MotorDevice] { state.withLock { $0.uses.values.compactMap(\.motor) } }

    // MARK: Looking. Thread: the queue's.

    /// Something may have changed: looks at all of it. A node that may not be opened yet is tried again when udev has set its
    /// permissions, one whose rule names a path when its link is there.
    private func look() {
        let nodes = DeviceSurvey.nodes()
        let links = DeviceSurvey.links()
        dropGone(nodes)
        for node in nodes where state.withLock({ $0.uses[node] == nil }) {
            do throws(Errno) {
                let device = try DeviceNode(node, paths: links[node] ?? [])
                state.withLock { $0.refused[node] = nil }
                use(node, device, paths: links[node] ?? [])
            } catch {
                guard error != .noSuchFileOrDirectory, error.rawValue != ENODEV else { continue }
                let isNew = state.withLock { $0.refused.updateValue(error, forKey: node) != error }
                if isNew { noticed("\(node) cannot be opened yet: \(error)") }
            }
        }
    }

    private func dropGone(_ nodes: [String]) {
        let gone = state.withLock { state in
            state.refused = state.refused.filter { nodes.contains($0.key) }
            return state.uses.filter { node, use in !nodes.contains(node) || use.motor.map { !$0.isThere } ?? false }
        }
        for (node, use) in gone { forget(node, use.number) }
    }

    /// Unless somebody else has taken its place.
    private func forget(_ node: String, _ number: Int) {
        guard let use = state.withLock({ $0.uses[node]?.number == number ? $0.uses.removeValue(forKey: node) : nil }) else { return }
        use.screen?.screen.stop()
        use.motor?.stop()
        for name in [use.screen?.name, use.motor?.report.name].compactMap({ $0 }) { noticed("\(name) (\(node)) is gone") }
    }

    private func use(_ node: String, _ device: DeviceNode, paths: [String]) {
        var use = Use(number: number())
        let number = use.number
        // Called on a thread of the device's, which must not wait for this one.
        let gone: @Sendable () -> Void = { [weak self] in self?.queue.async { [weak self] in self?.forget(node, number) } }
        if case .used(let name, _, let rule, let contacts) = rules.touch(device) {
            if rule.isGrabbed, !device.grab() { noticed("\(name) (\(node)) is grabbed by another program: nothing of it will be heard") }
            let screen = TouchScreen(device, number: number, rule: rule, contacts: contacts, report: touched, gone: gone)
            use.screen = (name, screen)
            noticed("touchscreen \(name) (\(node)) is read")
        }
        // Through a file of its own: reading is one thread's business, uploading another's.
        if case .used(let name, _, let rule, let abilities) = rules.motor(device), let own = try? DeviceNode(node, paths: paths) {
            use.motor = MotorDevice(own, name: name, rule: rule, abilities: abilities, patterns: patterns, gone: gone)
            noticed("force feedback \(name) (\(node)) plays patterns: \(abilities.drive.rawValue), slots: \(abilities.slots)")
        }
        guard use.screen != nil || use.motor != nil else { return }
        state.withLock { $0.uses[node] = use }
    }

    private func number() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }
}
