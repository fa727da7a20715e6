import Dispatch
import Journal
import JournalFile
import Logging
import Synchronization
import SystemPackage

/// Writes journals in the background, so that a slow disk delays no sound. What the disk refuses is tried again until it takes it.
final class JournalRecorder: Sendable {
    struct Health: Sendable {
        /// The journal that is being written; nil while there is none.
        var path: String?
        /// The number of that journal's session, counted from 1.
        var session = 0
        /// The number of entries that are in no file, or only in a file that other programs have changed.
        var lost: UInt64 = 0
        /// Whether an entry was lost a short time ago.
        var isLosing = false
        /// The number of journals that were set aside because others had changed them while they were written.
        var disturbed = 0
        /// The last journal that was set aside.
        var lastDisturbed: String?
        /// Why the disk does not take what is written; nil when it does.
        var issue: String?
        /// What was wrong when old journals were removed last: why one could not be, or that some were to be spared; nil when nothing was.
        var pruningIssue: String?
        var signing = JournalSigning.Start()
        /// What has happened to the key since the start, in words; nil while the key is unchanged.
        var keyIssue: String?
    }

    private struct State {
        var backlog = JournalBacklog()
        var losses = LossWatch()
        var health: Health
        /// The number of lost entries that had been written, into files that are gone or that other programs have changed.
        var removed: UInt64 = 0
        /// The name without `.jsonl` of the first journal that is still to be sent elsewhere; nil while none is sent.
        var unsent: String?
        /// Whether the disk must be checked at the next opportunity. True at first, so that an installer learns of an unwritable directory
        /// before the first visitor comes.
        var wantsSync = true
        /// Whether anything was recorded since the last sync.
        var hasNews = false
        /// The number of calls of `sync` since the disk was last checked.
        var quietSyncs = 0
        /// Whether the queue is working, or will try again later.
        var isBusy = true
        /// The function that is called when nothing is left to do.
        var whenDone: (@Sendable () -> Void)?
    }

    /// The state that only the queue's thread uses.
    private struct Disk: ~Copyable {
        var journal: OpenJournal
        var pruning: JournalPruning
        /// Watches the key; nil where journals are not signed.
        var key: JournalKeyWatch?
    }

    /// The number of calls of `sync` without news after which the disk is checked.
    private static let quiet = 5
    private static let retry = DispatchTimeInterval.milliseconds(500)
    /// The time for which a stop waits for a disk that is full or does not answer.
    private static let timeout = DispatchTimeInterval.seconds(2)

    /// A queue with a thread of its own: a disk that does not answer delays nothing else.
    private let queue = DispatchQueue(label: "journal")
    private let state: Mutex<State>
    private let disk: Mutex<Disk>
    private let directory: FilePath
    private let logger: Logger

    /// `retention` says which journals of `directory` are kept. Without `signing` the journals are not signed.
    init(directory: FilePath, retention: Retention = Retention(), signing: JournalSigning.Start = JournalSigning.Start(),
         logger: Logger) {
        self.directory = directory
        self.logger = logger
        state = Mutex(State(health: Health(signing: signing)))
        disk = Mutex(Disk(journal: OpenJournal(directory: directory, signing: signing.signing, logger: logger),
                          pruning: JournalPruning(of: directory, keeping: retention, logger: logger),
                          key: signing.signing.map { JournalKeyWatch($0.key, in: $0.directory) }))
        queue.async { self.work() }
    }

    /// Returns the health of the journals at `now` (CLOCK_MONOTONIC, nanoseconds).
    func health(at now: Int64) -> Health {
        state.withLock { state in
            var health = state.health
            health.lost = state.backlog.lost + state.removed
            health.isLosing = state.losses.isLosing(health.lost, at: now)
            return health
        }
    }

    /// The journal that is being written; nil while there is none. Thread: any.
    var path: String? { state.withLock { $0.health.path } }

    /// Records an entry, without waiting for the disk. The caller records a session's entries after those of the session before, and its
    /// header first.
    func record(_ entry: JournalEntry) {
        change { state in
            state.backlog.put(entry)
            state.hasNews = true
        }
    }

