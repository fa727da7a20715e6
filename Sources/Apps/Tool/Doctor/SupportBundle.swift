import Files
import FoundationEssentials
import Glibc
import JournalFile
import Processes
import SystemPackage

/// A folder for what `thrum support` collects. The folder is deleted with the object. Thread: one at a time.
///
/// What cannot be collected is noted, and everything else is collected all the same. Each part comes from a program of its own, so that a
/// part that hangs can be ended.
final class SupportBundle {
    /// The largest size that all journals in the bundle may have together, in bytes before compression.
    private static let room: Int64 = 64 << 20

    /// Notes on what could not be collected, one line each.
    private(set) var notes: [String] = []
    /// The temporary folder. It contains only the bundle's folder.
    private let parent: FilePath
    private let name: String
    private let environment: [String: String]
    private let time: SupportTime
    private let start = ContinuousClock.now

    /// The seconds that have passed since the object was made.
    private var elapsed: Int32 { Int32(clamping: start.duration(to: .now).components.seconds) }

    private var folder: FilePath { parent.appending(name) }

    /// Makes the folder, which only this user may read. `within` is the time for the whole bundle, in seconds; nil where it is not limited.
    /// Throws `Errno`.
    init(named name: String, within: Int32?, in environment: [String: String]) throws {
        self.name = name
        time = SupportTime(whole: within)
        self.environment = environment
        var template = Array(((environment["TMPDIR"] ?? "/tmp") + "/thrum-support-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        parent = template.withUnsafeBufferPointer { $0.baseAddress.map { FilePath(platformString: $0) } ?? "" }
        try parent.appending(name).makeDirectories(lastMode: 0o700)
    }

    deinit { try? FileManager.default.removeItem(atPath: parent.string) }

    func note(_ text: String) { notes.append(text) }

    /// Adds the file `file` with what `program` writes to its standard output, but without secrets. Notes what goes wrong.
    func add(_ file: String, from program: String, _ words: [String]) {
        let path = folder.appending(file)
        let command = ([FilePath(program).lastComponent?.string ?? program] + words).joined(separator: " ")
        do {
            let output = try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            let ended = try output.closeAfter {
                try FinishedProcess(running: program, words, environment: environment, output: output, timeout: time.part(after: elapsed))
            }
            let text = String(decoding: try readAll(path), as: UTF8.self)
            try write(Self.withoutSecrets(text), to: path)
            // A status of 1 is an answer of `thrum status` and `thrum doctor`. Whatever is killed has 128 and more.
            if text.isEmpty || ended.status >= 128 || !ended.complaint.isEmpty {
                note("\(file): \(command): exit status \(ended.status)" + (ended.complaint.isEmpty ? "" : ": \(ended.complaint)"))
            }
        } catch {
            note("\(file): \(command): \(error)")
        }
    }

    /// Returns the decoded content of a file that was added; nil where it cannot be decoded.
    func decode<Content: Decodable>(_ type: Content.Type, from file: String) -> Content? {
        try? JSONDecoder().decode(type, from: Data(try readAll(folder.appending(file))))
    }

    /// Adds the newest journals of a folder: at most `count`, and at most 64 MiB.
    func add(journalsIn sessions: FilePath, atMost count: Int) {
        do {
            var room = Self.room
            let newest = try SessionFolder(sessions).sessions().suffix(count).reversed()
            try folder.appending("journals").makeDirectories(lastMode: 0o700)
            for session in newest {
                room -= session.bytes
                guard room >= 0 else { return note("journals: those before \(session.path.shown) are left out, because there is no room") }
                guard PlainFile.isReadable(session.path.string), let file = session.path.lastComponent else {
                    note("journals: \(session.path.shown): cannot be read")
                    continue
                }
                // A link, which tar follows: a journal is not copied twice.
                try FileManager.default.createSymbolicLink(atPath: folder.appending("journals").appending(file).string,
                                                           withDestinationPath: Self.absolute(session.path).string)
            }
        } catch {
            note("journals: \(sessions.shown): \(error)")
        }
    }

    /// Writes the folder as a compressed tar archive. Throws an exit status.
    func pack(into file: FileDescriptor) throws {
        let words = ["--create", "--gzip", "--dereference", "--warning=no-file-changed", "--directory", parent.string, name]
        do {
            if !notes.isEmpty { try write(Self.withoutSecrets(notes.joined(separator: "\n") + "\n"), to: folder.appending("notes.txt")) }
            let ended = try FinishedProcess(running: "tar", words, environment: environment, output: file,
                                            timeout: time.packing(after: elapsed))
            // With 1 a journal has grown meanwhile, and is there as far as it was read.
            guard ended.status <= 1 else { throw failure("tar: \(ended.complaint)", Exit.cannotCreate) }
        } catch let errno as Errno {
            throw failure("tar: \(errno)", Exit.cannotCreate)
        }
    }

    /// Returns the text without the secrets that addresses may contain, such as that of a kiosk's page: `#token=…`.
    static func withoutSecrets(_ text: String) -> String {
        text.replacing(/([#?&](?:token|code|secret|word)=)[^\s&"'#,;)\\]+/) { "\($0.1)…" }
    }

    private static func absolute(_ path: FilePath) -> FilePath {
        path.isAbsolute ? path : FilePath(FileManager.default.currentDirectoryPath).pushing(path)
    }

    private func write(_ text: String, to path: FilePath) throws {
        let file = try FileDescriptor.open(path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        _ = try file.closeAfter { try file.writeAll(text.utf8) }
    }
}

/// Limits the time for the parts of a bundle, in seconds, so that the bundle is complete in time even if programs hang.
struct SupportTime {
    /// The time for the whole bundle, in seconds; nil where it is not limited.
    var whole: Int32?

    /// The longest time for a part, and the longest time for packing where `whole` is nil; in seconds.
    private static let (longestPart, longestPacking): (Int32, Int32) = (20, 200)

    /// Returns the time for the next part, in seconds, where `elapsed` seconds have passed. A third of `whole` is reserved for packing. The
    /// part gets a third of the rest that is left, but at least 1 s, so that later parts get time even if many hang.
    func part(after elapsed: Int32) -> Int32 {
        guard let whole else { return Self.longestPart }
        return min(Self.longestPart, max(1, (whole - whole / 3 - elapsed) / 3))
    }

    /// Returns the time for packing, in seconds, where `elapsed` seconds have passed.
    func packing(after elapsed: Int32) -> Int32 {
        guard let whole else { return Self.longestPacking }
        return max(1, whole - elapsed)
    }
}
