import Fields

/// Settings for what a kiosk shows and how it is looked after: the mapping `kiosk` of the settings file.
public struct KioskSettings: Equatable, Sendable {
    /// The settings of one screen, which is connected to one of the machine's outputs.
    public struct Screen: Equatable, Sendable {
        /// The page: its folder, with parameters such as `colorscroller/?lang=de`.
        public var page: String
        public var rotation: Rotation
        /// The touchscreen in front of this screen, by sway's identifier; nil where sway finds it by itself.
        public var touch: String?
        /// The same touchscreen by its name in the engine's settings, where the engine reads it; nil where the page reports its own
        /// touches.
        public var touchscreen: String?

        public init(page: String, rotation: Rotation = .none, touch: String? = nil, touchscreen: String? = nil) {
            self.page = page
            self.rotation = rotation
            self.touch = touch
            self.touchscreen = touchscreen
        }
    }

    /// The clockwise rotation of a screen, in degrees.
    public enum Rotation: Int, CaseIterable, Sendable {
        case none = 0, quarter = 90, half = 180, threeQuarters = 270
    }

    /// The name that stands for the output of a machine with only one output.
    public static let anyOutput = "any"

    /// The screens, by the names of their outputs.
    public var screens: [String: Screen]
    /// The largest amount of memory that a browser may take, with all its processes, in MiB.
    public var memory = 1500
    /// How many minutes before opening time the screens are switched on.
    public var early = 5
}

/// The part of a settings file that the kiosk reads.
public struct KioskSection: Decodable, Equatable, Sendable {
    /// The kiosk's settings; nil where the machine is no kiosk.
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
        // The optional fields come first, so that a fault in them is found even where the screens have faults.
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

    /// Whether `name` consists of ASCII letters, digits, hyphens and underscores, so that it can be written into sway's configuration and
    /// into URLs.
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

extension KioskSettings {
    /// Returns faults for screens whose page is missing, or belongs to another piece. `others` are the folders of the pieces that do not
    /// run. `folder` is the folder of all pages, for the fault's text. `isThere` says whether that folder contains a page.
    public func pageFaults(others: [String], in folder: String, isThere: (String) -> Bool) -> [Fault] {
        screens.sorted { $0.key < $1.key }.compactMap { name, screen in
            let path = screen.page.prefix { $0 != "?" }.split(separator: "/").joined(separator: "/")
            // No path: the server chooses the page.
            guard !path.isEmpty else { return nil }
            let first = String(path.prefix { $0 != "/" })
            guard !others.contains(first) else {
                return Fault(field: "kiosk.screens.\(name).page", expected: "a page that speaks with the piece of the setting experience",
                             found: "\(first), which is another piece's")
            }
            guard !isThere(path) else { return nil }
            return Fault(field: "kiosk.screens.\(name).page", expected: "a page in \(folder), which is a folder with an index.html",
                         found: "none at \(path)")
        }
    }
}
