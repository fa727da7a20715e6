import Dispatch
import Files
import Synchronization
import SystemPackage
import Venue

/// Everything that outlasts a restart, in one SQLite database, `state.sqlite` in the state directory. What is said to be committed is
/// there after a power cut. Thread: any; but for `open` and `close` no call waits for the disk, which a queue of the store's own does.
public final class StateStore: Sendable {
    public static let fileName = "state.sqlite"
    /// Of a body of JSON, in bytes.
    public static let longestBody = 1 << 20
    /// Of the ledger's entries that wait for the disk, and of their bodies in bytes; more are refused.
    static let mostWaiting = (entries: 10_000, bytes: 16 << 20)

    /// What was kept at the last start.
    public struct Found: Equatable, Sendable {
        public var hearingDay: HearingDay?
        public var preset: ChosenPreset?
        /// By their names' order.
        public var tokens: [KeptToken]
        /// In no order.
        public var documents: [KeptDocument]
        /// Why it is not known what was kept; nil when it is.
        public var unread: String?

        public init(hearingDay: HearingDay? = nil, preset: ChosenPreset? = nil, tokens: [KeptToken] = [],
                    documents: [KeptDocument] = [], unread: String? = nil) {
            self.hearingDay = hearingDay
            self.preset = preset
            self.tokens = tokens
            self.documents = documents
            self.unread = unread
        }
    }

    struct Shared {
        /// As told last, committed or not.
        var memories: [MemoryKey: String] = [:]
        /// The same of the hashes of households' secrets.
        var secrets: [MemoryKey: String] = [:]
        /// The same of tokens, by name.
        var tokens: [String: KeptToken] = [:]
        /// Documents that are on the disk.
        var documents: [KeptDocument.Key: KeptDocument] = [:]
        /// What the disk has of these was not known when something else was told; left alone until the next start.
        var unread: Set<MemoryKey> = []
        /// They are being removed or merged: nothing else is kept of them meanwhile.
        var closing: Set<MemoryKey> = []
        /// `open` said that nothing is known.
        var isBlind = false
        var isRead = false
        var damage: [Damage] = []
        /// Another process that keeps its state in the same directory, in words.
        var owner: String?
        /// What others did to open files, in words.
        var displacements: [String] = []
        /// What the database lacked of what was said to be kept, in words.
        var loss: String?
        /// Why the last attempt to write failed; nil when it did not.
        var failure: String?
        /// To be written next. What could not be written comes back, and is tried again with the next commit.
        var pending = Batch()
        /// Commits so far.
        var commits = 0
        /// Whoever is to be told of a commit, by its number.
        var waiting: [Int: Waiting] = [:]
        /// To be answered next, by their numbers.
        var questions: [Int: Question] = [:]
        /// Questions so far.
        var asked = 0
        /// Whether the queue is going to write what is pending.
        var isWriteComing = false
        /// Entries have been written since the last checkpoint.
        var owesCheckpoint = false
        /// Commits that will never be on the disk, and why the last of them will not.
        var refusals: (count: Int, last: String)?
        /// Memories that their pieces could not read since the start, and which the last was, in words.
        var setAside = (count: 0, last: "")
        /// Entries of the ledger that are not as they were written, and the last in words.
        var altered = (count: 0, last: "")
        /// Since when the disk has been at the same task.
        var busySince: ContinuousClock.Instant?
    }

    struct Waiting {
        var households: Set<MemoryKey>
        var tell: @Sendable (Result<Commit, NotKept>) -> Void
    }

    /// Of the database.
    public let path: FilePath
    let queue = DispatchQueue(label: "state store")
    /// For support, which may read for long.
    let looks = DispatchQueue(label: "state looks", qos: .utility)
    /// For the queue alone, which may hold it for as long as the disk takes.
    let file: Mutex<StateFile>
    /// Never held for long.
    let shared = Mutex(Shared())
    let check: StateCheck

    /// Touches nothing yet.
    public init(in directory: FilePath) {
        path = directory.appending(Self.fileName)
        file = Mutex(StateFile(in: directory))
        check = StateCheck(of: path)
    }

    /// Opens the database and reads what was kept. Waits for the disk for at most `limit`; the store goes on trying with every commit. What
    /// is read after that is not used before the next start, and not overwritten.
    public func open(within limit: Duration = BlockingWork.limit) -> Found {
        let found = wait(limit) { $0.readAll() } ?? Found(unread: "\(path): \(BlockingWork.noAnswer)")
        if found.unread != nil {
            shared.withLock { shared in
                shared.isBlind = true
                // It may have been read at this very moment.
                shared.unread.formUnion(shared.memories.keys)
                shared.memories = [:]
            }
        }
        return found
    }

