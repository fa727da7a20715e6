import Dispatch
import Fields
import Files
import Glibc
import Signals
import Synchronization
import SystemPackage
import YAML

/// The themes there are, by name.
public struct ThemeLibrary: Sendable {
    public struct Entry: Sendable {
        public var theme: Theme
        /// Nil for the one that is built in.
        public var file: FilePath?
    }

    /// A `ThemeFile.PatternReader` that is called on any thread, for several themes at a time.
    public typealias ConcurrentPatternReader = @Sendable (FilePath) throws -> HapticPattern

    /// What themes' files are called, but for their name.
    public static let suffix = ".yaml"

    /// Whether somebody may mean a theme's file by `word`, which may be a name.
    public static func isFile(_ word: String) -> Bool { word.contains("/") || word.hasSuffix(suffix) || word.hasSuffix(".yml") }

    /// In the order of their names.
    public private(set) var entries: [Entry]
    /// Of files that are not among them for it; one of the same name from an earlier folder stays.
    public private(set) var problems: [FileFault] = []

    /// Reads every theme of `folders`: of two with one name that of the later folder counts, and of two in one folder the first.
    /// Folders that are not there have none. Of a folder that stops answering the rest is left out.
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

    /// A theme of a file.
    private struct Found {
        var theme: Theme
        /// The line that names it.
        var line: Int?
    }

    /// On all processors: the start of `thrumd` waits for it. After a file that does not answer the rest is left out, because each would be
    /// waited for as long, and in vain.
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

    /// The usual folders by these environment variables, the one that counts most last: the program's, the machine's, the user's, and
    /// `extra`.
    public static func folders(_ environment: [String: String], extra: FilePath? = nil) -> [FilePath] {
        [ProgramFiles.folder("themes"), "/etc/thrum/themes", ownFolder(environment), extra].compactMap { $0 }
    }

    /// The user's; nil where these environment variables name none. It need not be there.
    public static func ownFolder(_ environment: [String: String]) -> FilePath? {
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        return home.map { FilePath($0).appending("thrum/themes") }
    }

    public subscript(name: String) -> Entry? { entries.first { $0.theme.name == name } }

    public var names: [String] { entries.map(\.theme.name) }

    /// In the order of their names; hidden ones and what is no regular file are passed over.
    private static func files(of folder: FilePath) -> [FilePath] {
        let names = ((try? folder.names()) ?? []).filter { $0.string.hasSuffix(suffix) && !$0.string.hasPrefix(".") }
        return names.map { folder.pushing($0) }.filter { $0.information.map { $0.st_mode & S_IFMT == S_IFREG } ?? false }
            .sorted { $0.string < $1.string }
    }
}
