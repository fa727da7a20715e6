import Fields
import Glibc
import Haptics

/// The rules that decide which devices are used, and how.
public struct DeviceRules: Equatable, Sendable {
    /// The rules for touchscreens, by names that the installer chose; nil uses every touchscreen.
    public var touchscreens: [String: TouchRule]?
    /// The rules for force-feedback devices, by names that the installer chose; nil uses every such device.
    public var motors: [String: MotorRule]?
    /// The rules for switches, by names that the installer chose. Without a rule no key, button or jack is read.
    public var switches: [String: SwitchRule]

    public init(touchscreens: [String: TouchRule]? = nil, motors: [String: MotorRule]? = nil, switches: [String: SwitchRule] = [:]) {
        self.touchscreens = touchscreens
        self.motors = motors
        self.switches = switches
    }

    /// Whether any rule matches a device by where it is plugged in.
    var dependOnPaths: Bool {
        (touchscreens ?? [:]).values.contains { $0.match.path != nil } || (motors ?? [:]).values.contains { $0.match.path != nil }
            || switches.values.contains { $0.match.path != nil }
    }

    /// Rules that use no device. With them, devices are not even looked for.
    public static let none = DeviceRules(touchscreens: [:], motors: [:])
}

/// The properties that a device must have to match; a property that is nil matches every device. `*` stands for any characters, `?` for
/// one.
public struct DeviceMatch: Equatable, Sendable {
    /// The name of a link in /dev/input/by-path, with or without the folder, or the path of the node itself.
    public var path: String?
    public var name: String?
    public var phys: String?
    /// The device's numbers as `vendor:product`, four hexadecimal digits each.
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

/// The rule for reading a touchscreen.
public struct TouchRule: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case touch
        /// A surface that senses fingers, but does not say that it lies over a picture.
        case surface
        case pen, mouse
    }

    public enum Turn: Int, CaseIterable, Sendable { case none = 0, right = 90, half = 180, left = 270 }

    public var match = DeviceMatch()
    public var kind = Kind.touch
    /// How far the picture is turned against the sensor, clockwise, in degrees.
    public var turn = Turn.none
    /// The part of the sensor that lies over the picture, as fractions of the sensor's width and height, 0 to 1.
    public var area = Area.whole
    /// Whether this process takes the screen's events for itself alone.
    public var isGrabbed = false

    public struct Area: Equatable, Sendable {
        public var left: Double
        public var top: Double
        public var right: Double
        public var bottom: Double

        public static let whole = Area(left: 0, top: 0, right: 1, bottom: 1)
    }

    /// Turns a position on the sensor into one on the picture. Both are fractions of the width and height, 0 to 1.
    public func onPicture(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
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

/// The rule for driving a force-feedback device.
public struct MotorRule: Equatable, Sendable {
    public var match = DeviceMatch()
    /// The time from the start of an effect until it is felt, in milliseconds, 0 to 500. An effect is started that much before its sound,
    /// if there is that much time.
    public var latency = usualLatency
    /// The strength of effects, 0 to 1.
    public var gain = 1.0

    /// The time that the motor of a gamepad usually takes to start, in milliseconds. With this latency an effect starts at once, unless its
    /// sound is due even later.
    public static let usualLatency = 25.0
}

/// Says whether the glob `pattern` fits all of `text`.
private func fitsGlob(_ text: String, _ pattern: String) -> Bool { fnmatch(pattern, text, 0) == 0 }

extension DeviceRules: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        func rules<Rule: Decodable>(_ name: String) throws -> [String: Rule]? {
            fields.contains(name) ? try fields.nested([String: Rule].self, name, expected: "a mapping of rules by name") : nil
        }
        self.init(touchscreens: try rules("touchscreens"), motors: try rules("motors"), switches: try rules("switches") ?? [:])
    }
}

extension DeviceMatch {
    static let keys = ["path", "name", "phys", "id"]

    init(_ fields: Fields) throws {
        self.init(path: try fields.textIfPresent("path"), name: try fields.textIfPresent("name"),
                  phys: try fields.textIfPresent("phys"), id: try fields.textIfPresent("id"))
    }
}

extension TouchRule: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: DeviceMatch.keys + ["kind", "rotate", "area", "grab"])
        let turn = try fields.integerIfPresent("rotate", in: 0...270) ?? 0
        guard let turn = Turn(rawValue: turn) else {
            throw fields.fault("rotate", "one of 0, 90, 180, 270", found: "\(turn)")
        }
        self.init(match: try DeviceMatch(fields), kind: try fields.choiceIfPresent("kind") ?? .touch, turn: turn,
                  area: fields.contains("area") ? try fields.nested(Area.self, "area", expected: "a mapping") : .whole,
                  isGrabbed: try fields.flagIfPresent("grab") ?? false)
    }
}

