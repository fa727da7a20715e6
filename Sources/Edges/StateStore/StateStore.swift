import Dispatch
import Files
import Synchronization
import SystemPackage
import Venue

/// Stores everything that must outlast a restart in one SQLite database, `state.sqlite` in the state directory. A change that was reported
/// as committed survives a power cut. Thread: any. Only `open` and `close` wait for the disk; other calls leave that to the store's queue.
public final class StateStore: Sendable {
    public static let fileName = "state.sqlite"
    /// The largest number of bytes in a body of JSON.
    public static let longestBody = 1 << 20
    /// The largest number of ledger entries that may wait for the disk, and of bytes in their bodies. More are refused.
    static let mostWaiting = (entries: 10_000, bytes: 16 << 20)

    /// The values that were in the store when it was opened.
    public struct Found: Equatable, Sendable {
        public var hearingDay: HearingDay?
        public var preset: ChosenPreset?
        public var volume: ChosenVolume?
        /// The tokens, in the order of their names.
        public var tokens: [KeptToken]
        /// The documents, in no particular order.
        public var documents: [KeptDocument]
        /// The positions of all cursors, by name.
        public var cursors: [String: String]
        /// The reason why the stored values could not be read; nil when they were.
        public var unread: String?

        public init(hearingDay: HearingDay? = nil, preset: ChosenPreset? = nil, volume: ChosenVolume? = nil, tokens: [KeptToken] = [],
                    documents: [KeptDocument] = [], cursors: [String: String] = [:], unread: String? = nil) {
            self.hearingDay = hearingDay
            self.preset = preset
            self.volume = volume
            self.tokens = tokens
            self.documents = documents
            self.cursors = cursors
            self.unread = unread
        }
    }

    struct Shared {
        /// The memories as last changed, committed or not.
        var memories: [MemoryKey: String] = [:]
        /// The hashes of households' secrets as last changed, committed or not.
        var secrets: [MemoryKey: String] = [:]
        /// The tokens as last changed, committed or not, by name.
        var tokens: [String: KeptToken] = [:]
        /// The documents that are on the disk.
        var documents: [KeptDocument.Key: KeptDocument] = [:]
        /// Households that changed before their stored memories could be read. What is stored of them is not overwritten until the next
        /// start.
        var unread: Set<MemoryKey> = []
        /// The households that are being removed or merged. Other changes of them are refused meanwhile.
        var closing: Set<MemoryKey> = []
        /// Whether `open` has returned without having read the database.
        var isBlind = false
        var isRead = false
        var damage: [Damage] = []
        /// Another process that uses the same state directory, in words; nil where there is none.
        var owner: String?
        /// What others have done to files while these were open, in words.
        var displacements: [String] = []
        /// The commits that the database lacks although they were reported as stored, in words; nil where it lacks none.
        var loss: String?
        /// The reason why the last attempt to write failed; nil if it did not fail.
        var failure: String?
        /// The changes that will be written next. Changes that could not be written are put back here, and tried again with the next
        /// commit.
        var pending = Batch()
        /// The number of commits so far.
        var commits = 0
        /// The callbacks of commits, by the commits' numbers.
        var waiting: [Int: Waiting] = [:]
        /// The questions whether an action has been counted that will be answered next, by their numbers.
        var questions: [Int: Question] = [:]
        /// The number of questions of that kind so far.
        var asked = 0
        /// Whether the queue has a task that will write the pending changes.
        var isWriteComing = false
        /// Whether entries were written since the last checkpoint.
        var owesCheckpoint = false
        /// The number of commits that will never be on the disk, and the reason for the last of them; nil where there are none.
        var refusals: (count: Int, last: String)?
        /// The number of memories that their pieces could not read since the start, and the last of them in words.
        var setAside = (count: 0, last: "")
        /// The number of ledger entries that differ from what was written, and the last of them in words.
        var altered = (count: 0, last: "")
        /// When the disk began the task with which it is busy; nil while it is idle.
        var busySince: ContinuousClock.Instant?
    }

