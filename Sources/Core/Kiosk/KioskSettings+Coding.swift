import Fields

/// The settings of a file, of which the kiosk reads its own.
public struct KioskSection: Decodable, Equatable, Sendable {
    /// Nil where the machine is to be no kiosk.
    public var kiosk: KioskSettings?

    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        kiosk = fields.contains("kiosk") ? try fields.nested("kiosk", expected: "a mapping") : nil
    }
}

extension Fields {
    fileprivate func nested<Value: Decodable>(_ name: String, expected: String) throws -> Value {
        try nested(Value.self, name, expected: expected)
    }
}

extension KioskSettings: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["screens", "memory", "early"])
        // What may be left out comes first: a fault in it is found even where the screens are wrong.
        let memory = try fields.integerIfPresent("memory", in: 128...1_048_576, unit: "MiB") ?? 1500
        let early = try fields.integerIfPresent("early", in: 0...720, unit: "minutes") ?? 5
        let expected = "a mapping of screens by their output's name, or any"
        let screens: [String: Screen] = try fields.nested("screens", expected: expected)
        guard !screens.isEmpty else { throw fields.fault("screens", expected, found: "none") }
        for name in screens.keys.sorted() where !Self.isName(name) || name.contains("_") {
            throw fields.fault("screens.\(name)", "the name of an output, such as HDMI-A-1, as swaymsg -t get_outputs has it",
                               found: "\"\(name)\"")
        }
        guard screens.count == 1 || screens[Self.anyOutput] == nil else {
            throw fields.fault("screens", "any alone, or names of outputs", found: "both")
        }
        self.init(screens: screens, memory: memory, early: early)
    }

    /// Names go into sway's configuration and into addresses.
    fileprivate static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                 UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
    }
}

extension KioskSettings.Screen: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["page", "rotate", "touch", "touchscreen"])
        let page = try fields.text("page")
        guard !page.hasPrefix("/"), !page.contains(".."), page.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !page.contains("#") else {
            throw fields.fault("page", "a folder of pages, such as colorscroller or colorscroller/?lang=de", found: "\"\(page)\"")
        }
        let degrees = try fields.integerIfPresent("rotate", in: 0...270) ?? 0
        guard let rotation = KioskSettings.Rotation(rawValue: degrees) else {
            throw fields.fault("rotate", "one of 0, 90, 180, 270", found: "\(degrees)")
        }
        let touch = try fields.textIfPresent("touch")
        if let touch, touch.contains(where: { "\"\\\n".contains($0) }) {
            throw fields.fault("touch", "a touchscreen as swaymsg -t get_inputs has it", found: "quotes or a backslash")
        }
        let touchscreen = try fields.textIfPresent("touchscreen")
        if let touchscreen, !KioskSettings.isName(touchscreen) {
            throw fields.fault("touchscreen", "a name of the setting touchscreens, of letters, digits, - and _",
                               found: "\"\(touchscreen)\"")
        }
        self.init(page: page, rotation: rotation, touch: touch, touchscreen: touchscreen)
    }
}
