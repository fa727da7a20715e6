import Dispatch
import Glibc
import Haptics
import NIOCore
import Signals
import Synchronization
import SystemPackage

/// All touchscreens, force-feedback devices and switches in use. They are opened when they appear, and closed when they go.
///
/// Thread: any, unless said otherwise. No call waits for a device but `stop`, which must not be called on the event loop.
public final class Devices: Sendable {
    /// The use of one device node as a touchscreen, motor or switch, and what was known of the node when the rules decided about it.
    private struct Use {
        var number: Int
        /// The links in by-path that the node had when the rules decided about it.
        var links: [String]
        var isWritable: Bool
        var screen: OpenScreen?
        var motor: MotorDevice?
        var switches: OpenSwitches?

        var isThere: Bool { (screen?.screen.isThere ?? true) && (motor?.isThere ?? true) && (switches?.device.isThere ?? true) }
        var isUsed: Bool { screen != nil || motor != nil || switches != nil }
        var names: [String] { [screen?.name, motor?.report.name].compactMap { $0 } + (switches?.device.names ?? []) }
    }

    private struct State {
        var uses: [String: Use] = [:] {
            didSet { motors = uses.values.compactMap(\.motor) }
        }
        /// The motors of `uses`, held separately so that a touch need not search for them.
        private(set) var motors: [MotorDevice] = []
        var refused: [String: Errno] = [:]
        /// The kernel's name of the last device that each rule used.
        var lastNames: [String: String] = [:]
        /// The devices that could be used but are not, by node.
        var unused: [String: [Report.Unused]] = [:]
        var lastNumber = 0
        var isStopped = false
        /// Whether all nodes have been looked at for the first time.
        var hasLooked = false
        /// Whether this process should take the events of all touchscreens for itself alone.
        var isGrabbing = false
        /// The touchscreens that were last passed to `changed`.
        var reported: [Report.Screen] = []
        /// The patterns and textures that motors should have loaded, the most urgent first.
        var parts: [MotorPart]
        var watch: HotplugWatch?
    }

    private let loop: any EventLoop
    private let rules: DeviceRules
    private let touched: @Sendable (TouchReport) -> Void
    private let switched: @Sendable (SwitchReport) -> Void
    private let changed: @Sendable ([Report.Screen]) -> Void
    private let noticed: @Sendable (String) -> Void
    private let state: Mutex<State>
    /// The queue on which devices are looked for.
    private let queue = DispatchQueue(label: "devices")

    /// Prepares the use of devices by `rules`. `parts` are the patterns and textures that motors should load, the most urgent first.
    /// `touched` and `switched` are called on `loop`. `changed` is called on any thread with all touchscreens, when these have changed.
    /// `noticed` is called with words for the log.
    public init(_ rules: DeviceRules, on loop: any EventLoop, parts: [MotorPart],
                touched: @escaping @Sendable (TouchReport) -> Void, switched: @escaping @Sendable (SwitchReport) -> Void,
                changed: @escaping @Sendable ([Report.Screen]) -> Void, noticed: @escaping @Sendable (String) -> Void) {
        self.rules = rules
        self.loop = loop
        state = Mutex(State(parts: parts))
        self.touched = touched
        self.switched = switched
        self.changed = changed
        self.noticed = noticed
    }

    /// Begins to look for devices, unless the rules use none. Call once.
    public func start() {
        guard rules != .none else { return }
        let watch = HotplugWatch(queue: queue) { [weak self] in self?.look() }
        if watch == nil {
            noticed("the system has no more file watches: devices that come later are not seen")
            queue.async { [self] in look() }
        }
        state.withLock { $0.watch = watch }
    }

