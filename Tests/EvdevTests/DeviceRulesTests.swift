import Signals
import SettingsFile
import Testing
@testable import Evdev
import YAML

@Suite struct DeviceRulesTests {
    private let screen = DeviceIdentity(node: "/dev/input/event3", paths: ["pci-0000:00:14.0-usb-0:1.2:1.0-event"], name: "ELAN Touchscreen",
                                        phys: "usb-0000:00:14.0-1.2/input0", vendor: 0x04F3, product: 0x2A15)

    private func rules(_ text: String) throws -> DeviceRules {
        try SettingsFiles([SettingsFiles.File(path: "thrum.yaml", text: text)]).decode(DeviceRules.self, keys: ["touchscreens", "motors", "switches"])
    }

    @Test func `a rule fits by any of what a device can be told by, and only if all of it fits`() {
        #expect(DeviceMatch().fits(screen))
        #expect(DeviceMatch(path: "*usb-0:1.2:*").fits(screen))
        #expect(DeviceMatch(path: "/dev/input/by-path/pci-*").fits(screen))
        #expect(DeviceMatch(path: "/dev/input/event3").fits(screen))
        #expect(DeviceMatch(name: "ELAN*", id: "04f3:2A15").fits(screen))
        #expect(!DeviceMatch(name: "ELAN", id: "04f3:2a15").fits(screen))
        #expect(!DeviceMatch(name: "ELAN*", phys: "*/input1").fits(screen))
    }

