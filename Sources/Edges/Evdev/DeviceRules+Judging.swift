import Haptics

/// What rules made of a device.
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
}

extension DeviceRules {
    /// What is made of a device as a touchscreen. Pure.
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

    /// What is made of a device as one of force feedback. Pure. `abilities` is nil if it has none.
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

    /// The rule that would use it, as the settings file has it.
    private func ruleText(_ key: String, _ base: String, _ device: DeviceIdentity, kind: TouchRule.Kind?,
                          taken: (some Collection<String>)?) -> String {
        var name = base
        var count = 1
        while taken?.contains(name) == true {
            count += 1
            name = base + "\(count)"
        }
        let match = device.name.isEmpty ? "id: \"\(device.number)\"" : "name: \(Self.quoted(device.name))"
        let kind = kind.flatMap { $0 == .touch ? nil : ", kind: \($0.rawValue)" } ?? ""
        return "\(key): {\(name): {\(match)\(kind)}}"
    }

    /// Text in double quotes of YAML that fits only itself, where a device is matched.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            // What is special in a pattern has a backslash before it, which has one in YAML.
            case "\\": quoted += "\\\\\\\\"
            case "*", "?", "[": quoted += "\\\\" + String(scalar)
            // One character, whichever: no line of a message is broken by a name.
            case _ where scalar.properties.generalCategory == .control: quoted += "?"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension TouchRule.Kind {
    /// What a device is, of which this is the first kind that it can be read as.
    fileprivate var words: String {
        switch self {
        case .touch: "a touchscreen"
        case .surface: "it feels fingers, but does not say that it lies over a picture, as a touchpad"
        case .pen: "a pen"
        case .mouse: "a mouse or an absolute pointer, as virtual machines have"
        }
    }
}