    /// Keeps all of `changes` or none. `then` is told when they are on the disk, or why they are not, in the order of the calls, on a
    /// thread of the store's; after `BlockingWork.limit` at the latest. Without changes it looks whether the database can be written.
    ///
    /// All that is given while the disk is busy is written together, of each value the newest. What could not be written is tried again
    /// with the next commit, and nothing newer is written without it. Documents are not: what is said not to be kept of them never will be.
    /// `limit` nil waits for a disk that hangs, however long.
    public func commit(_ changes: [Change], within limit: Duration? = BlockingWork.limit,
                       then: (@Sendable (Result<Commit, NotKept>) -> Void)? = nil) {
        let number: Int
        switch enqueue(changes, then) {
        case .failure(let refusal):
            then?(.failure(refusal))
            return
        case .success(let queued): number = queued
        }
        guard then != nil, let limit else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.interval) { [weak self] in
            guard let self, let waiting = shared.withLock({ $0.waiting.removeValue(forKey: number) }) else { return }
            waiting.tell(.failure(NotKept(reason: "\(path): \(BlockingWork.noAnswer)")))
        }
    }

    public func commit(_ changes: [Change]) async throws(NotKept) -> Commit {
        try await withCheckedContinuation { continuation in commit(changes) { continuation.resume(returning: $0) } }.get()
    }

    /// JSON, as it was told last, committed or not; nil where nothing is known.
    public func memory(piece: String, household: String) -> String? {
        shared.withLock { $0.memories[MemoryKey(piece: piece, household: household)] }
    }

    /// The hash of a household's secret, as it was told last, committed or not; nil where it has none.
    public func secret(piece: String, household: String) -> String? {
        shared.withLock { $0.secrets[MemoryKey(piece: piece, household: household)] }
    }

    /// Of how many households of a piece there are secrets, as told last.
    public func secretCount(of piece: String) -> Int { shared.withLock { $0.secrets.keys.count { $0.piece == piece } } }

    /// Of how many households of a piece there are memories, as told last.
    public func memoryCount(of piece: String) -> Int { shared.withLock { $0.memories.keys.count { $0.piece == piece } } }

    /// The same of every household that the piece knows.
    public func memories(piece: String) -> [String] {
        shared.withLock { shared in shared.memories.lazy.filter { $0.key.piece == piece }.map(\.value) }
    }

    /// Returns when everything is on the disk that was to be, and the file is closed. Whether the disk took it within `limit`.
    public func close(within limit: Duration = .seconds(2)) -> Bool {
        wait(limit) { store in
            // It has the file open, too: the last to close it moves the WAL into it.
            store.check.stop()
            if store.shared.withLock({ !$0.pending.isEmpty }) { store.writePending() }
            store.file.withLock { $0.end() }
            return store.shared.withLock { $0.pending.isEmpty }
        } ?? false
    }

    // MARK: How it is

    /// Why nothing of households is to be done here, because another process keeps their books; nil where none does.
    public var refusal: String? { shared.withLock { $0.owner.map { "\($0), and this one keeps no books" } } }

    /// Files that were damaged, since it was opened.
    public var damage: [Damage] { shared.withLock(\.damage) }

    /// What keeps it from keeping anything now, and what could not be used, in words.
    public var issues: [String] {
        shared.withLock { shared in
            var issues: [String] = []
            if let last = shared.displacements.last {
                issues.append("\(last). That makes \(shared.displacements.count) since the start: find out who does that, because nobody "
                    + "but thrumd may touch its files while it runs")
            }
            if let loss = shared.loss { issues.append("\(loss). docs/operations.md says how to find it") }
            if let owner = shared.owner {
                issues.append("\(owner): this one keeps no books, and refuses what counts and what households do. Stop one of the two, or "
                    + "give it a STATE_DIRECTORY of its own")
            } else if let since = shared.busySince, since.duration(to: .now) > BlockingWork.limit {
                issues.append("what is to outlast a restart cannot be kept: \(path): \(BlockingWork.noAnswer)")
            } else if let failure = shared.failure {
                issues.append("what is to outlast a restart cannot be kept: \(failure)")
            }
            if let refusals = shared.refusals {
                issues.append("what was to outlast a restart was refused (\(refusals.count) since the start): \(refusals.last)")
            }
            if shared.setAside.count > 0 {
                issues.append("households that began as new, because what is known of them cannot be read (\(shared.setAside.count) since "
                    + "the start): \(shared.setAside.last). It is in \(path), table memory_aside")
            }
            if shared.altered.count > 0 {
                issues.append("entries of the ledger in \(path) that are not as they were written (\(shared.altered.count)): "
                    + "\(shared.altered.last). Nothing is set aside for that")
            }
            if !shared.unread.isEmpty {
                issues.append("\(path) could not be read at the start: what it knows of households is used from the next start on")
            }
            return issues
        }
    }
}
