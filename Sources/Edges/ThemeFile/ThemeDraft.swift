import Fields
import Files
import Signals
import SystemPackage
import Units
import YAML
import Yams

/// A theme that is being read from a file. Fields that the file leaves out are filled in; the files that it names were not read yet.
struct ThemeDraft {
    private(set) var theme: Theme
    /// The paths of AHAP files, by the names of the patterns that they define.
    private let ahaps: [String: String]
    /// The names of the patterns whose events are in the theme's file itself.
    private let inline: [String]

    /// The word that, as the value of a chime, texture or pattern, removes it from the theme.
    private static let nothing = "none"

    private static let fields = ["name", "ceiling", "toneFade", "tonePartials", "toneCurve", "instrument", "chimes", "textures", "haptics"]

    /// Reads a theme's file, but not the files that it names. `stem` is the theme's name if the file has none. Throws `Fault`.
    init(_ root: Node, _ removedFields: RemovedFields, stem: String) throws {
        let standard = Theme.standard
        if let unknown = root.mapping?.keys.compactMap(\.string).first(where: { !Self.fields.contains($0) }) {
            throw Fault.stranger(unknown, named: unknown, beside: Self.fields)
        }
        var root = root
        let instrument = try root.take("instrument").map { try Instrument($0) }
        let hasChimes = root.mapping?["chimes"] != nil
        let chimes = try Self.entries(of: root.take("chimes"), "chimes", known: standard.chimes.keys)
        let textures = try Self.entries(of: root.take("textures"), "textures", known: standard.textures.keys)
        let haptics = try Self.entries(of: root.take("haptics"), "haptics", known: standard.haptics.keys)
        guard instrument == nil || hasChimes else {
            throw Fault(field: "instrument", expected: "chimes of this file to be played on it", found: "none")
        }
        var ahaps: [String: String] = [:]
        for (name, pattern) in haptics {
            guard case .mapping(let mapping)? = pattern, let file = mapping["ahap"] else { continue }
            let path = "haptics.\(name)"
            guard mapping.count == 1 else { throw Fault(field: path, expected: "only ahap, or no ahap", found: "more") }
            guard let text = file.scalar?.string, (1...4_096).contains(text.utf8.count) else {
                throw Fault(field: path + ".ahap", expected: "the path of an AHAP file")
            }
            ahaps[name] = text
        }
        let notes = try chimes.compactMap { name, chime in
            try chime.map { (name, try (instrument ?? Instrument()).playing($0, at: "chimes.\(name)")) }
        }
        let patterns = try haptics.compactMap { name, pattern in
            try ahaps[name] == nil ? pattern.map { (name, try Self.filled(pattern: $0, at: "haptics.\(name)")) } : nil
        }
        self.ahaps = ahaps
        inline = patterns.map(\.0)
        root.fill("name", Node(stem))
        root.fill("toneFade", number(standard.toneFade.rawValue))
        root.fill("ceiling", number(standard.ceiling.rawValue))
        root.fill("toneCurve", .emptyMapping)
        root.put("toneCurve", try root.mapping?["toneCurve"].map { try Self.filled(curve: $0, standard.toneCurve) })
        root.put("chimes", Node(fields: notes))
        root.put("textures", Node(fields: try textures.compactMap { name, texture in
            try texture.map { (name, try Self.filled(texture: $0, at: "textures.\(name)")) }
        }))
        root.put("haptics", Node(fields: patterns))
        theme = try root.decoded(as: Theme.self, removedFields)
        theme.chimes.merge(standard.chimes) { own, _ in own }
        theme.textures.merge(standard.textures) { own, _ in own }
        theme.haptics.merge(standard.haptics) { own, _ in own }
        for (name, chime) in chimes where chime == nil { theme.chimes[name] = nil }
        for (name, texture) in textures where texture == nil { theme.textures[name] = nil }
        for (name, pattern) in haptics where pattern == nil { theme.haptics[name] = nil }
    }

