import Fields
import Glibc
import Signals

extension DeviceRules: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        func rules<Rule: Decodable>(_ name: String) throws -> [String: Rule]? {
            fields.contains(name) ? try fields.nested([String: Rule].self, name, expected: "a mapping of rules by name") : nil
        }
        self.init(touchscreens: try rules("touchscreens"), motors: try rules("motors"))
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
