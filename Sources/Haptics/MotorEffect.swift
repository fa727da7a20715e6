import Signals

/// What a force-feedback device can do, as it reports itself.
public struct MotorAbilities: Equatable, Sendable {
    /// The best of the ways in which the device can be driven.
    public var drive: Drive
    /// Whether the device has a master gain of its own.
    public var hasGain: Bool
    /// The number of effects that the device's memory can hold at once, at least 1.
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

/// One effect as a device's memory holds it, in the kernel's units (linux/input.h). It says what is felt once the effect is started, but
/// not when it starts.
public struct MotorEffect: Hashable, Sendable {
    public enum Drive: Hashable, Sendable {
        /// A sine with a period in milliseconds and a strength of 0…32,767.
        case sine(period: UInt16, magnitude: UInt16)
        /// A heavy and a light motor with strengths of 0…65,535 each.
        case rumble(strong: UInt16, weak: UInt16)
        /// A push with a strength of 0…32,767.
        case constant(level: UInt16)
    }

    /// A linear change from another strength at the start of an effect, or to another strength at its end. Rumble devices have no such
    /// envelopes.
    public struct Slope: Hashable, Sendable {
        /// The duration of the slope in milliseconds; 0 for an effect without this slope.
        public var length: UInt16
        /// The strength at the beginning of the effect, for a slope at its start, or at the end of the effect, for a slope at its end,
        /// 0…32,767.
        public var level: UInt16

        public static let none = Slope(length: 0, level: 0)

        public init(length: UInt16, level: UInt16) {
            self.length = length
            self.level = level
        }
    }

    public var drive: Drive
    /// The duration in milliseconds, including both slopes, 1…32,767. No effect lasts for ever, so that nothing can leave a motor on.
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

/// A pattern or texture of a theme, with its name, for motors to play.
public struct MotorPart: Equatable, Sendable {
    public enum Content: Equatable, Sendable {
        case pattern(HapticPattern)
        case texture(Texture)
    }

    public var name: String
    public var content: Content

    public init(_ name: String, _ content: Content) {
        self.name = name
        self.content = content
    }
}