extension TouchRule.Area: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["left", "top", "right", "bottom"])
        let left = try fields.numberIfPresent("left", in: 0...0.99) ?? 0
        let top = try fields.numberIfPresent("top", in: 0...0.99) ?? 0
        self.init(left: left, top: top, right: try fields.numberIfPresent("right", in: (left + 0.01)...1) ?? 1,
                  bottom: try fields.numberIfPresent("bottom", in: (top + 0.01)...1) ?? 1)
    }
}

extension MotorRule: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: DeviceMatch.keys + ["latency", "gain"])
        self.init(match: try DeviceMatch(fields),
                  latency: try fields.numberIfPresent("latency", in: 0...500, unit: "ms") ?? Self.usualLatency,
                  gain: try fields.numberIfPresent("gain", in: 0...1) ?? 1)
    }
}

/// The decision of the rules about a device.
enum Verdict<Rule, Ability> {
    case used(name: String, rule: String?, Rule, Ability)
    case unfit
    case unused(DeviceFinding.Reason)

    var use: DeviceFinding.Use {
        switch self {
        case .used(let name, let rule, _, _): .used(as: name, rule: rule)
        case .unfit: .unfit
        case .unused(let reason): .unused(reason)
        }
    }

    var isUsed: Bool { if case .used = self { true } else { false } }
}

extension DeviceRules {
    /// Decides whether a device is used as a touchscreen. Pure.
    func touch(_ device: DeviceIdentity, _ capabilities: DeviceCapabilities) -> Verdict<TouchRule, ContactTracker> {
        let fitting = (touchscreens ?? [:]).sorted { $0.key < $1.key }.filter { $0.value.match.fits(device) }
        for (name, rule) in fitting {
            if let contacts = capabilities.contacts(as: rule.kind) { return .used(name: name, rule: name, rule, contacts) }
        }
        if touchscreens == nil, let contacts = capabilities.contacts(as: .touch) {
            return .used(name: device.name, rule: nil, TouchRule(), contacts)
        }
        guard let kind = capabilities.kind else {
            guard capabilities.isTouchscreen else { return .unfit }
            let reason = "a touchscreen that does not say when it is touched, neither by ids of fingers nor by BTN_TOUCH with a position"
            return .unused(DeviceFinding.Reason(reason, rule: nil))
        }
        let rule = ruleText("touchscreens", kind == .touch ? "screen" : kind.rawValue, device, kind: kind, taken: touchscreens?.keys)
        guard let first = fitting.first else {
            return .unused(DeviceFinding.Reason(kind.words + (touchscreens == nil ? "" : ", but no rule fits it"), rule: rule))
        }
        return .unused(DeviceFinding.Reason("rule \(first.key) fits it, but it is no \(first.value.kind.rawValue) device", rule: rule))
    }

    /// Decides whether a device is used for force feedback. Pure. `abilities` is nil if the device has none.
    func motor(_ device: DeviceIdentity, _ abilities: MotorAbilities?, isWritable: Bool) -> Verdict<MotorRule, MotorAbilities> {
        guard let abilities else { return .unfit }
        guard isWritable else { return .unused(DeviceFinding.Reason("force feedback, but it may not be written to", rule: nil)) }
        guard let motors else { return .used(name: device.name, rule: nil, MotorRule(), abilities) }
        guard let (name, rule) = motors.sorted(by: { $0.key < $1.key }).first(where: { $0.value.match.fits(device) }) else {
            return .unused(DeviceFinding.Reason("force feedback, but no rule fits it",
                                                rule: ruleText("motors", "pad", device, kind: nil, taken: motors.keys)))
        }
        return .used(name: name, rule: name, rule, abilities)
    }

    /// Returns a rule that would use the device, as text for the settings file.
    private func ruleText(_ key: String, _ base: String, _ device: DeviceIdentity, kind: TouchRule.Kind?,
                          taken: (some Collection<String>)?) -> String {
        var name = base
        var count = 1
        while taken?.contains(name) == true {
            count += 1
            name = base + "\(count)"
        }
        let kind = kind.flatMap { $0 == .touch ? nil : ", kind: \($0.rawValue)" } ?? ""
        return "\(key): {\(name): {\(Self.matchText(device))\(kind)}}"
    }

    /// Returns what fits a device in a rule, as text for the settings file.
    static func matchText(_ device: DeviceIdentity) -> String {
        device.name.isEmpty ? "id: \"\(device.number)\"" : "name: \(quoted(device.name))"
    }

    /// Quotes text for YAML, as a glob that fits only that text.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            // A character that is special in a glob needs a backslash before it, and YAML needs two for that one.
            case "\\": quoted += "\\\\\\\\"
            case "*", "?", "[": quoted += "\\\\" + String(scalar)
            // `?` fits any one character. So a control character in a name cannot break the line of a message.
            case _ where scalar.properties.generalCategory == .control: quoted += "?"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension TouchRule.Kind {
    /// A description of a device, by the first kind as which it can be read.
    fileprivate var words: String {
        switch self {
        case .touch: "a touchscreen"
        case .surface: "it feels fingers, but does not say that it lies over a picture, as a touchpad"
        case .pen: "a pen"
        case .mouse: "a mouse or an absolute pointer, as virtual machines have"
        }
    }
}
