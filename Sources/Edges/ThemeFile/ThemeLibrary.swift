import Dispatch
import Fields
import Files
import Glibc
import Signals
import Synchronization
import SystemPackage
import YAML

/// All available themes, by name.
public struct ThemeLibrary: Sendable {
    public struct Entry: Sendable {
        public var theme: Theme
        /// The theme's file; nil for the built-in theme.
        public var file: FilePath?
    }

    /// A `ThemeFile.PatternReader` that is called on any thread, several at once.
    public typealias ConcurrentPatternReader = @Sendable (FilePath) throws -> HapticPattern

    /// The extension of a theme file's name.
    public static let suffix = ".yaml"

    /// Says whether `word` looks like the path of a theme's file rather than a theme's name.
    public static func isFile(_ word: String) -> Bool { word.contains("/") || word.hasSuffix(suffix) || word.hasSuffix(".yml") }

    /// The themes in the order of their names.
    public private(set) var entries: [Entry]
    /// The faults of the theme files that cannot be used and were left out. A theme of the same name from an earlier folder is still used.
    public private(set) var problems: [FileFault] = []

    /// Reads every theme in `folders`. Of themes with the same name, the one in the last folder is used, and within a folder the first. A
    /// folder that does not exist has no themes. If a folder stops answering, its remaining themes are left out.
    public init(_ folders: [FilePath], readingPattern: @escaping ConcurrentPatternReader) {
        var byName = [Theme.standard.name: Entry(theme: .standard, file: nil)]
        for folder in folders {
            var seen: [String: FilePath] = [:]
            let paths: [FilePath]
            do {
                paths = try BlockingWork.wait { Self.files(of: folder) }
            } catch {
                problems.append(Self.unreadable(folder, error))
                continue
            }
            for (path, file) in Self.read(paths, readingPattern) {
                do {
                    let found = try file.get()
                    let name = found.theme.name
                    if let other = seen[name] {
                        let fault = Fault(field: "name", expected: "a name that \(other) does not have", found: "\"\(name)\"")
                        throw FileFault(file: path.string, line: found.line, fault: fault)
                    }
                    seen[name] = path
                    byName[name] = Entry(theme: found.theme, file: path)
                } catch let problem as FileFault {
                    problems += problem.all
                } catch {
                    problems.append(Self.unreadable(path, error))
                }
            }
        }
        entries = byName.values.sorted { $0.theme.name < $1.theme.name }
    }

    /// A theme that was read from a file.
    private struct Found {
        var theme: Theme
        /// The line of the theme's name, counted from 1; nil where the file leaves the name out.
        var line: Int?
    }

    /// Reads themes on all processors, because the start of `thrumd` waits for this. After a file that does not answer, the rest are left
    /// out: each of them would be waited for as long, in vain.
    private static func read(_ paths: [FilePath], _ readingPattern: @escaping ConcurrentPatternReader)
        -> [(path: FilePath, file: Result<Found, any Error>)] {
        var files: [(path: FilePath, bytes: Result<[UInt8], any Error>)] = []
        for path in paths {
            let bytes = Result { try ThemeFile.bytes(of: path) }
            files.append((path, bytes))
            if case .failure(let fault as FileFault) = bytes, fault.fault == BlockingWork.noAnswer { break }
        }
        let found = Mutex<[Int: Result<Found, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: files.count) { [files] number in
            let (path, bytes) = files[number]
            let result = Result {
                let file = try ThemeFile(bytes.get(), path: path, readingPattern: readingPattern)
                return Found(theme: file.theme, line: file.line(of: "name"))
            }
            found.withLock { $0[number] = result }
        }
        return found.withLock { found in files.indices.compactMap { number in found[number].map { (files[number].path, $0) } } }
    }

    private static func unreadable(_ path: FilePath, _ error: any Error) -> FileFault {
        FileFault(file: path.string, fault: error as? Fault ?? Fault(field: "", expected: "a file that can be read", found: "\(error)"))
    }

    /// Returns the usual folders of themes, from the given environment: the program's, the machine's, the user's, and `extra`. A later
    /// folder takes precedence.
    public static func folders(_ environment: [String: String], extra: FilePath? = nil) -> [FilePath] {
        [ProgramFiles.folder("themes"), "/etc/thrum/themes", ownFolder(environment), extra].compactMap { $0 }
    }

    /// Returns the user's folder of themes, which need not exist; nil where the environment variables name none.
    public static func ownFolder(_ environment: [String: String]) -> FilePath? {
        FilePath.userFolder(environment)?.appending("themes")
    }

    public subscript(name: String) -> Entry? { entries.first { $0.theme.name == name } }

    public var names: [String] { entries.map(\.theme.name) }

    /// Lists a folder's theme files in the order of their names. Leaves out hidden files, and entries that are no regular files.
    private static func files(of folder: FilePath) -> [FilePath] {
        let names = ((try? folder.names()) ?? []).filter { $0.string.hasSuffix(suffix) && !$0.string.hasPrefix(".") }
        return names.map { folder.pushing($0) }.filter { $0.information.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }
            .sorted { $0.string < $1.string }
    }
}