    /// Closes all devices: reports that the fingers which are down have ended, and stops the motors.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            return state.watch
        }?.stop()
        queue.sync {}
        let uses = state.withLock { state in
            defer { state.uses = [:] }
            return state.uses.values.map { $0 }
        }
        for use in uses { use.screen?.screen.stop() }
        for use in uses { use.switches?.device.stop() }
        for use in uses { use.motor?.stop() }
    }

    /// Replaces the patterns and textures that names stand for. `parts` begins with the most urgent.
    public func use(_ parts: [MotorPart]) {
        let motors = state.withLock { state in
            state.parts = parts
            return state.motors
        }
        for motor in motors { motor.use(parts) }
    }

    /// If `isWanted`, takes the events of all touchscreens for this process alone. Otherwise shares them with other processes, except where
    /// a rule forbids that. Returns at once.
    public func grab(_ isWanted: Bool) {
        queue.async { [self] in
            guard state.withLock({ $0.isGrabbing }) != isWanted else { return }
            state.withLock { $0.isGrabbing = isWanted }
            for (node, use) in state.withLock({ $0.uses }) {
                guard var screen = use.screen else { continue }
                screen.grab(isWanted)
                if screen.isDeaf { noticed("touchscreen \(screen.name) (\(node)) " + OpenScreen.deafness) }
                state.withLock { if $0.uses[node]?.number == use.number { $0.uses[node]?.screen = screen } }
            }
            tellOfScreens()
        }
    }

    /// Plays pattern `name` at `moment` (CLOCK_MONOTONIC, nanoseconds) on every motor; `stamp` is the time of the touch that it answers.
    public func play(_ name: String, at moment: Int64, stamp: Int64?) {
        for motor in motors { motor.play(name, at: moment, stamp: stamp) }
    }

    /// Loads `pattern` into every motor and plays it there at `moment` (CLOCK_MONOTONIC, nanoseconds). Used for patterns that no theme
    /// names.
    public func play(_ pattern: HapticPattern, at moment: Int64) {
        for motor in motors { motor.play(pattern, at: moment) }
    }

    /// Plays texture `name` from `moment` until `end`, on every motor that is there now; `stamp` is as for `play`.
    public func begin(_ name: String, at moment: Int64, stamp: Int64?) {
        for motor in motors { motor.begin(name, at: moment, stamp: stamp) }
    }

    /// Ends texture `name`.
    public func end(_ name: String) { for motor in motors { motor.end(name) } }

    /// Ends all patterns and textures.
    public func silence() { for motor in motors { motor.silence() } }

    public var report: Report {
        let (uses, refused, unused, lastNames, hasLooked) = state.withLock { state in
            (state.uses.sorted { $0.key < $1.key }, state.refused, state.unused.sorted { $0.key < $1.key }.flatMap(\.value),
             state.lastNames, state.hasLooked)
        }
        let screens = uses.compactMap { node, use in use.screen?.report(number: use.number, node: node) }
        let motors = uses.compactMap { $0.value.motor?.report }
        let switches = uses.flatMap { node, use in use.switches?.report(node: node) ?? [] }
        func missing(_ rules: Dictionary<String, some Any>.Keys?, _ used: [String]) -> [Report.Missing] {
            let names = hasLooked ? (rules.map(Array.init) ?? []).filter { !used.contains($0) }.sorted() : []
            return names.map { Report.Missing(rule: $0, device: lastNames[$0]) }
        }
        return Report(screens: screens, motors: motors, switches: switches, unused: unused, refused: refused,
                      missing: missing(rules.touchscreens?.keys, screens.map(\.name)) + missing(rules.motors?.keys, motors.map(\.name))
                        + missing(rules.switches.keys, switches.map(\.name)))
    }

    private var motors: [MotorDevice] { state.withLock { $0.motors } }

    // MARK: Looking. Thread: the queue's.

    /// Checks all nodes, because something may have changed. So a node that could not be opened is tried again when udev has set its
    /// permissions, and a node that a rule matches by path is checked again when its link exists.
    private func look() {
        guard !state.withLock({ $0.isStopped }) else { return }
        let nodes = DeviceSurvey.nodes()
        let links = DeviceSurvey.links()
        dropGone(nodes)
        for node in nodes {
            let links = links[node] ?? []
            if let use = state.withLock({ $0.uses[node] }) {
                guard isToBeJudgedAgain(use, node, links) else { continue }
                forget(node, use.number)
            }
            do throws(Errno) {
                let device = try DeviceNode(node, paths: links)
                state.withLock { $0.refused[node] = nil }
                use(node, device, links: links)
            } catch {
                guard error != .noSuchFileOrDirectory, error.rawValue != ENODEV else { continue }
                let isNew = state.withLock { $0.refused.updateValue(error, forKey: node) != error }
                if isNew { noticed("\(node) cannot be opened yet: \(error)") }
            }
        }
        // Another program may have let go of a device.
        for (node, use) in state.withLock({ $0.uses }) where use.switches?.isDeaf == true { grabSwitches(node, use.number) }
        state.withLock { $0.hasLooked = true }
        tellOfScreens()
    }

    /// Calls `changed` with the touchscreens if they differ from last time.
    private func tellOfScreens() {
        let screens = report.screens
        let isNews = state.withLock { state in
            defer { state.reported = screens }
            return state.reported != screens
        }
        if isNews { changed(screens) }
    }

    /// Says whether the rules must decide again about a node. udev sets permissions first and makes links later, and the decision may
    /// depend on both.
    private func isToBeJudgedAgain(_ use: Use, _ node: String, _ links: [String]) -> Bool {
        (rules.dependOnPaths && links != use.links) || (use.motor == nil && !use.isWritable && access(node, W_OK) == 0)
    }

    private func dropGone(_ nodes: [String]) {
        let gone = state.withLock { state in
            state.refused = state.refused.filter { nodes.contains($0.key) }
            state.unused = state.unused.filter { nodes.contains($0.key) }
            return state.uses.filter { node, use in !nodes.contains(node) || !use.isThere }
        }
        for (node, use) in gone { forget(node, use.number) }
    }

    /// Closes the node with the path `node`. Does nothing if its number is not `number`, because another device has this path by now.
    private func forget(_ node: String, _ number: Int) {
        guard let use = state.withLock({ $0.uses[node]?.number == number ? $0.uses.removeValue(forKey: node) : nil }) else { return }
        use.screen?.screen.stop()
        use.motor?.stop()
        use.switches?.device.stop()
        for name in use.names { noticed("\(name) (\(node)) is gone") }
    }

    private func use(_ node: String, _ device: DeviceNode, links: [String]) {
        var use = Use(number: number(), links: links, isWritable: device.isWritable)
        let number = use.number
        // This is called on a thread of the device, which must not wait for the queue. It looks again, because a new device with the same
        // node was ignored while the old one was there.
        let gone: @Sendable () -> Void = { [weak self] in
            self?.queue.async { [weak self] in
                self?.forget(node, number)
                self?.look()
            }
        }
        let touch = rules.touch(device)
        let motor = rules.motor(device)
        let switches = rules.switches(device, isScreen: touch.isUsed)
        let reasons = [touch.use, motor.use].compactMap { if case .unused(let reason) = $0 { reason } else { nil } }
            + switches.unread.map { DeviceFinding.Reason("rule \($0.rule) fits it, but \($0.reason)", rule: $0.line) }
        let unused = reasons.map { Report.Unused(name: device.identity.name, node: node, reason: $0) }
        state.withLock { $0.unused[node] = unused.isEmpty ? nil : unused }
        if case .used(let name, _, let rule, let abilities) = motor {
            // One thread reads and another uploads, so each has a file of its own.
            let own = if touch.isUsed { try? DeviceNode(node, paths: links) } else { device }
            if let own {
                use.motor = MotorDevice(own, name: name, rule: rule, abilities: abilities,
                                        parts: state.withLock { $0.parts }, gone: gone)
                noticed("force feedback \(name) (\(node)) plays patterns: \(abilities.drive.rawValue), slots: \(abilities.slots)")
            }
        }
        if case .used(let name, _, let rule, let contacts) = touch {
            do {
                // The screen is grabbed before anything is read, so that no other program receives the same touches.
                let isDeaf = (rule.isGrabbed || state.withLock { $0.isGrabbing }) && !device.grab()
                let screen = try TouchScreen(device, number: number, rule: rule, contacts: contacts, on: loop, report: touched, gone: gone)
                use.screen = OpenScreen(name: name, device: device, rule: rule, resolution: contacts.resolution, screen: screen,
                                        isDeaf: isDeaf)
                noticed("touchscreen \(name) (\(node)) " + (isDeaf ? OpenScreen.deafness : "is read"))
            } catch {
                noticed("touchscreen \(name) (\(node)) cannot be read: \(error)")
            }
        }
        use.switches = read(switches.read, of: device, node, links: links, number, isAlone: use.motor == nil, gone: gone)
        guard use.isUsed else { return }
        let (names, device) = (use.names, device.identity.name)
        state.withLock { state in
            state.uses[node] = use
            for name in names { state.lastNames[name] = device }
        }
        grabSwitches(node, number)
    }

    /// Begins to read the switches of a device by `rules`; returns nil where there are none. The switches of a motor (`isAlone` is false)
    /// have a file of their own, because one thread reads and another uploads.
    private func read(_ rules: [(name: String, rule: SwitchRule)], of device: DeviceNode, _ node: String, links: [String], _ number: Int,
                      isAlone: Bool, gone: @escaping @Sendable () -> Void) -> OpenSwitches? {
        guard !rules.isEmpty, let own = isAlone ? device : try? DeviceNode(node, paths: links) else { return nil }
        do {
            let switches = try SwitchDevice(own, number: number, rules: rules, on: loop, report: switched, gone: gone)
            for name in switches.names { noticed("switch \(name) (\(node)) is read") }
            return OpenSwitches(node: own, device: switches, rules: rules.map(\.rule))
        } catch {
            noticed("switches of \(node) cannot be read: \(error)")
            return nil
        }
    }

    /// Takes the keys of the device with this number for this process alone, as soon as none is down: other programs would never hear that
    /// it was let go.
    private func grabSwitches(_ node: String, _ number: Int) {
        let use = state.withLock { $0.isStopped ? nil : $0.uses[node] }
        guard let use, use.number == number, var switches = use.switches, switches.isToBeGrabbed else { return }
        guard !switches.node.hasKeyDown else {
            return queue.asyncAfter(deadline: .now() + OpenSwitches.patience) { [weak self] in self?.grabSwitches(node, number) }
        }
        let wasDeaf = switches.isDeaf
        switches.grab()
        if switches.isDeaf != wasDeaf {
            for name in switches.device.names {
                noticed("switch \(name) (\(node)) " + (switches.isDeaf ? OpenScreen.deafness : "is heard again"))
            }
        }
        state.withLock { if $0.uses[node]?.number == number { $0.uses[node]?.switches = switches } }
    }

    private func number() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }
}
