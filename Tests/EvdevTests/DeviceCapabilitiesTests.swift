import CEvdev
import SettingsFile
import Testing
import YAML
@testable import Evdev

/// The tags are those that udev gives (`test_pointers` in src/udev/udev-builtin-input_id.c of systemd 252), followed by hand.
@Suite struct DeviceCapabilitiesTests {
    struct Device: Sendable, CustomTestStringConvertible {
        var name: String
        var capabilities: DeviceCapabilities
        var tags: Set<DeviceCapabilities.Tag>
        /// Whether it is used without a rule.
        var isUsed: Bool
        /// The kind that would use it.
        var kind: TouchRule.Kind?

        var testDescription: String { name }

        init(_ name: String, keys: Set<Int32> = [], axes: [Int32] = [], motions: Set<Int32> = [], properties: Set<Int32> = [],
             slots: Int = 0, tags: Set<DeviceCapabilities.Tag>, isUsed: Bool, kind: TouchRule.Kind?) {
            self.name = name
            capabilities = DeviceCapabilities(keys: keys, axes: Dictionary(uniqueKeysWithValues: axes.map { ($0, 0...1_000) }),
                                              motions: motions, properties: properties, slots: slots)
            self.tags = tags
            self.isUsed = isUsed
            self.kind = kind
        }
    }

    private static let plane = [ABS_X, ABS_Y]
    private static let protocolA = [ABS_MT_POSITION_X, ABS_MT_POSITION_Y]
    private static let protocolB = protocolA + [ABS_MT_SLOT, ABS_MT_TRACKING_ID]
    private static let direct: Set = [INPUT_PROP_DIRECT]

    static let devices = [
        Device("usbtouchscreen, ads7846, elo: one finger, not direct", keys: [BTN_TOUCH], axes: plane, tags: [.touchscreen],
               isUsed: true, kind: .touch),
        Device("one finger, direct", keys: [BTN_TOUCH], axes: plane, properties: direct, tags: [.touchscreen], isUsed: true, kind: .touch),
        Device("protocol A", keys: [BTN_TOUCH], axes: protocolA + [ABS_MT_TRACKING_ID], properties: direct, tags: [.touchscreen],
               isUsed: true, kind: .touch),
        Device("protocol A without ids, not direct", keys: [BTN_TOUCH], axes: plane + protocolA, tags: [.touchscreen], isUsed: true,
               kind: .touch),
        Device("protocol B without a button", axes: protocolB, properties: direct, slots: 10, tags: [.touchscreen], isUsed: true,
               kind: .touch),
        Device("protocol B, not direct", keys: [BTN_TOUCH], axes: plane + protocolB, slots: 10, tags: [.touchscreen], isUsed: true,
               kind: .touch),
        Device("a screen that tells its tool", keys: [BTN_TOUCH, BTN_TOOL_FINGER], axes: plane + protocolB, properties: direct, slots: 10,
               tags: [.touchscreen], isUsed: true, kind: .touch),
        Device("touchpad", keys: [BTN_LEFT, BTN_TOUCH, BTN_TOOL_FINGER, BTN_TOOL_DOUBLETAP], axes: plane + protocolB,
               properties: [INPUT_PROP_POINTER], slots: 5, tags: [.touchpad], isUsed: false, kind: .surface),
        // By INPUT_PROP_DIRECT it lies over a picture, which is more than udev asks.
        Device("a touch driver's absolute pointer", keys: [BTN_LEFT], axes: plane, properties: direct, tags: [.absolutePointer],
               isUsed: true, kind: .touch),
        Device("the same with BTN_TOUCH", keys: [BTN_LEFT, BTN_TOUCH], axes: plane, properties: direct, tags: [.absolutePointer],
               isUsed: true, kind: .touch),
        Device("a virtual machine's tablet", keys: [BTN_LEFT, BTN_RIGHT, BTN_MIDDLE], axes: plane, motions: [REL_WHEEL],
               tags: [.absolutePointer], isUsed: false, kind: .mouse),
        Device("mouse", keys: [BTN_LEFT, BTN_RIGHT], motions: [REL_X, REL_Y], tags: [], isUsed: false, kind: .mouse),
        Device("graphics tablet", keys: [BTN_TOUCH, BTN_TOOL_PEN, BTN_STYLUS], axes: plane, tags: [.tablet], isUsed: false, kind: .pen),
        Device("pen display", keys: [BTN_TOUCH, BTN_TOOL_PEN, BTN_STYLUS], axes: plane, properties: direct, tags: [.tablet],
               isUsed: false, kind: .pen),
        // Fingers beside the pen: its slots are read, and the pen is not.
        Device("several fingers and a pen on one node", keys: [BTN_TOUCH, BTN_TOOL_PEN], axes: plane + protocolB, properties: direct,
               slots: 10, tags: [.tablet], isUsed: true, kind: .touch),
        Device("direct, without a button", axes: plane, properties: direct, tags: [.touchscreen], isUsed: false, kind: nil),
        Device("joystick", keys: [BTN_TRIGGER, BTN_THUMB], axes: plane, tags: [], isUsed: false, kind: nil),
        Device("a joystick with every axis", keys: [BTN_TRIGGER], axes: plane + protocolB + [ABS_MT_SLOT - 1], tags: [], isUsed: false,
               kind: nil),
        Device("accelerometer", axes: plane + [ABS_Z], tags: [], isUsed: false, kind: nil),
        Device("accelerometer by its property", keys: [BTN_TOUCH], axes: plane, properties: [INPUT_PROP_ACCELEROMETER], tags: [],
               isUsed: false, kind: .surface),
        Device("keyboard", keys: [KEY_A, KEY_B], tags: [], isUsed: false, kind: nil),
    ]

