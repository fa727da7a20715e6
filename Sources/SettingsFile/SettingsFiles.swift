import Signals
import SystemPackage
import YAML
import Yams

/// The settings files, one over the other: a key counts where it is found first.
public struct SettingsFiles {
    /// A file as it was read.
    public struct File: Codable, Equatable, Sendable {
        public var path: String
        public var text: String

        public init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// A single value, and where it is.
    public struct Value {
        public var text: String
        public var file: YAMLTree
    }

    public static let largest = 1 << 20
    private let files: [YAMLTree]

    /// The first wins. Throws `FileFault`.
    public init(_ files: [File]) throws { self.files = try files.map { try YAMLTree(Array($0.text.utf8), file: $0.path) } }

    /// Where settings are, the first of which wins: `$XDG_CONFIG_HOME/thrum/thrum.yaml`, or the like under `$HOME`, then
    /// `/etc/thrum/thrum.yaml`.
    public static func standardPaths(_ environment: [String: String]) -> [FilePath] {
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        return [home.map { FilePath($0).appending("thrum/thrum.yaml") }, "/etc/thrum/thrum.yaml"].compactMap { $0 }
    }

    /// Those of `paths` that are there. Throws `FileFault` for one that is and cannot be read.
    public static func read(_ paths: [FilePath]) throws -> [File] {
        try paths.compactMap { path in
            do {
                return File(path: path.string, text: try text(of: path))
            } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
                return nil
            }
        }
    }

    /// Throws `Errno` where there is no such file, else `FileFault`.
    public static func text(of path: FilePath) throws -> String {
        do {
            let file = try FileDescriptor.open(path, .readOnly)
            return try file.closeAfter {
                var bytes: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 65_536)
                while bytes.count <= largest {
                    let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
                    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                    bytes += piece[..<count]
                }
                throw FileFault(file: path.string, fault: Fault(field: "", expected: "at most 1 MiB"))
            }
        } catch let error as Errno where error != .noSuchFileOrDirectory && error != .notDirectory {
            throw FileFault(file: path.string, fault: Fault(field: "", expected: "a file that can be read", found: "\(error)"))
        }
    }

    /// Every key of every file that is not among `known`.
    public func strangers(to known: Set<String>) -> [FileFault] {
        files.flatMap { file in
            file.keys.filter { !known.contains($0) }.map { key in
                let near = known.min { Self.distance($0, key) < Self.distance($1, key) }
                let hint = near.flatMap { Self.distance($0, key) <= 3 ? ", such as \($0)" : nil } ?? ""
                return file.located(Fault(field: key, expected: "a key that thrumd knows\(hint)", found: "this one"))
            }
        }
    }

    /// Nil when no file has it. Throws `FileFault`.
    public func value(_ key: String) throws -> Value? {
        for file in files { if let text = try file.value(key) { return Value(text: text, file: file) } }
        return nil
    }

    /// Reads what has these top-level keys, each from the first file that has it. Throws `FileFault`.
    public func decode<Section: Decodable>(_ type: Section.Type, keys: [String]) throws -> Section {
        let pairs = keys.compactMap { key in
            files.lazy.compactMap { file in file.root.mapping?.first { $0.key.string == key }.map { ($0.key, $0.value, file) } }.first
        }
        do {
            return try YAMLTree(pairs.map { ($0.0, $0.1) }, file: "").decode(type)
        } catch let error as FileFault {
            let top = error.fault.field.prefix { !".[".contains($0) }
            guard let file = pairs.first(where: { $0.0.string == String(top) })?.2 else { throw error }
            throw file.located(error.fault)
        }
    }

    /// Letters to be added, left out or changed: Levenshtein's.
    private static func distance(_ a: String, _ b: String) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let change = x == y ? diagonal : diagonal + 1
                diagonal = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
