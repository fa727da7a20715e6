/// What a force-feedback device says of itself.
public struct MotorAbilities: Equatable, Sendable {
    /// The best way to drive it.
    public var drive: Drive
    /// Whether it has a master gain of its own.
    public var hasGain: Bool
    /// Effects that its memory holds at once, at least 1.
    public var slots: Int

    public enum Drive: String, Sendable {
        /// A vibration of any strength and frequency (FF_PERIODIC, FF_SINE).
        case sine
        /// Two motors, a heavy and a light one (FF_RUMBLE).
        case rumble
        /// A push of any strength (FF_CONSTANT).
        case constant
    }

    public init(drive: Drive, hasGain: Bool, slots: Int) {
        self.drive = drive
        self.hasGain = hasGain
        self.slots = slots
    }
}

/// One effect as a device's memory holds it, in the kernel's units (linux/input.h): what is felt from when it is started on,
/// and nothing about when that is.
public struct MotorEffect: Hashable, Sendable {
    public enum Drive: Hashable, Sendable {
        /// Of so many milliseconds a period, 0…32,767 strong.
        case sine(period: UInt16, magnitude: UInt16)
        /// 0…65,535 each.
        case rumble(strong: UInt16, weak: UInt16)
        /// 0…32,767.
        case constant(level: UInt16)
    }

    /// From or to another strength, in a straight line. Not on a rumble device, which knows no envelopes.
    public struct Slope: Hashable, Sendable {
        /// In milliseconds; 0 for none.
        public var length: UInt16
        /// The strength at its far end, 0…32,767.
        public var level: UInt16

        public static let none = Slope(length: 0, level: 0)

        public init(length: UInt16, level: UInt16) {
            self.length = length
            self.level = level
        }
    }

    public var drive: Drive
    /// In milliseconds with both slopes, 1…32,767: none lasts for ever, so that nothing can leave a motor on.
    public var length: UInt16
    public var attack: Slope
    public var fade: Slope

    public static let longest: UInt16 = 32_767

    public init(drive: Drive, length: UInt16, attack: Slope = .none, fade: Slope = .none) {
        self.drive = drive
        self.length = length
        self.attack = attack
        self.fade = fade
    }
}
