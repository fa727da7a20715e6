extension StatusReport {
    /// Touchscreens that are read, and what plays haptic patterns.
    public struct Devices: Codable, Equatable, Sendable {
        public var touchscreens: [Touchscreen] = []
        public var motors: [Motor] = []
        /// Devices that could be used, and are not.
        public var unused: [UnusedDevice] = []
        /// The number of patterns asked for, whether or not a device plays them.
        public var patterns: UInt64 = 0
        /// The number of input devices that may not be opened.
        public var refused = 0
        /// Rules of the settings for which there is no device.
        public var missing: [String] = []
        /// Channels of the sink that carry patterns, from 1.
        public var transducers: [Int] = []

        public init() {}
    }

    public struct Touchscreen: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        /// The number of times that the kernel dropped events because they were not read in time. No finger was lost by it.
        public var drops: Int

        public init(name: String, node: String, drops: Int) {
            self.name = name
            self.node = node
            self.drops = drops
        }
    }

    /// An input device that could be used as something, and is not.
    public struct UnusedDevice: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        /// The reason why it is not used, in words.
        public var reason: String
        /// The line of a settings file that would have the device used; nil where none would.
        public var rule: String?

        public init(name: String, node: String, reason: String, rule: String?) {
            self.name = name
            self.node = node
            self.reason = reason
            self.rule = rule
        }
    }

    /// A force-feedback device. Counters count since it was plugged in.
    public struct Motor: Codable, Equatable, Sendable {
        public var name: String
        public var node: String
        public enum Drive: String, CaseIterable, Codable, Sendable {
            case sine, rumble, constant
        }

        public var drive: Drive
        /// The number of effects for which the device has room, and of those that it holds.
        public var slots: Int
        public var held: Int
        public var plays: UInt64
        /// The number of effects that were not played because the device was busy or refused them.
        public var missed: UInt64
        public var uploads: UInt64
        /// The median time from a touch on one of the touchscreens, by the kernel's time, to the start of its effect, over the last 128, in
        /// milliseconds. Nil when there was none.
        public var touchToEffectMilliseconds: Double?
        /// What is wrong with the device, in words; nil when nothing is.
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

extension Metric {
    static let devices: [Metric] = [
        .gauge("thrum_touchscreens", "Touchscreens that are read.") { Double($0.devices.touchscreens.count) },
        Metric("thrum_touchscreen_drops_total", .counter, "Times that the kernel had to drop a touchscreen's events.") { report in
            report.devices.touchscreens.map { Sample(labels: ["name": $0.name, "node": $0.node], value: Double($0.drops)) }
        },
        .gauge("thrum_motors", "Force-feedback devices that are driven.") { Double($0.devices.motors.count) },
        .gauge("thrum_transducers", "Channels of the sink that carry haptic patterns.") { Double($0.devices.transducers.count) },
        .gauge("thrum_devices_refused", "Input devices that may not be opened.") { Double($0.devices.refused) },
        .gauge("thrum_device_rules_missing", "Rules of the settings for which there is no device.") { Double($0.devices.missing.count) },
        .counter("thrum_patterns_total", "Haptic patterns asked for.") { Double($0.devices.patterns) },
        Metric("thrum_motor_info", .gauge, "How a force-feedback device is driven.") { report in
            report.devices.motors.map { Sample(labels: ["name": $0.name, "node": $0.node, "drive": $0.drive.rawValue], value: 1) }
        },
        .motor("thrum_motor_slots", .gauge, "Effects that its memory has room for.") { Double($0.slots) },
        .motor("thrum_motor_effects", .gauge, "Effects that it holds.") { Double($0.held) },
        .motor("thrum_motor_plays_total", .counter, "Effects played.") { Double($0.plays) },
        .motor("thrum_motor_missed_total", .counter, "Effects not played, because it was busy or refused them.") { Double($0.missed) },
        .motor("thrum_motor_uploads_total", .counter, "Effects written to it.") { Double($0.uploads) },
        .motor("thrum_motor_touch_to_effect_seconds", .gauge, "From a touch to its effect being started, median of the last 128.") {
            $0.touchToEffectMilliseconds.map { $0 / 1e3 }
        },
        .motor("thrum_motor_issue", .gauge, "1 when something is wrong with it.") { $0.issue == nil ? 0 : 1 },
    ]
}
