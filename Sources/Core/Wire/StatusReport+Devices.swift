extension StatusReport {
    /// The touchscreens and switches that are read, the motors that play haptic patterns, and the devices that are not used.
    public struct Devices: Codable, Equatable, Sendable {
        public var touchscreens: [Touchscreen] = []
        public var motors: [Motor] = []
        public var switches: [Switch] = []
        public var unused: [UnusedDevice] = []
        public var patterns: UInt64 = 0
        public var refused = 0
        public var missing: [String] = []
        public var transducers: [Int] = []

        public init() {}
    }

    public struct Touchscreen: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        public var drops: Int

        public init(name: String, node: String, drops: Int) {
            self.name = name
            self.node = node
            self.drops = drops
        }
    }

    /// A key, button or jack that is read.
    public struct Switch: Codable, Equatable, Sendable {
        public var name: String
        public var node: String

        public init(name: String, node: String) {
            self.name = name
            self.node = node
        }
    }

    /// An input device that could be used, but is not.
    public struct UnusedDevice: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        public var reason: String
        public var rule: String?

        public init(name: String, node: String, reason: String, rule: String?) {
            self.name = name
            self.node = node
            self.reason = reason
            self.rule = rule
        }
    }

    /// A force-feedback device. Its counters have counted since it was plugged in.
    public struct Motor: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        public enum Drive: String, CaseIterable, Codable, Sendable {
            case sine, rumble, constant
        }

        public var drive: Drive
        public var slots: Int
        public var held: Int
        public var plays: UInt64
        public var missed: UInt64
        public var uploads: UInt64
        public var touchToEffectMilliseconds: Double?
        public var issue: String?

        public init(name: String, node: String, drive: Drive, slots: Int, held: Int, plays: UInt64, missed: UInt64, uploads: UInt64,
                    touchToEffectMilliseconds: Double?, issue: String?) {
            self.name = name
            self.node = node
            self.drive = drive
            self.slots = slots
            self.held = held
            self.plays = plays
            self.missed = missed
            self.uploads = uploads
            self.touchToEffectMilliseconds = touchToEffectMilliseconds
            self.issue = issue
        }
    }
}

extension StatusField {
    static let devices: [StatusField] = [
        .gauge("devices.touchscreens", "touchscreens that are read", "thrum_touchscreens") { Double($0.devices.touchscreens.count) },
        .field("devices.touchscreens.name", "that of its rule, or the device's own"),
        .field("devices.touchscreens.node", "its device file, as in /dev/input/event3"),
        .samples("devices.touchscreens.drops", "times that the kernel had to drop a touchscreen's events",
                 also: "because they were not read in time; no finger is lost by it", "thrum_touchscreen_drops_total", .counter) { report in
            report.devices.touchscreens.map {
                Metric.Sample(labels: ["name": $0.name, "node": $0.node], value: Double($0.drops))
            }
        },
        .gauge("devices.switches", "keys, buttons and jacks that are read", "thrum_switches") { Double($0.devices.switches.count) },
        .field("devices.switches.name", "that of its rule"),
        .field("devices.switches.node", "its device file, as in /dev/input/event3"),
        .gauge("devices.motors", "force-feedback devices that are driven", "thrum_motors") { Double($0.devices.motors.count) },
        .gauge("devices.transducers", "channels of the sink that carry haptic patterns", also: "from 1", "thrum_transducers") {
            Double($0.devices.transducers.count)
        },
        .gauge("devices.refused", "input devices that may not be opened", "thrum_devices_refused") { Double($0.devices.refused) },
        .gauge("devices.missing", "rules of the settings for which there is no device", "thrum_device_rules_missing") {
            Double($0.devices.missing.count)
        },
        .counter("devices.patterns", "haptic patterns asked for", also: "whether or not there is a device", "thrum_patterns_total") {
            Double($0.devices.patterns)
        },
        .field("devices.unused.name", "as the kernel has it"),
        .field("devices.unused.node", "its device file, as in /dev/input/event3"),
        .field("devices.unused.reason", "why the device is not used, in words for people"),
        .field("devices.unused.rule", "the line of settings that would use the device; left out where none would"),
        .field("devices.motors.name", "as the kernel has it"),
        .field("devices.motors.node", "its device file, as in /dev/input/event3"),
        .samples("devices.motors.drive", "how a force-feedback device is driven", "thrum_motor_info", .gauge) { report in
            report.devices.motors.map {
                Metric.Sample(labels: ["name": $0.name, "node": $0.node, "drive": $0.drive.rawValue], value: 1)
            }
        },
        .motor("devices.motors.slots", "effects that its memory has room for", "thrum_motor_slots", .gauge) { Double($0.slots) },
        .motor("devices.motors.held", "effects that it holds", "thrum_motor_effects", .gauge) { Double($0.held) },
        .motor("devices.motors.plays", "effects played", "thrum_motor_plays_total", .counter) { Double($0.plays) },
        .motor("devices.motors.missed", "effects not played, because it was busy or refused them", "thrum_motor_missed_total", .counter) {
            Double($0.missed)
        },
        .motor("devices.motors.uploads", "effects written to it", "thrum_motor_uploads_total", .counter) { Double($0.uploads) },
        .motor("devices.motors.touchToEffectMilliseconds", "from a touch to its effect being started, median of the last 128",
               also: "on one of our touchscreens, by the kernel's time", "thrum_motor_touch_to_effect_seconds", .gauge) {
            $0.touchToEffectMilliseconds.map { $0 / 1e3 }
        },
        .field("devices.motors.issue", "what is wrong with it, in words for people; left out when nothing is"),
        .motor("", "1 when something is wrong with it", "thrum_motor_issue", .gauge) { $0.issue == nil ? 0 : 1 },
    ]

    /// Declares a field of each force-feedback device. The samples are labelled with the device's name and node.
    private static func motor(_ path: String, _ about: String, also: String? = nil, _ metric: String, _ kind: Metric.Kind,
                              _ value: @escaping @Sendable (StatusReport.Motor) -> Double?) -> StatusField {
        samples(path, about, also: also, metric, kind) { report in
            report.devices.motors.compactMap { motor in
                value(motor).map { Metric.Sample(labels: ["name": motor.name, "node": motor.node], value: $0) }
            }
        }
    }
}
