import Fields
import Files
import Glibc
import SystemPackage
import YAML
import Yams

/// The settings files, the most important first: a key has the value from the first file that has the key.
public struct SettingsFiles {
    /// A file's path, and its text when it was read.
    public struct File: Codable, Equatable, Sendable {
        public var path: String
        public var text: String

        public init(path: String, text: String) {
            self.path = path
            self.text = text
        }
    }

    /// The text of a value, and the file in which it is.
    public struct Value {
        public var text: String
        public var file: YAMLTree
    }

    public static let largest = 1 << 20
    private let files: [YAMLTree]
    /// The files as they were when the program started, in which alone `earlierKeys` are looked up.
    private let earlier: [YAMLTree]
    private let earlierKeys: Set<String>

    /// Reads `files` as YAML, the most important first. The keys in `keys` are looked up in the files `earlier` instead. Throws `FileFault`
    /// for all files that are not YAML.
    public init(_ files: [File], earlier: [File] = [], for keys: Set<String> = []) throws {
        self.files = try Self.trees(files)
        self.earlier = try Self.trees(earlier)
        earlierKeys = keys
    }

    private static func trees(_ files: [File]) throws -> [YAMLTree] {
        var faults: [FileFault] = []
        var trees: [YAMLTree] = []
        for file in files {
            do {
                trees.append(try YAMLTree(Array(file.text.utf8), file: file.path))
            } catch let fault as FileFault {
                faults.append(fault)
            }
        }
        if let fault = FileFault(faults) { throw fault }
        return trees
    }

    /// Returns the files in which a key is looked up.
    private func files(for key: String) -> [YAMLTree] { earlierKeys.contains(key) ? earlier : files }

    /// Returns the paths of settings files, the most important first: `$XDG_CONFIG_HOME/thrum/thrum.yaml`, or
    /// `$HOME/.config/thrum/thrum.yaml` without that variable; then `/etc/thrum/thrum.yaml`.
    public static func standardPaths(_ environment: [String: String]) -> [FilePath] {
        [FilePath.userFolder(environment), "/etc/thrum"].compactMap { $0?.appending("thrum.yaml") }
    }

    /// Reads those of `paths` that exist. Throws `FileFault` for all that exist but cannot be read or are empty.
    public static func read(_ paths: [FilePath]) throws -> [File] {
        var faults: [FileFault] = []
        var files: [File] = []
        for path in paths {
            do {
                let file = File(path: path.string, text: try text(of: path))
                // Nobody saves an empty file on purpose: a power cut or a full disk has interrupted saving.
                if file.text.isEmpty, isRegular(path) {
                    let fault = Fault(field: "", expected: "settings, or at least a comment", found: "an empty file")
                    throw FileFault(file: file.path, fault: fault)
                }
                files.append(file)
            } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
                continue
            } catch let fault as FileFault {
                faults.append(fault)
            }
        }
        if let fault = FileFault(faults) { throw fault }
        return files
    }

    private static func isRegular(_ path: FilePath) -> Bool {
        path.information.map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }

    /// Reads the text of a file of at most 1 MiB. Throws `Errno` where there is no such file, else `FileFault`.
    public static func text(of path: FilePath) throws -> String {
        do {
            return try YAMLTree.text(PlainFile.bytes(of: path, atMost: largest), file: path.string)
        } catch let fault as Fault {
            throw FileFault(file: path.string, fault: fault)
        } catch let error as Errno where error != .noSuchFileOrDirectory && error != .notDirectory {
            throw FileFault(file: path.string, fault: Fault(field: "", expected: "a file that can be read", found: "\(error)"))
        }
    }

    /// Finds in all files the keys that are not in `known`, and returns a fault for each. `elsewhere` has, for words that some people write
    /// as keys, the place where they belong.
    public func unknownKeys(besides known: Set<String>, elsewhere: [String: String] = [:]) -> [FileFault] {
        files.flatMap { file in
            file.keys.filter { !known.contains($0) }.map { key in
                let hint = elsewhere[key].map { ", such as \($0)" }
                    ?? Spelling.nearest(to: key, among: known).map { ", such as \($0)" } ?? ""
                return file.located(Fault(field: key, expected: "a key that thrumd knows\(hint)", found: "this one"))
            }
        }
    }

    /// Returns the value of a key that is not a list or mapping; nil when no file has the key. Throws `FileFault` for a list or mapping.
    public func value(_ key: String) throws -> Value? {
        for file in files(for: key) { if let text = try file.value(key) { return Value(text: text, file: file) } }
        return nil
    }

    /// Returns the value of a key, usually a mapping, as text in one line, with its file; nil when no file has the key.
    public func mapping(_ key: String) -> Value? {
        for file in files(for: key) {
            guard let node = file.root.mapping?.first(where: { $0.key.string == key })?.value, !isNothing(node) else { continue }
            return Value(text: node.inOneLine, file: file)
        }
        return nil
    }

    /// Says whether a key has no value, as when all lines of a mapping have become comments.
    private func isNothing(_ node: Node) -> Bool { node.scalar.map { $0.string.isEmpty && $0.style == .plain } ?? false }

    /// Decodes the values of these top-level keys, each from the first file that has the key. Throws `FileFault` with all faults.
    public func decode<Section: Decodable>(_ type: Section.Type, keys: [String]) throws -> Section {
        let pairs = keys.compactMap { key in
            files(for: key).lazy.compactMap { file in
                file.root.mapping?.first { $0.key.string == key && !isNothing($0.value) }.map { ($0.key, $0.value, file) }
            }.first
        }
        do {
            return try YAMLTree(pairs.map { ($0.0, $0.1) }, file: "").decode(type)
        } catch let error as FileFault {
            let located = error.all.map { problem in
                let top = problem.fault.field.prefix { !".[".contains($0) }
                return pairs.first { $0.0.string == String(top) }?.2.located(problem.fault) ?? problem
            }
            throw FileFault(located) ?? error
        }
    }
}