    @Test func `rules are read beside the other settings, and without any every device counts`() throws {
        let read = try rules("""
            idle: 45
            touchscreens:
              left: {path: "*-usb-0:1*", rotate: 90, area: {left: 0.1, right: 0.9}}
              tablet: {name: Wacom*, kind: pen, grab: true}
            motors:
              pad: {id: 054c:0ce6, latency: 12.5, gain: 0.8}
            """)
        #expect(read.touchscreens?["left"] == TouchRule(match: DeviceMatch(path: "*-usb-0:1*"), turn: .right,
                                                        area: .init(left: 0.1, top: 0, right: 0.9, bottom: 1)))
        #expect(read.touchscreens?["tablet"] == TouchRule(match: DeviceMatch(name: "Wacom*"), kind: .pen, isGrabbed: true))
        #expect(read.motors?["pad"] == MotorRule(match: DeviceMatch(id: "054c:0ce6"), latency: 12.5, gain: 0.8))
        #expect(try rules("idle: 45") == DeviceRules())
        #expect(try rules("# nothing but this\n") == DeviceRules())
        #expect(try rules("touchscreens: {}").touchscreens == [:])
    }

    @Test(arguments: [
        ("touchscreens: {left: {rotate: 45}}", "touchscreens.left.rotate: expected one of 0, 90, 180, 270, found 45"),
        ("touchscreens: {left: {kind: finger}}", "touchscreens.left.kind: expected one of touch, surface, pen, mouse, found \"finger\""),
        ("touchscreens: {left: {size: 3}}", "touchscreens.left.size: expected only"),
        ("touchscreens: yes", "touchscreens: expected a mapping of rules by name"),
        ("motors: {pad: {gain: 2}}", "motors.pad.gain: expected a number from 0 to 1, found 2"),
        ("motors: {pad: 7}", "motors.pad: expected a mapping of keys to values"),
        ("switches: {mat: {use: presence}}", "switches.mat.key: expected text of 1 to 64 characters"),
        ("switches: {mat: {key: SPACE, use: step}}", "switches.mat.key: expected the kernel's name of a key, button or switch, as in "
            + "KEY_SPACE or SW_HEADPHONE_INSERT, found \"SPACE\""),
        ("switches: {mat: {key: ABS_X, use: step}}", "switches.mat.key: expected the kernel's name"),
        ("switches: {mat: {key: KEY_A, name: mat, use: press}}", "switches.mat.use: expected one of explore, step, presence, found \"press\""),
        ("switches: {mat: {key: KEY_A, name: mat, use: step, hold: 100}}", "switches.mat.hold: expected a number from 200 to 5000 (ms), found 100"),
        ("switches: {mat: {key: KEY_A, name: mat, use: explore, hold: 900}}", "switches.mat.hold: expected none, except where use is step"),
        ("switches: {mat: {key: KEY_POWER, use: explore}}", "switches.mat.name: expected this, or path, phys or id"),
        ("touchscreens: {left: {area: {left: 0.9, right: 0.5}}}", "touchscreens.left.area.right: expected a number"),
    ])
    func `a bad rule is named by its path`(text: String, words: String) throws {
        do {
            _ = try rules(text)
            Issue.record("it was read")
        } catch let error as FileFault {
            #expect(error.description.hasPrefix("thrum.yaml:1: " + words), "\(error)")
        }
    }

    @Test func `a switch is read by a rule alone, where the device fits and has the key or the jack`() throws {
        let read = try rules("""
            switches:
              buddy: {name: Switch*, key: KEY_SPACE, use: step, hold: 1500}
              phones: {key: SW_HEADPHONE_INSERT, use: explore}
              way: {name: Switch*, key: KEY_ENTER, use: explore}
            """)
        let buddy = try #require(read.switches["buddy"])
        #expect(buddy.hold == 1_500_000_000 && buddy.use == .step && buddy.contact == SwitchContact("KEY_SPACE"))
        #expect(read.switches["phones"]?.hold == 700_000_000)
        let device = DeviceIdentity(node: "/dev/input/event5", name: "Switch Interface", phys: "")
        // Of linux/input-event-codes.h: KEY_ENTER 28, KEY_SPACE 57, SW_HEADPHONE_INSERT 2.
        func names(_ device: DeviceIdentity, _ capabilities: DeviceCapabilities) -> [String] {
            read.switches(device, capabilities).read.map(\.name)
        }
        #expect(names(device, DeviceCapabilities(keys: [28, 57])) == ["buddy", "way"])
        #expect(names(device, DeviceCapabilities(keys: [57], switches: [2])) == ["buddy", "phones"])
        #expect(names(screen, DeviceCapabilities(keys: [2, 28, 57])).isEmpty, "key 2 is no jack")
        #expect(DeviceRules().switches(device, DeviceCapabilities(keys: [28, 57], switches: [2])).read.isEmpty)
        #expect(DeviceRules(switches: read.switches) != .none)
    }

    @Test func `a keyboard for typing is read only where it is named as it is, and a touchscreen's keys never`() throws {
        let read = try rules("""
            switches:
              any: {name: "*", key: KEY_SPACE, use: step}
              kinds: {name: "USB Keyboar?", key: KEY_SPACE, use: step}
              named: {name: USB Keyboard, key: KEY_SPACE, use: step}
            """)
        // Of linux/input-event-codes.h: KEY_Q 16 to KEY_P 25, KEY_ENTER 28, KEY_SPACE 57, BTN_TOUCH 0x14a, ABS_X 0, ABS_Y 1.
        let device = DeviceIdentity(node: "/dev/input/event5", name: "USB Keyboard")
        let keyboard = read.switches(device, DeviceCapabilities(keys: Set(16...25).union([28, 57])))
        #expect(keyboard.read.map(\.name) == ["named"] && keyboard.unread.map(\.rule) == ["any", "kinds"])
        #expect(keyboard.unread.allSatisfy { $0.reason == "it looks like a keyboard for typing, which must be named without * and ?" })
        #expect(keyboard.unread.first?.line == #"switches: {any: {name: "USB Keyboard", key: KEY_SPACE, use: step, hold: 700}}"#)
        let buttons = read.switches(device, DeviceCapabilities(keys: Set(16...24).union([28, 57])))
        #expect(buttons.read.map(\.name) == ["any", "kinds", "named"] && buttons.unread.isEmpty)
        let panel = DeviceCapabilities(keys: [57, 0x14A], axes: [0: 0...99, 1: 0...99])
        #expect(read.switches(device, panel).read.isEmpty)
        #expect(read.switches(device, DeviceCapabilities(keys: [57]), isScreen: true).unread.map(\.rule) == ["any", "kinds", "named"])
    }

    @Test func `all bad rules are named at once, in the order of lines`() throws {
        let fault = try #require(throws: FileFault.self) {
            try rules("""
                motors:
                  pad: {gain: 2, latency: soon}
                  wheel: 7
                touchscreens:
                  left: {rotate: 45, kind: finger, size: 3}
                  right:
                    area: {left: 2, right: 0.5, top: −0.1}
                """)
        }
        #expect(fault.all.map(\.description) == [
            "thrum.yaml:2: motors.pad.gain: expected a number from 0 to 1, found 2",
            #"thrum.yaml:2: motors.pad.latency: expected a number from 0 to 500 (ms), found "soon""#,
            "thrum.yaml:3: motors.wheel: expected a mapping of keys to values",
            #"thrum.yaml:5: touchscreens.left.kind: expected one of touch, surface, pen, mouse, found "finger""#,
            "thrum.yaml:5: touchscreens.left.rotate: expected one of 0, 90, 180, 270, found 45",
            "thrum.yaml:5: touchscreens.left.size: expected only path, name, phys, id, kind, rotate, area, grab, found this field",
            "thrum.yaml:7: touchscreens.right.area.left: expected a number from 0 to 0.99, found 2",
            #"thrum.yaml:7: touchscreens.right.area.top: expected a number from 0 to 0.99, found "−0.1" with a typographic minus, where - is expected"#,
        ])
    }

    @Test func `a picture that is turned has its own left and top`() {
        // Top left of the picture, by where that is on the sensor.
        let corners: [(TouchRule.Turn, Double, Double)] = [(.none, 0, 0), (.right, 1, 0), (.half, 1, 1), (.left, 0, 1)]
        for (turn, x, y) in corners {
            let onPicture = TouchRule(turn: turn).onPicture(x, y)
            #expect(onPicture.x == 0 && onPicture.y == 0, "\(turn)")
        }
        let onPicture = TouchRule(turn: .right, area: .init(left: 0.5, top: 0, right: 1, bottom: 0.5)).onPicture(0.75, 0.5)
        #expect(onPicture.x == 1 && onPicture.y == 0.5)
    }
}