    /// The name without `.jsonl` of the first journal that is spared; nil while none is.
    var unsent: String? { state.withLock { $0.unsent } }

    /// Spares journals from `first` on, a name without `.jsonl`, because they are still to be sent elsewhere. Nil spares none.
    func spare(from first: String?) { state.withLock { $0.unsent = first } }

    /// Syncs the recorded entries to the disk. Without new entries it only checks, at every fifth call, that the journal is still there.
    func sync() {
        let isDue = state.withLock { state in
            state.quietSyncs += 1
            guard state.hasNews || state.quietSyncs >= Self.quiet else { return false }
            (state.hasNews, state.quietSyncs) = (false, 0)
            return true
        }
        if isDue { change { $0.wantsSync = true } }
    }

    /// Returns when everything is on the disk, or after two seconds. What is not on the disk then is lost.
    func finish() async {
        let (done, end) = AsyncStream.makeStream(of: Void.self)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.timeout) { end.finish() }
        change { state in
            state.wantsSync = true
            state.whenDone = { end.finish() }
        }
        for await _ in done {}
        let count = state.withLock { state in
            defer { state.backlog.giveUp() }
            return state.backlog.count
        }
        if count > 0 { logger.error("the disk does not take what is left of the journal", metadata: ["entries": "\(count)"]) }
    }

    private func change(_ body: (inout State) -> Void) {
        let begins = state.withLock { state in
            body(&state)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if begins { queue.async { self.work() } }
    }

    // MARK: On the queue

    private func work() {
        disk.withLock { disk in
            do {
                repeat { try write(to: &disk) } while hasMore()
            } catch {
                complain(error)
                // What is not there cannot be waited for.
                if !disk.journal.isOpen { state.withLock { $0.backlog.count == 0 ? $0.whenDone : nil }?() }
                queue.asyncAfter(deadline: .now() + Self.retry) { self.work() }
            }
        }
    }

    private func write(to disk: inout Disk) throws {
        while let item = state.withLock({ $0.backlog.next }) {
            defer { publish(disk.journal) }
            try disk.journal.write(item)
            state.withLock { $0.backlog.removeNext() }
            relieve()
            prune(item.entry, &disk)
        }
        let wantsSync = state.withLock { state in
            defer { state.wantsSync = false }
            return state.wantsSync
        }
        guard wantsSync else { return }
        watchKey(&disk)
        defer { publish(disk.journal) }
        try disk.journal.sync()
        relieve()
    }

    private func watchKey(_ disk: inout Disk) {
        disk.key?.look()
        let issue = disk.key?.issue
        let isNew = state.withLock { state in
            defer { state.health.keyIssue = issue }
            return state.health.keyIssue != issue
        }
        if isNew, let issue { logger.error("\(issue)") }
    }

    private func hasMore() -> Bool {
        let (hasMore, whenDone) = state.withLock { state in
            state.isBusy = state.wantsSync || state.backlog.next != nil
            return (state.isBusy, state.whenDone)
        }
        if !hasMore { whenDone?() }
        return hasMore
    }

    private func publish(_ journal: borrowing OpenJournal) {
        let (path, session, removed) = (journal.path?.string, journal.session, journal.lost)
        let (disturbed, lastDisturbed) = (journal.disturbed, journal.lastDisturbed?.string)
        state.withLock { state in
            state.health.disturbed = disturbed
            state.health.lastDisturbed = lastDisturbed
            state.health.path = path
            state.health.session = session
            state.removed = removed
        }
    }

    /// Removes old journals when a session begins or ends.
    private func prune(_ entry: JournalEntry, _ disk: inout Disk) {
        switch entry {
        case .header, .end:
            disk.pruning.prune(sparingFrom: unsent, except: disk.journal.path, bytes: disk.journal.bytes)
            let issue = disk.pruning.issue
            state.withLock { $0.health.pruningIssue = issue }
        case .event, .discontinuity, .checkpoint: break
        }
    }

    /// Records why the disk does not take what is written, and logs the reason when the trouble begins.
    private func complain(_ error: any Error) {
        let words = "journal in \(directory): \(error)"
        let isNew = state.withLock { state in
            defer { state.health.issue = words }
            // With nothing left to be written only a sync shows that the disk takes something again.
            state.wantsSync = true
            return state.health.issue == nil
        }
        if isNew { logger.error("the journal cannot be kept; what happens meanwhile waits", metadata: ["reason": "\(words)"]) }
    }

    private func relieve() {
        let (wasTroubled, lost) = state.withLock { state in
            defer { state.health.issue = nil }
            return (state.health.issue != nil, state.backlog.lost + state.removed)
        }
        if wasTroubled { logger.notice("the journal is kept again", metadata: ["lost so far": "\(lost)"]) }
    }
}

