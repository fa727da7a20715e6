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
        /// And the number of the session it belongs to.
        case entry(JournalEntry, session: Int)
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
                case .entry(let entry, let session): open.write(entry, session: session)
                case .sync: open.sync()
                }
            }
            open.sync()
        }
    }

    var health: Health { state.health.withLock { $0 } }

    /// Entries of one session after those of another, each session's header first.
    func record(_ entry: JournalEntry) {
        let session = state.session.withLock { session in
            if case .header = entry { session += 1 }
            return session
        }
        if case .dropped = messages.yield(.entry(entry, session: session)) { state.health.withLock { $0.lost += 1 } }
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
        let session = Mutex(0)
    }

    /// The journal under way, if it could be opened. Lives in the writing task.
    private struct OpenJournal: ~Copyable {
        let directory: FilePath
        let state: Shared
        let logger: Logger
        private var writer: JournalWriter?
        /// Of the session `writer` belongs to.
        private var number: Int?
        private var isDirty = false

        init(directory: FilePath, state: Shared, logger: Logger) {
            self.directory = directory
            self.state = state
            self.logger = logger
        }

        mutating func write(_ entry: JournalEntry, session: Int) {
            if case .header(let header) = entry { return open(header, session: session) }
            guard let number, number == session else {
                // Its header is in no file, so it would make no sense in one.
                state.health.withLock { $0.lost += 1 }
                return
            }
            do {
                try writer?.append(entry)
                isDirty = true
                state.health.withLock { $0.trouble = nil }
            } catch {
                state.health.withLock { $0.lost += 1 }
                complain(error)
            }
            if case .end(let reason, _) = entry {
                sync()
                close()
                logger.info("session ended", metadata: ["reason": "\(reason.rawValue)"])
            }
        }

        mutating func sync() {
            guard isDirty else { return }
            do {
                try writer?.sync()
                isDirty = false
            } catch {
                complain(error)
            }
        }

        private mutating func open(_ header: JournalHeader, session: Int) {
            close()
            do {
                let created = try JournalWriter(directory: directory, header: header)
                let path = created.path.string
                writer = consume created
                number = session
                isDirty = true
                state.health.withLock { health in
                    health.path = path
                    health.trouble = nil
                }
                logger.info("session began", metadata: ["journal": "\(path)"])
            } catch {
                state.health.withLock { $0.lost += 1 }
                complain(error)
            }
        }

        private mutating func close() {
            writer = nil
            number = nil
            state.health.withLock { $0.path = nil }
        }

        /// Once for each time that trouble begins.
        private func complain(_ error: any Error) {
            let words = "journal in \(directory): \(error)"
            let isNew = state.health.withLock { health in
                defer { health.trouble = words }
                return health.trouble == nil
            }
            if isNew { logger.error("the journal cannot be kept", metadata: ["reason": "\(words)"]) }
        }
    }
}
