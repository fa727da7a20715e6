import Fields
import Files
import Signals
import SystemPackage
import YAML
import Yams

/// A theme that was read from a YAML file. What the file leaves out is taken from the standard theme.
public struct ThemeFile {
    /// Reads the AHAP file at a path. Throws `Fault` for its faults, and `Errno`.
    public typealias PatternReader = (FilePath) throws -> HapticPattern

    public static let largest = 1 << 20

    public let path: FilePath
    public let theme: Theme
    private let tree: YAMLTree

    /// Reads a file. Throws `FileFault` with all its faults, and `Errno` where it cannot be read.
    public init(_ path: FilePath, readingPattern: PatternReader) throws {
        try self.init(Self.bytes(of: path), path: path, readingPattern: readingPattern)
    }

    /// Reads the bytes of the file at `path`. Paths in them are relative to its folder. Throws as for a file.
    public init(_ bytes: [UInt8], path: FilePath, readingPattern: PatternReader) throws {
        self.path = path
        guard bytes.count <= Self.largest else { throw FileFault(file: path.string, fault: Fault(field: "", expected: "at most 1 MiB")) }
        tree = try YAMLTree(bytes, file: path.string)
        theme = try tree.read { root, removedFields in
            try Self.theme(root, removedFields, stem: path.stem ?? "", folder: path.removingLastComponent(), readingPattern)
        }
    }

    /// Returns the line of a field, counted from 1; nil when the file leaves the field out. `field` is a path such as
    /// `chimes.ding[0].level`.
    public func line(of field: String) -> Int? { tree.line(of: field) }

    /// Returns the values of the file's `instrument` with all their fields; empty where the file has no instrument.
    func instrument() throws -> [(name: String, value: Node)] {
        guard let given = tree.root.mapping?["instrument"] else { return [] }
        let note = Node([Node(fields: [("frequency", number(440))])])
        let notes = try Instrument(given).playing(note, at: "instrument").decoded(as: [ChimeNote].self)
        let whole = try notes.first.map { try Node(writing: $0) }?.mapping
        return given.mapping?.compactMap { key, _ in key.string.flatMap { name in whole?[name].map { (name, $0) } } } ?? []
    }

    private static func theme(_ root: Node, _ removedFields: RemovedFields, stem: String, folder: FilePath,
                              _ readingPattern: PatternReader) throws -> Theme {
        var draft = try ThemeDraft(root, removedFields, stem: stem)
        try draft.readFiles(of: folder, readingPattern)
        let theme = draft.theme
        try theme.checkHaptics()
        guard ThemeName.isValid(theme.name) else {
            let isGiven = root.mapping?["name"] != nil
            throw Fault(field: isGiven ? "name" : "", expected: (isGiven ? "" : "a file called by ") + ThemeName.rule,
                        found: "\"\(theme.name.prefix(80))\"")
        }
        return theme
    }

    /// Reads the bytes of a file. Throws as `init` does for a file that cannot be read.
    static func bytes(of path: FilePath) throws -> [UInt8] {
        do {
            return try PlainFile.bytes(of: path, atMost: largest)
        } catch let fault as Fault {
            throw FileFault(file: path.string, fault: fault)
        }
    }
}

/// The rule for names of themes.
public enum ThemeName {
    public static let rule = "1 to 64 letters, digits, ., _ and -, the first a letter or digit"

    public static func isValid(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return (1...64).contains(bytes.count) && isPlain(bytes[0]) && bytes.allSatisfy { isPlain($0) || "._-".utf8.contains($0) }
    }

    /// Says whether a byte is an ASCII letter or digit.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
