import Fields
import Yams

/// A YAML file as a tree of mappings, lists and single values, each with its line.
///
/// Aliases are refused before the parser sees them. With aliases, a small file could stand for a huge tree, and the parser itself would
/// compare such a tree where it is a key. Without aliases, the tree is no larger than the file, and libyaml limits its nesting to 1,000.
public struct YAMLTree {
    /// The top of the tree: a mapping whose keys are text.
    public let root: Node
    /// The file's name, for faults.
    public let file: String

    /// The largest number of keys in one mapping.
    private static let mostKeys = 256
    /// The largest number of values in a file: enough for any theme or settings, and quick to read.
    private static let mostValues = 20_000
    /// The largest number of times that the values of a file are read in order to find all its faults.
    private static let mostReadings = 100

    /// Reads a file's bytes. A file that contains only comments is an empty mapping. Throws `FileFault`. For text that is not YAML this is
    /// one fault, at the place where libyaml gives up.
    public init(_ bytes: [UInt8], file: String) throws {
        let text = try Self.text(bytes, file: file)
        if let alias = Self.alias(bytes) {
            let fault = Fault(field: "", expected: "no aliases", found: "*\(alias.name)")
            throw FileFault(file: file, line: alias.line, fault: fault)
        }
        let node: Node?
        do {
            node = try Parser(yaml: text).singleRoot()
        } catch let error as YamlError {
            throw FileFault(file: file, error, in: text)
        }
        self.file = file
        let mapping: Node
        switch node {
        case .mapping(let found)?: mapping = .mapping(found)
        // A file that contains only comments.
        case nil: mapping = Self.nothing
        case .scalar(let scalar)? where scalar.string.isEmpty: mapping = Self.nothing
        default:
            let fault = Fault(field: "", expected: "key: value, with a space after each colon", found: node.map { Self.kind(of: $0) })
            throw FileFault(file: file, line: node?.mark?.line, fault: fault)
        }
        var count = 0
        root = try Self.plain(mapping, at: "", of: file, &count)
    }

    /// Creates a tree from nodes that have been read already.
    public init(_ pairs: [(Node, Node)], file: String) {
        root = Node(pairs)
        self.file = file
    }