    @Test(arguments: devices) func `a touchscreen is what udev calls one, and what says that it lies over a picture`(device: Device) {
        #expect(device.capabilities.tags == device.tags)
        #expect((device.capabilities.contacts(as: .touch) != nil) == device.isUsed)
        #expect(device.capabilities.kind == device.kind)
    }

    @Test(arguments: devices) func `what is not used is told with its reason and a rule, and the rule uses it`(device: Device) throws {
        let identity = DeviceIdentity(node: "/dev/input/event7", name: #"Maker's "Best" [10*] \ Pad"#)
        switch DeviceRules().touch(identity, device.capabilities).use {
        case .used: #expect(device.isUsed)
        case .unfit: #expect(!device.isUsed && device.kind == nil)
        case .unused(let reason):
            #expect(!device.isUsed && !reason.words.isEmpty)
            guard let text = reason.rule else {
                #expect(device.kind == nil)
                return
            }
            let rules = try rules(text)
            let rule = try #require(rules.touchscreens?.first)
            #expect(rules.touch(identity, device.capabilities).use == .used(as: rule.key, rule: rule.key))
            // No other device of a name that is nearly this.
            #expect(!rule.value.match.fits(DeviceIdentity(node: "", name: #"Maker's "Best" [10x] \ Pad"#)))
        }
    }

    @Test func `a touchscreen beside rules that are not its own is told the rule that would use it, of a name that is free`() throws {
        let screen = try #require(Self.devices.first).capabilities
        let rules = try rules("touchscreens: {screen: {name: Other}}")
        let verdict = rules.touch(DeviceIdentity(node: "/dev/input/event7", name: "Elo"), screen).use
        #expect(verdict == .unused(.init("a touchscreen, but no rule fits it", rule: #"touchscreens: {screen2: {name: "Elo"}}"#)))
        let nameless = rules.touch(DeviceIdentity(node: "", name: "", vendor: 0x04E7, product: 0x0020), screen).use
        #expect(nameless == .unused(.init("a touchscreen, but no rule fits it", rule: #"touchscreens: {screen2: {id: "04e7:0020"}}"#)))
    }

    private func rules(_ text: String) throws -> DeviceRules {
        try SettingsFiles([SettingsFiles.File(path: "thrum.yaml", text: text)]).decode(DeviceRules.self, keys: ["touchscreens", "motors"])
    }
}
