import JournalFile
import Logging
import SystemPackage

/// Removes old journals. Thread: the recorder's.
struct JournalPruning {
    /// How often the folder is searched for what is too old.
    private static let period = Duration.seconds(3600)

    private let folder: SessionFolder
    private let retention: Retention
    private let logger: Logger
    /// How many bytes may be written before the folder is searched again: searching thousands of files takes long. Nil before the first
    /// search.
    private var room: Int64?
    private var written: Int64 = 0
    private var last: ContinuousClock.Instant = .now
    /// What was wrong the last time, in words; nil when nothing was.
    private(set) var issue: String?

    init(of directory: FilePath, keeping retention: Retention, logger: Logger) {
        folder = SessionFolder(directory)
        self.retention = retention
        self.logger = logger
    }

    /// Removes old journals, but not `current`, which is being written. `bytes` is what has been written to others so far.
    mutating func prune(except current: FilePath?, bytes: Int64) {
        guard !retention.keepsAll, room.map({ bytes - written >= $0 }) ?? true || last.duration(to: .now) > Self.period else { return }
        last = .now
        written = bytes
        do {
            // A little more than necessary, so that not every session removes something.
            let spared = Retention(bytes: retention.bytes.map { $0 - $0 / 16 }, age: retention.age)
            let pruned = try folder.prune(keeping: spared, except: current)
            room = retention.bytes.map { max($0 - pruned.left, $0 / 64) } ?? .max
            if pruned.removed > 0 {
                logger.info("old journals removed", metadata: ["journals": "\(pruned.removed)", "bytes": "\(pruned.bytes)"])
            }
            issue = pruned.failure.map(describe)
        } catch {
            room = retention.bytes.map { $0 / 64 } ?? .max
            issue = describe(error)
        }
    }

    private func describe(_ error: any Error) -> String { "old journals in \(folder.path) cannot be removed: \(error)" }
}