    /// Returns the text of a file, without the byte order mark that some editors write in front. Throws `FileFault` where the file is not
    /// UTF-8.
    public static func text(_ bytes: [UInt8], file: String) throws -> String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if let text = String(validating: bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0), as: UTF8.self) { return text }
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw FileFault(file: file, fault: Fault(field: "", expected: "UTF-8", found: "UTF-16"))
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        throw FileFault(file: file, line: line.map { $0 + 1 }, fault: Fault(field: "", expected: "UTF-8", found: "another encoding"))
    }

    private static var nothing: Node { Node(fields: []) }

    private static func kind(of node: Node) -> String { node.scalar.map { "\"\($0.string.prefix(40))\"" } ?? "a list" }

    /// Returns the line, counted from 1, of the value at a path such as `chimes.ding[0].level`. Where there is no such value, it is the
    /// line of the innermost part of the path that exists; nil where no part does.
    public func line(of field: String) -> Int? { root.path(to: field).line }

    /// Returns the file and the line of the value at the path `field`, for instance `thrum.yaml:3`; the file alone where no part of the
    /// path exists.
    public func location(of field: String) -> String { file + (line(of: field).map { ":\($0)" } ?? "") }

    public func located(_ fault: Fault) -> FileFault { FileFault(file: file, line: line(of: fault.field), fault: fault.explained) }

    public var keys: [String] { root.mapping?.keys.compactMap(\.string) ?? [] }

    /// Returns the text of a single value; nil when the key is missing. Throws `FileFault` for a list or mapping.
    public func value(_ key: String) throws -> String? {
        guard let node = root.mapping?[key] else { return nil }
        guard let scalar = node.scalar else { throw located(Fault(field: key, expected: "a single value", found: "a list or mapping")) }
        return scalar.string
    }

    /// Decodes a value from the whole file. Throws `FileFault` with all faults.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try read { node, removedFields in
            do {
                return try YAMLDecoder().decode(type, from: node, userInfo: [.removedFields: removedFields])
            } catch DecodingError.dataCorrupted(let context) {
                throw (context.underlyingError as? Fault) ?? Fault(field: "", expected: "YAML", found: context.debugDescription)
            }
        }
    }

    /// Returns what `reading` makes of the root. `reading` must throw a `Fault` for the first fault that it finds, and pass the
    /// `RemovedFields` on to its decoder. Throws `FileFault` with all faults.
    public func read<Value>(_ reading: (Node, RemovedFields) throws -> Value) throws -> Value {
        do {
            return try reading(root, RemovedFields())
        } catch let first as Fault {
            throw try faults(first, reading)
        }
    }

    /// Finds all faults: reads the tree again and again, each time without the faulty parts, until nothing is wrong. The number of faults
    /// is limited, because each one costs a reading of all values.
    private func faults<Value>(_ first: Fault, _ reading: (Node, RemovedFields) throws -> Value) throws -> FileFault {
        var found = [located(first)]
        var repaired = RepairedTree(root)
        var fault = first
        for _ in 0..<min(Self.mostReadings, 1 + Self.mostValues / root.count) {
            guard repaired.leaveOut(fault) else { break }
            do {
                _ = try reading(repaired.root, repaired.removedFields)
                break
            } catch let next as Fault {
                if !repaired.explains(next) { found.append(located(next)) }
                fault = next
            }
        }
        return FileFault(found) ?? located(first)
    }

    /// Returns a copy of `node` without tags, anchors and styles of keys, mappings and lists, so that each key is just its text. Adds the
    /// number of its values to `count`, because a file may have at most `mostValues`. Throws `FileFault` for too many values or keys, and
    /// for forbidden keys.
    private static func plain(_ node: Node, at path: String, of file: String, _ count: inout Int) throws -> Node {
        count += 1
        guard count <= mostValues else {
            let fault = Fault(field: path, expected: "at most \(mostValues) values in all", found: "more")
            throw FileFault(file: file, line: node.mark?.line, fault: fault)
        }
        switch node {
        case .scalar, .alias: return node
        case .sequence(let sequence):
            var nodes: [Node] = []
            for (index, node) in sequence.enumerated() { nodes.append(try plain(node, at: "\(path)[\(index)]", of: file, &count)) }
            return .sequence(.init(nodes, .implicit, .any, sequence.mark))
        case .mapping(let mapping):
            guard mapping.count <= mostKeys else {
                let fault = Fault(field: path, expected: "at most \(mostKeys) keys", found: "\(mapping.count)")
                throw FileFault(file: file, line: mapping.mark?.line, fault: fault)
            }
            var pairs: [(Node, Node)] = []
            for pair in mapping {
                let line = pair.key.mark?.line
                guard case .scalar(let key) = pair.key else {
                    let fault = Fault(field: path, expected: "keys that are text", found: "a list or mapping for one")
                    throw FileFault(file: file, line: line, fault: fault)
                }
                let field = path.isEmpty ? key.string : path + "." + key.string
                // The decoder would treat these keys as merge and default keys.
                guard !["<<", "="].contains(key.string) else {
                    let fault = Fault(field: field, expected: "the name of a field", found: "\"\(key.string)\"")
                    throw FileFault(file: file, line: line, fault: fault)
                }
                pairs.append((.key(key.string, mark: key.mark), try plain(pair.value, at: field, of: file, &count)))
            }
            return .mapping(.init(pairs, .plain, .any, mapping.mark))
        }
    }

    /// Finds the first alias `*name` whose anchor `&name` exists; nil if there is none. Names in comments and in quotes count too.
    private static func alias(_ bytes: [UInt8]) -> (name: String, line: Int)? {
        func isName(_ byte: UInt8) -> Bool {
            let scalar = Unicode.Scalar(byte)
            return scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains(scalar))
        }
        var anchors: Set<ArraySlice<UInt8>> = []
        var aliases: [(name: ArraySlice<UInt8>, line: Int)] = []
        var line = 1
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "*") else { continue }
            let name = bytes[(index + 1)...].prefix(while: isName)
            guard !name.isEmpty else { continue }
            if byte == UInt8(ascii: "&") { anchors.insert(name) } else { aliases.append((name, line)) }
        }
        return aliases.first { anchors.contains($0.name) }.map { (String(decoding: $0.name, as: UTF8.self), $0.line) }
    }
}

extension Tag {
    /// The tag of keys, and of mappings in which keys are looked up. Yams compares keys by their tags. The usual tag is found by trying
    /// seven regular expressions; this tag's resolver tries none, because every key is a text.
    static var plain: Tag { Tag(.implicit, .basic) }
}

extension Node {
    /// Creates a mapping with these fields, in this order.
    public init(fields: [(name: String, value: Node)]) {
        self = .mapping(.init(fields.map { (.key($0.name), $0.value) }, .plain))
    }

    static func key(_ name: String, mark: Mark? = nil) -> Node { .scalar(.init(name, .plain, .any, mark)) }

    /// The value in YAML's notation on one line, with braces and brackets, and without quotes.
    public var inOneLine: String {
        switch self {
        case .scalar(let scalar): scalar.string
        case .mapping(let mapping): "{" + mapping.map { "\($0.key.inOneLine): \($0.value.inOneLine)" }.joined(separator: ", ") + "}"
        case .sequence(let sequence): "[" + sequence.map(\.inOneLine).joined(separator: ", ") + "]"
        case .alias: ""
        }
    }
}
