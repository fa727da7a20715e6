import Journal
import JournalFile
import Logging
import Synchronization
import SystemPackage

/// Writes journals in the background, so that a slow disk delays no sound.
final class JournalRecorder: Sendable {
    struct Health: Sendable {
        /// The journal being written, and of which session it is, counted from 1.
        var path: String?
        var session = 0
        /// Entries that are in no file.
        var lost: UInt64 = 0
        /// Of the last write, if it failed.
        var trouble: String?
    }

    private enum Message: Sendable {
        /// And its place: the session's number, and its own in that session.
        case entry(JournalEntry, Place)
        case sync
    }

    fileprivate struct Place: Sendable {
        var session = 0
        var index = 0
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
                case .entry(let entry, let place): open.write(entry, at: place)
                case .sync: open.sync()
                }
            }
            open.sync()
        }
    }

    var health: Health { state.health.withLock { $0 } }

    /// Entries of one session after those of another, each session's header first.
    func record(_ entry: JournalEntry) {
        let place = state.place.withLock { place in
            if case .header = entry { place = Place(session: place.session + 1, index: 0) } else { place.index += 1 }
            return place
        }
        if case .dropped = messages.yield(.entry(entry, place)) { state.health.withLock { $0.lost += 1 } }
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
        let place = Mutex(Place())
    }

    /// The journal under way, if it could be opened. Lives in the writing task.
    private struct OpenJournal: ~Copyable {
        let directory: FilePath
        let state: Shared
        let logger: Logger
        private var writer: JournalWriter?
        /// What `writer` wants next. A journal in which an entry is missing is not continued: it reads as cut off there,
        /// not as something that never happened.
        private var next: Place?
        private var isDirty = false

        /// Complains at once if there is nowhere to write to: an installer should not learn it from the first visitor.
        init(directory: FilePath, state: Shared, logger: Logger) {
            self.directory = directory
            self.state = state
            self.logger = logger
            do {
                try JournalWriter.prepare(directory)
            } catch {
                complain(error)
            }
        }

        mutating func write(_ entry: JournalEntry, at place: Place) {
            if case .header(let header) = entry { return open(header, at: place) }
            guard let next, next.session == place.session, next.index == place.index else {
                state.health.withLock { $0.lost += 1 }
                return
            }
            do {
                try writer?.append(entry)
                self.next?.index += 1
                isDirty = true
            } catch {
                state.health.withLock { $0.lost += 1 }
                complain(error)
                close()
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

        private mutating func open(_ header: JournalHeader, at place: Place) {
            close()
            do {
                let created = try JournalWriter(directory: directory, header: header)
                let path = created.path.string
                writer = consume created
                next = Place(session: place.session, index: 1)
                isDirty = true
                state.health.withLock { health in
                    health.path = path
                    health.session = place.session
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
            next = nil
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
