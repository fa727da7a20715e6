import Fields
import Signals
import Yams

extension Theme {
    /// The whole theme as a YAML file that reads back as the same, to begin one's own from.
    public func yaml() throws -> String {
        let tree = try Parser(yaml: YAMLEncoder().encode(self)).singleRoot() ?? .emptyMapping
        var lines: [String] = []
        for name in ["name", "ceiling", "toneFade"] {
            guard let value = tree.mapping?[name] else { continue }
            lines.append("\(name): \(value.flow)\(Self.remarks[name, default: ""])")
        }
        for name in ["toneCurve", "chimes", "textures", "haptics"] where tree.mapping?[name] != nil || !missing(name).isEmpty {
            lines.append("\n\(name):\(Self.remarks[name, default: ""])")
            let entries = tree.mapping?[name]?.mapping?.map { (key: $0.key.flow, value: $0.value) } ?? []
            for (key, value) in entries.sorted(by: { $0.key < $1.key && name != "toneCurve" }) { lines += Self.entry(key, value) }
            for missing in missing(name) { lines.append("  \(Node(missing).flow): none") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let remarks = [
        "ceiling": "  # dBFS: no sample passes it", "toneFade": "  # s, at each end of the tone",
        "toneCurve": "  # start and cap in Hz, quietest and loudest in dBFS, views in cards",
        "chimes": "  # start, attack and decay in s, frequency in Hz, level in dBFS; of partials as multiples, and dB below the note",
        "textures": "  # levels in dB, frequencies in Hz, times in s",
        "haptics": "  # time and duration in s, intensity and sharpness 0 to 1",
    ]

    /// A list has a line for each of its elements.
    private static func entry(_ key: String, _ value: Node) -> [String] {
        guard let list = value.sequence, !list.isEmpty else { return ["  \(key): \(value.flow)"] }
        return ["  \(key):"] + list.map { "    - \($0.flow)" }
    }

    /// Names of the standard theme that this one has not got.
    private func missing(_ field: String) -> [String] {
        let (all, own) = switch field {
        case "chimes": (Set(Theme.standard.chimes.keys), Set(chimes.keys))
        case "textures": (Set(Theme.standard.textures.keys), Set(textures.keys))
        case "haptics": (Set(Theme.standard.haptics.keys), Set(haptics.keys))
        default: (Set<String>(), Set<String>())
        }
        return all.subtracting(own).sorted()
    }
}

extension Node {
    /// On one line, with numbers as people write them.
    fileprivate var flow: String {
        switch self {
        case .mapping(let mapping): "{" + mapping.map { "\($0.flow): \($1.flow)" }.joined(separator: ", ") + "}"
        case .sequence(let sequence): "[" + sequence.map(\.flow).joined(separator: ", ") + "]"
        case .scalar(let scalar): Self.word(scalar)
        case .alias: "null"
        }
    }

    private static func word(_ scalar: Scalar) -> String {
        if let value = Double.construct(from: scalar) { return Fault.plain(value) }
        if Bool.construct(from: scalar) != nil { return scalar.string }
        let isPlain = scalar.string.utf8.allSatisfy { ThemeName.isPlain($0) || "._-/".utf8.contains($0) }
        // What the encoder has put between quotes would be taken for something else than text.
        return isPlain && scalar.style == .plain ? scalar.string : quoted(scalar.string)
    }

    /// As YAML writes any text: between double quotes.
    private static func quoted(_ text: String) -> String {
        let inside = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case " "..."~": String(scalar)
            default: scalar.value <= 0xFFFF ? "\\u" + hex(scalar.value, 4) : "\\U" + hex(scalar.value, 8)
            }
        }
        return "\"" + inside.joined() + "\""
    }

    private static func hex(_ value: UInt32, _ digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
