import Files
import FoundationEssentials
import Glibc
import SettingsFile
import Signals
import Synchronization
import SystemPackage

/// The settings that thrumd last ran with, for a start with bad ones: a bad line must not silence an exhibit.
struct LastGood: Codable {
    /// Where settings were looked for, and what was there.
    var paths: [String]
    var files: [SettingsFiles.File]
    /// What was there when thrumd was started, which settings are from that count from a start on; nil where that is the same.
    var atStart: [SettingsFiles.File]?
    var theme: Theme
    /// A later one has a greater number; of this process alone.
    private let number = Self.count.add(1, ordering: .relaxed).newValue

    private enum CodingKeys: CodingKey { case paths, files, atStart, theme }

    init(paths: [String], files: [SettingsFiles.File], atStart: [SettingsFiles.File]?, theme: Theme) {
        self.paths = paths
        self.files = files
        self.atStart = atStart
        self.theme = theme
    }

    private static let count = Atomic(0)

    /// Two files of 1 MiB, twice, and a theme; each byte can be six characters in JSON.
    private static let longest = 32 << 20

    /// By folder, the number of those that were written last. Held by whoever writes: a disk that did not answer in time may still be at
    /// the earlier ones.
    private static let written = Mutex<[String: Int]>([:])

    static func file(in state: FilePath) -> FilePath { state.appending("last-good.json") }

    /// Nil when there are none, or they were looked for elsewhere than in `paths`.
    static func read(in state: FilePath, of paths: [FilePath]) -> LastGood? {
        guard let bytes = try? PlainFile.bytes(of: file(in: state), atMost: longest),
              let last = try? JSONDecoder().decode(LastGood.self, from: Data(bytes)),
              last.paths == paths.map(\.string) else { return nil }
        return last
    }

    /// Replaces the earlier ones, whole or not at all, and does nothing where later ones have been written. Only the owner may read the
    /// file, as the settings in it may be their owner's alone. Throws when it cannot be written.
    func write(in state: FilePath) throws {
        try Self.written.withLock { written in
            guard written[state.string, default: 0] <= number else { return }
            try replace(in: state)
            written[state.string] = number
        }
    }

    private func replace(in state: FilePath) throws {
        try FileManager.default.createDirectory(atPath: state.string, withIntermediateDirectories: true)
        let (path, part) = (Self.file(in: state), state.appending("last-good.json.part"))
        // Left by a process that was killed; or a FIFO, whose opening would block.
        guard unlink(part.string) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
        let file = try FileDescriptor.open(part, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
        try file.closeAfter {
            _ = try file.writeAll(JSONEncoder().encode(self))
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
        guard rename(part.string, path.string) == 0 else { throw Errno(rawValue: errno) }
    }
}
