import Haptics
import SystemPackage

extension Devices {
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
            /// Whether another program has grabbed the device, so that none of its events arrive.
            public var isDeaf: Bool

            public init(name: String, node: String, isDeaf: Bool = false) {
                self.name = name
                self.node = node
                self.isDeaf = isDeaf
            }
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
}