    /// Reads the AHAP files that the theme names, and finds its sound files. Relative paths start at `folder`. Throws `Fault`.
    mutating func readFiles(of folder: FilePath, _ readingPattern: ThemeFile.PatternReader) throws {
        for (name, file) in ahaps.sorted(by: { $0.key < $1.key }) {
            let field = "haptics.\(name).ahap"
            do {
                theme.haptics[name] = try readingPattern(folder.pushing(FilePath(file)))
            } catch let fault as Fault {
                throw Fault(field: fault.field.isEmpty ? field : "\(field): \(fault.field)", expected: fault.expected, found: fault.found)
            } catch let errno as Errno {
                throw Fault(field: field, expected: "an AHAP file that can be read", found: "\"\(file)\": \(errno)")
            }
        }
        for name in inline {
            guard var pattern = theme.haptics[name] else { continue }
            try pattern.findSounds(in: folder, field: "haptics.\(name)")
            theme.haptics[name] = pattern
        }
    }

    /// Lists the names and values in the mapping `node`, which is under the key `field`, in the file's order. A value is nil where the file
    /// has `none`, which removes the entry from the theme; its name must be among `known`.
    private static func entries(of node: Node?, _ field: String, known: some Collection<String>) throws -> [(String, Node?)] {
        guard let node else { return [] }
        guard let mapping = node.mapping else { throw Fault(field: field, expected: "a mapping by name", found: kind(of: node)) }
        return try mapping.map { key, value in
            let name = key.string ?? ""
            guard value.scalar?.string == nothing else { return (name, value) }
            guard known.contains(name) else {
                let names = known.sorted().joined(separator: ", ")
                throw Fault(field: "\(field).\(name)", expected: "one of \(names) to take away",
                            found: "\"\(name)\"" + Spelling.hint(for: name, among: known))
            }
            return (name, nil)
        }
    }

    private static func filled(curve node: Node, _ standard: ToneCurve) throws -> Node {
        var node = node
        if let points = node.mapping?["points"] {
            var index = 0
            node.put("points", try points.mapped { point in
                try point.readNote(in: "frequency", at: "toneCurve.points[\(index)]")
                index += 1
            })
            return node
        }
        try node.readNote(in: "start", at: "toneCurve")
        try node.readNote(in: "cap", at: "toneCurve")
        node.fill("start", number(standard.start.rawValue))
        node.fill("cap", number(standard.cap.rawValue))
        node.fill("quietest", number(standard.quietest.rawValue))
        node.fill("loudest", number(standard.loudest.rawValue))
        node.fill("views", Node("\(standard.views)"))
        return node
    }

    /// Returns a copy of `node`, a texture, with what it leaves out filled in: the values of a soft purr. Pulse, breath, voice and touch
    /// are completed only where the file has them.
    private static func filled(texture node: Node, at field: String) throws -> Node {
        guard node.mapping != nil else { throw Fault(field: field, expected: "a mapping, or none", found: kind(of: node)) }
        var node = node
        node.fill("level", number(-26))
        node.fill("attack", number(0.3))
        node.fill("release", number(0.3))
        node.fill("noise", .emptyMapping)
        if var voice = node.mapping?["voice"] {
            try voice.readNote(in: "frequency", at: "\(field).voice")
            node.put("voice", voice)
        }
        func fill(_ part: String, _ defaults: [(String, Node)]) {
            node.put(part, node.mapping?[part].map { given in
                var filled = given
                for (name, value) in defaults { filled.fill(name, value) }
                return filled
            })
        }
        fill("noise", [("low", number(120)), ("high", number(400))])
        // A missing `rate` must be reported by itself, and not as a fault of `inhaled`.
        let rate = node.mapping?["pulse"]?.mapping?["rate"] ?? number(1)
        fill("pulse", [("inhaled", rate), ("depth", number(1)), ("jitter", number(0)), ("gaps", number(0))])
        fill("breath", [("depth", number(0.5))])
        fill("voice", [("level", number(-18))])
        fill("touch", [("sharpness", number(0.3))])
        return node
    }

