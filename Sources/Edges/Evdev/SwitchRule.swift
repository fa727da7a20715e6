import CEvdev
import Fields

/// The rule for reading a switch: a key or button, a jack, a contact mat.
public struct SwitchRule: Equatable, Sendable {
    /// What a switch does.
    public enum Use: String, CaseIterable, Sendable {
        /// Switches exploring by touch on and off.
        case explore
        /// Goes from region to region of a page by short presses, and acts by a long one.
        case step
        /// Says that somebody is there, as long as it is on.
        case presence
    }

    public var match: DeviceMatch
    public var contact: SwitchContact
    public var use: Use
    /// How long the switch must be held for a long press, in nanoseconds.
    public var hold: Int64

    /// The time of a long press where the settings do not say it, in milliseconds.
    public static let usualHold = 700.0

    public init(match: DeviceMatch = DeviceMatch(), contact: SwitchContact, use: Use, hold: Int64 = Int64(usualHold * 1e6)) {
        self.match = match
        self.contact = contact
        self.use = use
        self.hold = hold
    }
}

/// One of the two-state things of an input device: a key or button (EV_KEY), or a switch of the case such as a jack's (EV_SW).
public struct SwitchContact: Hashable, Sendable {
    /// EV_KEY or EV_SW.
    var type: Int32
    var code: Int32

    /// Whether it is a key or button. Other programs would act on its presses, too.
    var isKey: Bool { type == EV_KEY }

    /// Returns the contact of that name in the kernel's linux/input-event-codes.h, for instance `KEY_SPACE` or `SW_HEADPHONE_INSERT`; nil
    /// where there is none.
    public init?(_ name: String) {
        let (type, code) = (libevdev_event_type_from_code_name(name), libevdev_event_code_from_code_name(name))
        guard type == EV_KEY || type == EV_SW, code >= 0 else { return nil }
        (self.type, self.code) = (type, code)
    }

    /// Returns the contact of the key or button with that code.
    init(key code: Int32) { (type, self.code) = (EV_KEY, code) }
}

extension SwitchRule: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: DeviceMatch.keys + ["key", "use", "hold"])
        let name = try fields.text("key", limit: 64)
        guard let contact = SwitchContact(name) else {
            throw fields.fault("key", "the kernel's name of a key, button or switch, as in KEY_SPACE or SW_HEADPHONE_INSERT",
                               found: "\"\(name)\"")
        }
        let use: Use = try fields.choice("use")
        let hold = try fields.numberIfPresent("hold", in: 200...5_000, unit: "ms")
        guard hold == nil || use == .step else { throw fields.fault("hold", "none, except where use is step") }
        let match = try DeviceMatch(fields)
        guard !contact.isKey || match != DeviceMatch() else {
            throw fields.fault("name", "this, or path, phys or id: other programs lose all keys of the device", found: "none")
        }
        self.init(match: match, contact: contact, use: use, hold: Int64((hold ?? Self.usualHold) * 1e6))
    }
}

/// A rule that fits a device and does not read its switch.
public struct UnreadSwitch: Equatable, Sendable {
    /// The rule's name.
    public var rule: String
    public var reason: String
    /// The rule as it would read the switch, as text for the settings file; nil if none would.
    public var line: String?
}

extension DeviceRules {
    func switches(_ device: DeviceNode, isScreen: Bool) -> (read: [(name: String, rule: SwitchRule)], unread: [UnreadSwitch]) {
        switches(device.identity, device.capabilities, isScreen: isScreen)
    }

    /// Returns the rules that read a switch of the device, by their names, in the order of these, and those that fit but do not read it.
    /// `isScreen` says whether the device is read as a touchscreen. Pure.
    func switches(_ device: DeviceIdentity, _ capabilities: DeviceCapabilities, isScreen: Bool = false)
        -> (read: [(name: String, rule: SwitchRule)], unread: [UnreadSwitch]) {
        let fitting = switches.sorted { $0.key < $1.key }.filter { $0.value.match.fits(device) && capabilities.has($0.value.contact) }
        func refusal(_ name: String, _ rule: SwitchRule) -> UnreadSwitch? {
            if isScreen || (rule.contact.isKey && capabilities.isTouchscreen) {
                return UnreadSwitch(rule: name, reason: "switches of a touchscreen are not read")
            }
            guard rule.contact.isKey, capabilities.isKeyboard, !rule.match.isExact else { return nil }
            return UnreadSwitch(rule: name, reason: "it looks like a keyboard for typing, which must be named without * and ?",
                                line: rule.text(as: name, for: device))
        }
        return (fitting.filter { refusal($0.key, $0.value) == nil }.map { (name: $0.key, rule: $0.value) },
                fitting.compactMap { refusal($0.key, $0.value) })
    }
}

extension SwitchRule {
    /// Returns the rule as text for the settings file, under the name `name` and for that device alone.
    fileprivate func text(as name: String, for device: DeviceIdentity) -> String? {
        guard let key = libevdev_event_code_get_name(UInt32(contact.type), UInt32(contact.code)) else { return nil }
        let held = use == .step ? ", hold: \(hold / 1_000_000)" : ""
        return "switches: {\(name): {\(DeviceRules.matchText(device)), key: \(String(cString: key)), use: \(use.rawValue)\(held)}}"
    }
}

extension DeviceMatch {
    /// Whether a property is given as it is, without a character that stands for others.
    fileprivate var isExact: Bool {
        [path, name, phys, id].compactMap(\.self).contains { !$0.replacing(/\\./, with: "").contains(where: "*?[".contains) }
    }
}

extension DeviceCapabilities {
    fileprivate func has(_ contact: SwitchContact) -> Bool { (contact.isKey ? keys : switches).contains(contact.code) }
}
