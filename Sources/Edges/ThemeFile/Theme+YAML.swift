import Fields
import FoundationEssentials
import Signals
import Units
import Yams

extension Theme {
    /// Returns the whole theme as the text of a YAML file, from which the same theme can be read. `source` is the file from which the theme
    /// comes. The written `instrument` has the values of that in `source`, and for other fields the values that most notes have.
    public func yaml(from source: ThemeFile? = nil) throws -> String {
        var tree = try Node(writing: self)
        var chimes = tree.mapping?["chimes"] ?? .emptyMapping
        let instrument = chimes.takeInstrument(given: try source?.instrument() ?? [])
        tree.put("chimes", chimes)
        if var curve = tree.mapping?["toneCurve"] {
            for field in ["start", "cap"] { curve.nameNote(in: field) }
            curve.put("points", curve.mapping?["points"]?.mapped { $0.nameNote(in: "frequency") })
            tree.put("toneCurve", curve)
        }
        var lines: [String] = []
        for name in ["name", "ceiling", "toneFade"] {
            guard let value = tree.mapping?[name] else { continue }
            lines.append("\(name): \(value.flow)\(Self.remarks[name, default: ""])")
        }
        if let partials = tree.mapping?["tonePartials"]?.sequence {
            lines.append("tonePartials:  # ratio: whole, of the tone's frequency; level in dB below the tone's")
            lines += partials.map { "  - \($0.flow)" }
        }
        if !instrument.isEmpty {
            lines.append("\ninstrument:  # of notes that do not say otherwise: level in dBFS, attack and decay in s, partials as below")
            lines += instrument.map { Self.entry($0.name, $0.value) }.joined()
        }
        for name in ["toneCurve", "chimes", "textures", "haptics"] where tree.mapping?[name] != nil || !missing(name).isEmpty {
            let isPoints = name == "toneCurve" && !toneCurve.isStraight
            lines.append("\n\(name):\(Self.remarks[isPoints ? "points" : name, default: ""])")
            let entries = tree.mapping?[name]?.mapping?.map { (key: $0.key.flow, value: $0.value) } ?? []
            for (key, value) in entries.sorted(by: { $0.key < $1.key && name != "toneCurve" }) { lines += Self.entry(key, value) }
            for missing in missing(name) { lines.append("  \(Node(missing).flow): none") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let remarks = [
        "ceiling": "  # dBFS: no sample passes it", "toneFade": "  # s, at each end of the tone",
        "toneCurve": "  # start and cap in Hz or notes, quietest and loudest in dBFS, views in cards",
        "points": "  # views in cards, the first 0; frequency in Hz or a note, level in dBFS",
        "chimes": "  # start, attack and decay in s, frequency in Hz or a note; of partials as multiples, and dB below the note",
        "textures": "  # levels in dB, frequencies in Hz, times in s",
        "haptics": "  # time and duration in s, intensity and sharpness 0 to 1",
    ]

    /// Returns the lines of a key and its value. A list gets a line for each of its elements.
    private static func entry(_ key: String, _ value: Node) -> [String] {
        guard let list = value.sequence, !list.isEmpty else { return ["  \(key): \(value.flow)"] }
        return ["  \(key):"] + list.map { "    - \($0.flow)" + ($0.note.map { "  # \($0)" } ?? "") }
    }

    /// Lists the names in the standard theme that this theme lacks.
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
    /// Makes a tree of a value as it is written to a file, with all digits of its numbers.
    init(writing value: some Encodable) throws {
        // Yams writes 15 digits of a number, which is too few for some. JSON is also YAML and has all digits, but loses the fields' order.
        let numbers = try Parser(yaml: String(decoding: JSONEncoder().encode(value), as: UTF8.self)).singleRoot()
        self = (try Parser(yaml: YAMLEncoder().encode(value)).singleRoot() ?? .emptyMapping).withNumbers(of: numbers)
    }

    /// Returns a copy of this tree in which each number is replaced by that of `other`, a tree of the same value whose numbers have all
    /// digits.
    private func withNumbers(of other: Node?) -> Node {
        switch (self, other) {
        case (.mapping(let own), .mapping(let others)?):
            let values = Dictionary(others.map { ($0.key.string, $0.value) }) { first, _ in first }
            return .mapping(.init(own.map { ($0.key, $0.value.withNumbers(of: values[$0.key.string])) }, own.tag, own.style, own.mark))
        case (.sequence(let own), .sequence(let others)?):
            return .sequence(.init(zip(own, others).map { $0.withNumbers(of: $1) }, own.tag, own.style, own.mark))
        case (.scalar, .scalar(let exact)?) where exact.style == .plain: return .scalar(exact)
        default: return self
        }
    }

    /// Removes from a theme's chimes the values that most notes share, and returns these values. Replaces frequencies that are exactly a
    /// note's by its name. `given` holds the values of an existing instrument.
    fileprivate mutating func takeInstrument(given: [(name: String, value: Node)]) -> [(name: String, value: Node)] {
        guard case .mapping(let chimes) = self else { return [] }
        let notes = chimes.values.flatMap { Array($0.sequence ?? []) }
        let common = ["level", "attack", "decay", "partials"].compactMap { field -> (name: String, value: Node)? in
            if let value = given.first(where: { $0.name == field })?.value { return (field, value) }
            let values = notes.compactMap { $0.mapping?[field] }
            let counts = Dictionary(grouping: values, by: \.flow)
            // Of several values that are equally frequent, the first is taken.
            guard let most = counts.values.map(\.count).max(), most > 1 else { return nil }
            return values.first { counts[$0.flow]?.count == most }.map { (field, $0) }
        }
        for (name, chime) in chimes {
            guard let name = name.string else { continue }
            put(name, chime.mapped { note in
                for shared in common where note.mapping?[shared.name]?.flow == shared.value.flow { _ = note.take(shared.name) }
                if note.mapping?["start"]?.flow == "0" { _ = note.take("start") }
                note.nameNote(in: "frequency")
                if var glide = note.mapping?["glide"] {
                    glide.nameNote(in: "to")
                    note.put("glide", glide)
                }
            })
        }
        return common
    }

    /// Replaces the frequency in this mapping's field `field` by the name of its note, if that name stands for exactly the same number.
    fileprivate mutating func nameNote(in field: String) {
        guard let scalar = mapping?[field]?.scalar, let value = Double.construct(from: scalar), value >= 20 else { return }
        let name = NoteName.nearest(to: Hertz(value)).name
        guard let note = NoteName(name), Fault.plain(note.frequency.rawValue) == Fault.plain(value) else { return }
        put(field, Node(name, Tag(.implicit), .plain))
    }

    /// The name of the note within one cent of the frequency, as a remark in the file; nil where there is none.
    fileprivate var note: String? {
        guard let scalar = mapping?["frequency"]?.scalar, let value = Double.construct(from: scalar), value >= 20 else { return nil }
        let (name, cents) = NoteName.nearest(to: Hertz(value))
        return abs(cents) < 1 ? name : nil
    }

    /// The value on one line, with numbers as people write them.
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
        let isPlain = scalar.string.utf8.allSatisfy { ThemeName.isPlain($0) || "._-/#".utf8.contains($0) } && scalar.string.first != "#"
        // Text that the encoder has quoted would mean something else without quotes.
        return isPlain && scalar.style == .plain ? scalar.string : quoted(scalar.string)
    }

    /// Returns text in double quotes, as YAML writes it.
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