    /// Returns a copy of `node`, a pattern, with what its events leave out filled in: the default values of AHAP.
    private static func filled(pattern node: Node, at field: String) throws -> Node {
        guard node.scalar == nil else {
            throw Fault(field: field, expected: "a list of events, a mapping, or none", found: kind(of: node))
        }
        func filled(events: Node?) -> Node? {
            events?.mapped {
                $0.fill("time", number(0))
                $0.fill("intensity", number(1))
                $0.fill("sharpness", number(0.5))
            }
        }
        guard node.mapping != nil else { return filled(events: node) ?? node }
        var node = node
        node.fill("events", Node([Node]()))
        node.put("events", filled(events: node.mapping?["events"]))
        for list in ["controls", "sounds"] { node.put(list, node.mapping?[list]?.mapped { $0.fill("time", number(0)) }) }
        return node
    }
}

extension HapticPattern {
    /// Makes the paths of the pattern's sound files absolute, because a journal stores them. Relative paths start at `folder`. Throws
    /// `Fault` for a file that cannot be read.
    mutating func findSounds(in folder: FilePath, field: String) throws {
        for index in sounds.indices {
            guard case .file(let name) = sounds[index].source else { continue }
            let path = folder.absolutePath(of: name)
            guard let text = String(validating: path) else {
                throw Fault(field: "\(field).sounds[\(index)].file", expected: "a sound file whose whole path is text in UTF-8",
                            found: "\"\(path.shown)\"")
            }
            guard PlainFile.isReadable(text) else {
                throw Fault(field: "\(field).sounds[\(index)].file", expected: "a sound file that can be read", found: "\"\(name)\"")
            }
            sounds[index].source = .file(text)
        }
    }
}

// Fills in what a YAML mapping leaves out. Nodes that are filled in have no line number.
extension Node {
    static var emptyMapping: Node { Node(fields: []) }

    /// Removes the field `name` from this mapping and returns its value; nil where there is no such field.
    mutating func take(_ name: String) -> Node? {
        guard case .mapping(let mapping) = self, let value = mapping[name] else { return nil }
        let others = mapping.filter { $0.key.string != name }.map { ($0.key, $0.value) }
        self = .mapping(.init(others, mapping.tag, .any, mapping.mark))
        return value
    }

    /// Adds the field `name` with `value` to this mapping, if the mapping lacks it. A node that is no mapping stays as it is.
    mutating func fill(_ name: String, _ value: Node) {
        guard case .mapping(let mapping) = self, mapping[name] == nil else { return }
        put(name, value)
    }

    /// Sets the field `name` of this mapping to `value`. Does nothing if `value` is nil or the node is no mapping.
    mutating func put(_ name: String, _ value: Node?) {
        guard case .mapping(var mapping) = self, let value else { return }
        mapping[name] = value
        self = .mapping(mapping)
    }

    /// Returns a copy of this list with `change` applied to each element; returns a node that is no list unchanged.
    func mapped(_ change: (inout Node) throws -> Void) rethrows -> Node {
        guard case .sequence(let sequence) = self else { return self }
        let nodes = try sequence.map { node in
            var node = node
            try change(&node)
            return node
        }
        return .sequence(.init(nodes, .implicit, .any, sequence.mark))
    }

    /// Decodes a value from the node. Throws `Fault`.
    func decoded<Value: Decodable>(as type: Value.Type, _ removedFields: RemovedFields = RemovedFields()) throws -> Value {
        do {
            return try YAMLDecoder().decode(type, from: self, userInfo: [.removedFields: removedFields])
        } catch DecodingError.dataCorrupted(let context) {
            throw (context.underlyingError as? Fault) ?? Fault(field: "", expected: "a theme", found: context.debugDescription)
        }
    }
}

func number(_ value: Double) -> Node { Node(Fault.plain(value)) }

/// Returns the kind of a node in a word or two, for a fault's message.
func kind(of node: Node) -> String {
    switch node {
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .scalar(let scalar) where scalar.string.isEmpty: "nothing"
    case .scalar(let scalar): "\"\(scalar.string.prefix(40))\""
    case .alias: "an alias"
    }
}
