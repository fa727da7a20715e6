import Glibc

/// Which devices are used, and how.
public struct DeviceRules: Equatable, Sendable {
    /// By the installer's names for them. Nil: every touchscreen there is.
    public var touchscreens: [String: TouchRule]?
    /// By the installer's names for them. Nil: every force-feedback device there is.
    public var motors: [String: MotorRule]?

    public init(touchscreens: [String: TouchRule]? = nil, motors: [String: MotorRule]? = nil) {
        self.touchscreens = touchscreens
        self.motors = motors
    }

    /// Whether a device can be told by where it is plugged in.
    var dependOnPaths: Bool {
        (touchscreens ?? [:]).values.contains { $0.match.path != nil } || (motors ?? [:]).values.contains { $0.match.path != nil }
    }

    /// No device is used, nor looked for.
    public static let none = DeviceRules(touchscreens: [:], motors: [:])
}

/// What a device must be like: all of what is said. `*` stands for any characters, `?` for one.
public struct DeviceMatch: Equatable, Sendable {
    /// Of a link in /dev/input/by-path, with or without the folder, or of the node itself.
    public var path: String?
    public var name: String?
    public var phys: String?
    /// `vendor:product`, four hexadecimal digits each.
    public var id: String?

    public init(path: String? = nil, name: String? = nil, phys: String? = nil, id: String? = nil) {
        self.path = path
        self.name = name
        self.phys = phys
        self.id = id
    }

    public func fits(_ device: DeviceIdentity) -> Bool {
        let paths = device.paths.flatMap { [$0, "/dev/input/by-path/" + $0] } + [device.node]
        return path.map { pattern in paths.contains { fitsGlob($0, pattern) } } ?? true
            && name.map { fitsGlob(device.name, $0) } ?? true
            && phys.map { fitsGlob(device.phys, $0) } ?? true
            && id.map { fitsGlob(device.number, $0.lowercased()) } ?? true
    }
}

/// How a screen is read.
public struct TouchRule: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case touch
        /// One that feels fingers, and does not say that it lies over a picture.
        case surface
        case pen, mouse
    }

    public enum Turn: Int, CaseIterable, Sendable { case none = 0, right = 90, half = 180, left = 270 }

    public var match: DeviceMatch
    public var kind: Kind
    /// By so much the picture is turned clockwise against the sensor.
    public var turn: Turn
    /// The part of the sensor that lies over the picture, in parts of its width and height.
    public var area: Area
    /// Nobody else gets its events.
    public var isGrabbed: Bool

    public struct Area: Equatable, Sendable {
        public var left: Double
        public var top: Double
        public var right: Double
        public var bottom: Double

        public static let whole = Area(left: 0, top: 0, right: 1, bottom: 1)

        public init(left: Double, top: Double, right: Double, bottom: Double) {
            self.left = left
            self.top = top
            self.right = right
            self.bottom = bottom
        }
    }

    public init(match: DeviceMatch = DeviceMatch(), kind: Kind = .touch, turn: Turn = .none, area: Area = .whole, isGrabbed: Bool = false) {
        self.match = match
        self.kind = kind
        self.turn = turn
        self.area = area
        self.isGrabbed = isGrabbed
    }

    /// A position in parts of the sensor as one in parts of the picture, 0…1 each.
    public func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let x = max(0, min(1, (x - area.left) / (area.right - area.left)))
        let y = max(0, min(1, (y - area.top) / (area.bottom - area.top)))
        return switch turn {
        case .none: (x, y)
        case .right: (y, 1 - x)
        case .half: (1 - x, 1 - y)
        case .left: (1 - y, x)
        }
    }
}

/// How a force-feedback device is driven.
public struct MotorRule: Equatable, Sendable {
    public var match: DeviceMatch
    /// From starting an effect to its being felt, in milliseconds: so much before its sound an effect is started, if there is
    /// that much time.
    public var latency: Double
    /// 0…1.
    public var gain: Double

    /// What a motor in a pad takes to get going, as a rule; with it, effects start at once unless sound takes longer.
    public static let usualLatency = 25.0

    public init(match: DeviceMatch = DeviceMatch(), latency: Double = usualLatency, gain: Double = 1) {
        self.match = match
        self.latency = latency
        self.gain = gain
    }
}

/// Whether `pattern` fits all of `text`.
private func fitsGlob(_ text: String, _ pattern: String) -> Bool { fnmatch(pattern, text, 0) == 0 }