/// Says whether a journal has lost entries a short time ago. A plain value: the caller passes the time (CLOCK_MONOTONIC, nanoseconds).
struct LossWatch {
    /// The time for which a loss stays an issue after the last lost entry, in nanoseconds. A monitor that asks for issues once a minute
    /// still sees it.
    static let memory: Int64 = 300_000_000_000

    private var lost: UInt64 = 0
    private var last: Int64?

    /// Returns whether entries were lost a short time ago. `lost` is the number of lost entries since the start.
    mutating func isLosing(_ lost: UInt64, at now: Int64) -> Bool {
        if lost > self.lost { last = now }
        self.lost = lost
        return last.map { now - $0 < Self.memory } ?? false
    }
}

/// Removes old journals. Thread: the recorder's.
struct JournalPruning {
    /// The time between two searches of the folder for journals that are too old.
    private static let period = Duration.seconds(3600)

    private let folder: SessionFolder
    private let retention: Retention
    private let logger: Logger
    /// The number of bytes that may be written before the next search of the folder, because searching thousands of files takes long. Nil
    /// before the first search.
    private var room: Int64?
    private var written: Int64 = 0
    private var last: ContinuousClock.Instant = .now
    /// What was wrong with the last removal, in words; nil when nothing was.
    private(set) var issue: String?

    init(of directory: FilePath, keeping retention: Retention, logger: Logger) {
        folder = SessionFolder(directory)
        self.retention = retention
        self.logger = logger
    }

    /// Removes old journals, but not `current`, which is being written. `bytes` is the size of all other journals that were written so far.
    /// Journals from `first` on are spared as `SessionFolder.prune` says.
    mutating func prune(sparingFrom first: String?, except current: FilePath?, bytes: Int64) {
        guard !retention.keepsAll, room.map({ bytes - written >= $0 }) ?? true || last.duration(to: .now) > Self.period else { return }
        last = .now
        written = bytes
        do {
            // A little more than necessary, so that not every session removes something.
            let spared = Retention(bytes: retention.bytes.map { $0 - $0 / 16 }, age: retention.age)
            let pruned = try folder.prune(keeping: spared, sparingFrom: first, except: current)
            room = retention.bytes.map { max($0 - pruned.left, $0 / 64) } ?? .max
            if pruned.removed > 0 {
                logger.info("old journals removed", metadata: ["journals": "\(pruned.removed)", "bytes": "\(pruned.bytes)"])
            }
            if pruned.spared > 0 {
                logger.error("journals removed before they were sent", metadata: ["journals": "\(pruned.spared)"])
            }
            issue = pruned.failure.map(describe) ?? Self.issue(ofUnsent: pruned.spared)
        } catch {
            room = retention.bytes.map { $0 / 64 } ?? .max
            issue = describe(error)
        }
    }

    /// Returns the issue that journals were removed before they were sent; nil where `count` is 0. It is over when a later search of the
    /// folder had to remove none of them.
    private static func issue(ofUnsent count: Int) -> String? {
        guard count > 0 else { return nil }
        let what = count == 1 ? "a journal was" : "\(count) journals were"
        return "\(what) removed before being sent, the oldest first, because journals take up no more than journal-space: "
            + "whoever sends them (session.spare) does not come after"
    }

    private func describe(_ error: any Error) -> String { "old journals in \(folder.path) cannot be removed: \(error)" }
}
