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
    /// The state of all devices, as the method `status` reports it.
    public struct Report: Sendable {
        public struct Screen: Equatable, Sendable {
            /// The screen's number, which `TouchReport` has, too.
            public var number: Int
            public var name: String
            public var node: String
            public var drops: Int
            /// How far the picture is turned against the sensor, clockwise, in degrees.
            public var turn: TouchRule.Turn
            /// The number of positions that the sensor distinguishes across the picture; `height` is the number down the picture.
            public var width: Int
            public var height: Int
            /// Whether another program has grabbed the screen, so that none of its events arrive.
            public var isDeaf: Bool

            public init(number: Int, name: String, node: String, drops: Int = 0, turn: TouchRule.Turn = .none, width: Int = 1,
                        height: Int = 1, isDeaf: Bool = false) {
                self.number = number
                self.name = name
                self.node = node
                self.drops = drops
                self.turn = turn
                self.width = width
                self.height = height
                self.isDeaf = isDeaf
            }
        }

        /// The state of a motor. Its counters start when it appears.
        public struct Motor: Sendable {
            public var name: String
            public var node: String
            public var abilities: MotorAbilities
            /// The number of effects in the device's memory.
            public var held: Int
            public var plays: UInt64
            /// The number of effects that could not be started, because the device was busy or refused them.
            public var missed: UInt64
            public var uploads: UInt64
            /// The median time from a touch to the start of its effect, in nanoseconds; nil if no touch had an effect.
            public var delay: Int64?
            /// Why the motor does not play its effects, in words; nil if it does.
            public var issue: String?
        }

        /// A device whose switches are read.
        public struct Switch: Equatable, Sendable {
            /// The name of the rule that reads it.
            public var name: String
            public var node: String
        }

        /// A device that could be used, but is not.
        public struct Unused: Equatable, Sendable {
            public var name: String
            public var node: String
            public var reason: DeviceFinding.Reason
        }

        /// A rule that fits no device at present.
        public struct Missing: Equatable, Sendable {
            public var rule: String
            /// The kernel's name of the last device that the rule used since the start; nil if there was none.
            public var device: String?

            public init(rule: String, device: String? = nil) {
                self.rule = rule
                self.device = device
            }
        }

        public var screens: [Screen]
        public var motors: [Motor]
        public var switches: [Switch]
        public var unused: [Unused]
        /// The nodes that could not be opened, and why.
        public var refused: [String: Errno]
        /// The rules that fit no device. Empty until all nodes have been looked at for the first time.
        public var missing: [Missing]

        public init(screens: [Screen] = [], motors: [Motor] = [], switches: [Switch] = [], unused: [Unused] = [],
                    refused: [String: Errno] = [:], missing: [Missing] = []) {
            self.screens = screens
            self.motors = motors
            self.switches = switches
            self.unused = unused
            self.refused = refused
            self.missing = missing
        }
    }

    /// The use of one device node as a touchscreen, motor or switch, and what was known of the node when the rules decided about it.
    private struct Use {
        var number: Int
        /// The links in by-path that the node had when the rules decided about it.
        var links: [String]
        var isWritable: Bool
        var screen: OpenScreen?
        var motor: MotorDevice?
        var switches: SwitchDevice?

        var isThere: Bool { (screen?.screen.isThere ?? true) && (motor?.isThere ?? true) && (switches?.isThere ?? true) }
        var isUsed: Bool { screen != nil || motor != nil || switches != nil }
        var names: [String] { [screen?.name, motor?.report.name].compactMap { $0 } + (switches?.names ?? []) }
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
        for use in uses { use.switches?.stop() }
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
        let switches = uses.flatMap { node, use in (use.switches?.names ?? []).map { Report.Switch(name: $0, node: node) } }
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
        use.switches?.stop()
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
        let unused = [touch.use, motor.use].compactMap { use -> Report.Unused? in
            guard case .unused(let reason) = use else { return nil }
            return Report.Unused(name: device.identity.name, node: node, reason: reason)
        }
        state.withLock { $0.unused[node] = unused.isEmpty ? nil : unused }
        if case .used(let name, _, let rule, let abilities) = motor {
            // One thread reads and another uploads, so each has a file of its own.
            let own = if case .used = touch { try? DeviceNode(node, paths: links) } else { device }
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
        if use.screen == nil { use.switches = switches(of: device, node, links: links, number, isAlone: use.motor == nil, gone: gone) }
        guard use.isUsed else { return }
        let (names, device) = (use.names, device.identity.name)
        state.withLock { state in
            state.uses[node] = use
            for name in names { state.lastNames[name] = device }
        }
    }

    /// Begins to read the switches of a device that is no touchscreen; returns nil where no rule reads any. The switches of a motor
    /// (`isAlone` is false) have a file of their own, because one thread reads and another uploads.
    private func switches(of device: DeviceNode, _ node: String, links: [String], _ number: Int, isAlone: Bool,
                          gone: @escaping @Sendable () -> Void) -> SwitchDevice? {
        let rules = rules.switches(device.identity, device.capabilities)
        guard !rules.isEmpty, let own = isAlone ? device : try? DeviceNode(node, paths: links) else { return nil }
        // Otherwise a key would also press what has the focus in a browser. Of jacks, other programs should know.
        let isDeaf = rules.contains { $0.rule.contact.isKey } && !own.grab()
        do {
            let switches = try SwitchDevice(own, number: number, rules: rules, on: loop, report: switched, gone: gone)
            for name in switches.names { noticed("switch \(name) (\(node)) " + (isDeaf ? OpenScreen.deafness : "is read")) }
            return switches
        } catch {
            noticed("switches of \(node) cannot be read: \(error)")
            return nil
        }
    }

    private func number() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }
}
