import Fields
import Files
import Haptics
import Signals
import SystemPackage

/// AHAP files on disk.
public enum PatternFile {
    /// The extension of a pattern file's name.
    public static let suffix = ".ahap"

    private static let longest = 1 << 20

    /// Reads a file of at most 1 MiB, and makes the paths of its sounds absolute. Throws `Fault` for a wrong content, and `Errno`.
    public static func read(_ path: FilePath) throws -> AHAP {
        try AHAP(PlainFile.bytes(of: path, atMost: longest)) { name in
            // The path is absolute, because a journal stores it.
            let sound = path.removingLastComponent().absolutePath(of: name)
            guard let text = String(validating: sound) else { return nil }
            return PlainFile.isReadable(text) ? text : nil
        }
    }
}

/// A folder of AHAP files. Each is a pattern with the name of its file.
public struct PatternFolder: Sendable {
    public private(set) var patterns: [String: HapticPattern] = [:]
    /// For each file with fields that its reader has ignored, the paths of these fields.
    public private(set) var ignored: [(file: String, paths: [String])] = []

    /// Reads every AHAP file of a folder except hidden ones. Throws `Fault` with the file, and the path of the field in it.
    public init(_ folder: FilePath) throws {
        let names: [FilePath]
        do {
            names = try BlockingWork.wait { try folder.names() }
                .filter { $0.string.hasSuffix(PatternFile.suffix) && !$0.string.hasPrefix(".") }.sorted { $0.string < $1.string }
        } catch let fault as Fault {
            throw Fault(field: "patterns: \(folder)", expected: fault.expected, found: fault.found)
        } catch {
            throw Fault(field: "patterns", expected: "a folder of AHAP files", found: "\"\(folder)\"")
        }
        for name in names {
            let path = folder.pushing(name)
            guard let name = String(validating: name) else {
                throw Fault(field: path.shown, expected: "a name in UTF-8, because the pattern has it, too")
            }
            do {
                let ahap = try PatternFile.read(path)
                patterns[String(name.dropLast(PatternFile.suffix.count))] = ahap.pattern
                if !ahap.ignored.isEmpty { ignored.append((name, ahap.ignored)) }
            } catch let fault as Fault {
                let field = fault.field.isEmpty ? "\(path)" : "\(path): \(fault.field)"
                throw Fault(field: field, expected: fault.expected, found: fault.found)
            } catch {
                throw Fault(field: "\(path)", expected: "a file that can be read", found: "\(error)")
            }
        }
    }
}
