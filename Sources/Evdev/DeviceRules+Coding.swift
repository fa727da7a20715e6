import Glibc
import Signals
import SystemPackage
import Yams

extension DeviceRules: Decodable {
    /// The rules in a YAML file of settings, which has other keys too. Throws `Fault` that names the key, or `Errno`.
    public init(file: FilePath) throws {
        let descriptor = try FileDescriptor.open(file, .readOnly)
        let text = try descriptor.closeAfter { try Self.text(descriptor) }
        // The parser wants at least one key.
        guard let root = try Parser(yaml: text).singleRoot(), root.mapping != nil else {
            self.init()
            return
        }
        do {
            self = try YAMLDecoder().decode(DeviceRules.self, from: root)
        } catch DecodingError.dataCorrupted(let context) {
            throw (context.underlyingError as? Fault) ?? Fault(field: "", expected: "YAML", found: context.debugDescription)
        }
    }

    /// Where the settings are by default, by these environment variables.
    public static func standardFile(_ environment: [String: String]) -> FilePath? {
        let base = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        return base.map { FilePath($0).appending("thrum/thrum.yaml") }
    }

    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        func rules<Rule: Decodable>(_ name: String) throws -> [String: Rule]? {
            fields.contains(name) ? try fields.nested([String: Rule].self, name, expected: "a mapping of rules by name") : nil
        }
        self.init(touchscreens: try rules("touchscreens"), motors: try rules("motors"))
    }

    /// Up to 1 MiB.
    private static func text(_ file: FileDescriptor) throws -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= 1 << 20 {
            let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
        throw Fault(field: "", expected: "at most 1 MiB")
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
