import Journal
import JournalFile
import Logging
import Synchronization
import SystemPackage

/// Writes journals in the background, so that a slow disk delays no sound.
final class JournalRecorder: Sendable {
    struct Health: Sendable {
        /// The journal being written.
        var path: String?
        /// Entries that are in no file.
        var lost: UInt64 = 0
        /// Of the last write, if it failed.
        var trouble: String?
    }

    private enum Message: Sendable {
        case entry(JournalEntry)
        case sync
    }

    /// Entries on their way to a disk that has stopped answering; a minute of the busiest visitor.
    private static let capacity = 16_384

    private let messages: AsyncStream<Message>.Continuation
    private let writing: Task<Void, Never>
    private let state: Shared

    init(directory: FilePath, logger: Logger) {
        let (stream, messages) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: .bufferingOldest(Self.capacity))
        let state = Shared()
        self.messages = messages
        self.state = state
        writing = Task.detached {
            var open = OpenJournal(directory: directory, state: state, logger: logger)
            for await message in stream {
                switch message {
                case .entry(let entry): open.write(entry)
                case .sync: open.sync()
                }
            }
            open.sync()
        }
    }

    var health: Health { state.health.withLock { $0 } }

    func record(_ entry: JournalEntry) {
        if case .dropped = messages.yield(.entry(entry)) { state.health.withLock { $0.lost += 1 } }
    }

    /// Has the disk keep what has been recorded.
    func sync() { messages.yield(.sync) }

    /// Returns when everything recorded is on disk.
    func finish() async {
        messages.finish()
        await writing.value
    }

    fileprivate final class Shared: Sendable {
        let health = Mutex(Health())
    }

    /// The journal under way, if it could be opened. Lives in the writing task.
    private struct OpenJournal: ~Copyable {
        let directory: FilePath
        let state: Shared
        let logger: Logger
        var writer: JournalWriter?
        var isDirty = false

        init(directory: FilePath, state: Shared, logger: Logger) {
            self.directory = directory
            self.state = state
            self.logger = logger
        }

        mutating func write(_ entry: JournalEntry) {
            do {
                switch entry {
                case .header(let header):
                    writer = nil
                    let created = try JournalWriter(directory: directory, header: header)
                    let path = created.path.string
                    writer = consume created
                    state.health.withLock { $0.path = path }
                    logger.info("session began", metadata: ["journal": "\(path)"])
                case .event:
                    try append(entry)
                case .end(let reason, _):
                    try append(entry)
                    sync()
                    writer = nil
                    state.health.withLock { $0.path = nil }
                    logger.info("session ended", metadata: ["reason": "\(reason.rawValue)"])
                }
                isDirty = true
                state.health.withLock { $0.trouble = nil }
            } catch {
                fail("\(error)")
            }
        }

        private func append(_ entry: JournalEntry) throws {
            guard writer != nil else { throw Errno.badFileDescriptor }
            try writer?.append(entry)
        }

        mutating func sync() {
            guard isDirty else { return }
            do {
                try writer?.sync()
                isDirty = false
            } catch {
                fail("\(error)")
            }
        }

        private func fail(_ reason: String) {
            let isNew = state.health.withLock { health in
                defer { health.trouble = "journal in \(directory): \(reason)" }
                health.lost += 1
                return health.trouble == nil
            }
            if isNew { logger.error("the journal cannot be written", metadata: ["directory": "\(directory)", "reason": "\(reason)"]) }
        }
    }
}