    struct Waiting {
        var households: Set<MemoryKey>
        var tell: @Sendable (Result<Commit, NotKept>) -> Void
    }

    /// The path of the database.
    public let path: FilePath
    let queue = DispatchQueue(label: "state store")
    /// A queue for long reading, on behalf of support.
    let looks = DispatchQueue(label: "state looks", qos: .utility)
    /// The database file. Only `queue` locks it, for as long as the disk takes.
    let file: Mutex<StateFile>
    /// The state that any thread may read. Its lock is never held for long.
    let shared = Mutex(Shared())
    let check: StateCheck

    /// Makes a store for `directory`. Does not access the disk yet.
    public init(in directory: FilePath) {
        path = directory.appending(Self.fileName)
        file = Mutex(StateFile(in: directory))
        check = StateCheck(of: path)
    }

    /// Opens the database and reads the stored values. Waits for the disk for at most `limit`; after that the store tries again with every
    /// commit. Values that are read only then are not used before the next start, and not overwritten.
    public func open(within limit: Duration = BlockingWork.limit) -> Found {
        let found = wait(limit) { $0.readAll() } ?? Found(unread: "\(path): \(BlockingWork.noAnswer)")
        if found.unread != nil {
            shared.withLock { shared in
                shared.isBlind = true
                // The values may have been read just after the time limit.
                shared.unread.formUnion(shared.memories.keys)
                shared.memories = [:]
            }
        }
        return found
    }

    /// Stores all of `changes` or none. When they are on the disk, or cannot be stored, `then` is called, on a thread of the store's and in
    /// the order of the calls, after `limit` at the latest. Without a `limit`, a disk that hangs delays the call for as long. A call
    /// without changes finds out whether the database can be written.
    ///
    /// Changes that arrive while the disk is busy are written together, only the newest of each value. Changes that could not be written
    /// are tried again with the next commit, and nothing newer is written without them. Documents are an exception: a document that was
    /// reported as not stored is never stored later.
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

    /// Returns the memory of a household as JSON, as last changed, committed or not; nil where there is none.
    public func memory(piece: String, household: String) -> String? {
        shared.withLock { $0.memories[MemoryKey(piece: piece, household: household)] }
    }

    /// Returns the hash of a household's secret, as last changed, committed or not; nil where the household has none.
    public func secret(piece: String, household: String) -> String? {
        shared.withLock { $0.secrets[MemoryKey(piece: piece, household: household)] }
    }

    /// Returns the number of households of a piece that have a secret.
    public func secretCount(of piece: String) -> Int { shared.withLock { $0.secrets.keys.count { $0.piece == piece } } }

    /// Returns the number of households of a piece that have a memory.
    public func memoryCount(of piece: String) -> Int { shared.withLock { $0.memories.keys.count { $0.piece == piece } } }

    /// Returns the memories of all households of a piece as JSON, in no particular order.
    public func memories(piece: String) -> [String] {
        shared.withLock { shared in shared.memories.lazy.filter { $0.key.piece == piece }.map(\.value) }
    }

    /// Writes the pending changes and closes the file. Returns whether the disk did that within `limit`.
    public func close(within limit: Duration = .seconds(2)) -> Bool {
        wait(limit) { store in
            // The check must close the file first: the last connection to close moves the WAL into the file.
            store.check.stop()
            if store.shared.withLock({ !$0.pending.isEmpty }) { store.writePending() }
            store.file.withLock { $0.end() }
            return store.shared.withLock { $0.pending.isEmpty }
        } ?? false
    }

    // MARK: How it is

    /// The reason why households cannot be served here, which is that another process keeps their books; nil where none does.
    public var refusal: String? { shared.withLock { $0.owner.map { "\($0), and this one keeps no books" } } }

    /// The damage that was found since the store was opened.
    public var damage: [Damage] { shared.withLock(\.damage) }

    /// The issues of the store, in words: the reason why it cannot store anything now, changes that it refused, and stored data that was
    /// lost or changed, or that could not be used.
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
