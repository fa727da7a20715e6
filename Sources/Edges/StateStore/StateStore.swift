import Dispatch
import Files
import Synchronization
import SystemPackage
import Venue

/// Keeps everything that outlasts a restart, in one SQLite database, `state.sqlite` in the state directory. What is said to be committed is
/// there after a power cut. Thread: any. No call but `open` and `close` waits for the disk: a queue of the store's own does.
public final class StateStore: Sendable {
    public static let fileName = "state.sqlite"
    /// The most bytes of a body of JSON.
    public static let longestBody = 1 << 20
    /// The most ledger entries that wait for the disk, and the most bytes of their bodies; more are refused.
    static let mostWaiting = (entries: 10_000, bytes: 16 << 20)

    /// The values that were kept when the store was opened.
    public struct Found: Equatable, Sendable {
        public var hearingDay: HearingDay?
        public var preset: ChosenPreset?
        public var volume: ChosenVolume?
        /// The tokens, in their names' order.
        public var tokens: [KeptToken]
        /// The documents, in no order.
        public var documents: [KeptDocument]
        /// The reason why it is not known what was kept; nil when it is.
        public var unread: String?

        public init(hearingDay: HearingDay? = nil, preset: ChosenPreset? = nil, volume: ChosenVolume? = nil, tokens: [KeptToken] = [],
                    documents: [KeptDocument] = [], unread: String? = nil) {
            self.hearingDay = hearingDay
            self.preset = preset
            self.volume = volume
            self.tokens = tokens
            self.documents = documents
            self.unread = unread
        }
    }

    struct Shared {
        /// The memories as told last, committed or not.
        var memories: [MemoryKey: String] = [:]
        /// The hashes of households' secrets as told last, committed or not.
        var secrets: [MemoryKey: String] = [:]
        /// The tokens as told last, committed or not, by name.
        var tokens: [String: KeptToken] = [:]
        /// The documents that are on the disk.
        var documents: [KeptDocument.Key: KeptDocument] = [:]
        /// The households whose memories on the disk were not known when something else was told; left alone until the next start.
        var unread: Set<MemoryKey> = []
        /// The households that are being removed or merged: nothing else is kept of them meanwhile.
        var closing: Set<MemoryKey> = []
        /// Whether `open` has said that nothing is known.
        var isBlind = false
        var isRead = false
        var damage: [Damage] = []
        /// The other process that keeps its state in the same directory, in words; nil where there is none.
        var owner: String?
        /// The acts of others on open files, in words.
        var displacements: [String] = []
        /// The commits that the database lacks although they were said to be kept, in words.
        var loss: String?
        /// The reason why the last attempt to write failed; nil when it did not.
        var failure: String?
        /// The changes to be written next. What could not be written comes back, and is tried again with the next commit.
        var pending = Batch()
        /// The number of commits so far.
        var commits = 0
        /// The callers that are to be told of a commit, by its number.
        var waiting: [Int: Waiting] = [:]
        /// The questions to be answered next, by their numbers.
        var questions: [Int: Question] = [:]
        /// The number of questions so far.
        var asked = 0
        /// Whether the queue is going to write what is pending.
        var isWriteComing = false
        /// Whether entries have been written since the last checkpoint.
        var owesCheckpoint = false
        /// The number of commits that will never be on the disk, and the reason for the last.
        var refusals: (count: Int, last: String)?
        /// The number of memories that their pieces could not read since the start, and the last in words.
        var setAside = (count: 0, last: "")
        /// The number of ledger entries that are not as they were written, and the last in words.
        var altered = (count: 0, last: "")
        /// The start of the task that the disk is at; nil while it is at none.
        var busySince: ContinuousClock.Instant?
    }

    struct Waiting {
        var households: Set<MemoryKey>
        var tell: @Sendable (Result<Commit, NotKept>) -> Void
    }

    /// The path of the database.
    public let path: FilePath
    let queue = DispatchQueue(label: "state store")
    /// A queue for reading at length, for support.
    let looks = DispatchQueue(label: "state looks", qos: .utility)
    /// The database, which only `queue` locks, for as long as the disk takes.
    let file: Mutex<StateFile>
    /// The state that any thread may read; its lock is never held for long.
    let shared = Mutex(Shared())
    let check: StateCheck

    /// Makes a store for `directory`. Touches nothing on the disk yet.
    public init(in directory: FilePath) {
        path = directory.appending(Self.fileName)
        file = Mutex(StateFile(in: directory))
        check = StateCheck(of: path)
    }

    /// Opens the database and reads what was kept. Waits for the disk for at most `limit`; after that the store goes on trying with every
    /// commit. What is read later is not used before the next start, and not overwritten.
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

    /// Keeps all of `changes` or none. `then` is told, on a thread of the store's and in the order of the calls, when they are on the disk
    /// or why they are not; after `limit` at the latest. Nil waits however long a disk hangs. Without changes the call looks whether the
    /// database can be written.
    ///
    /// All that is given while the disk is busy is written together, the newest of each value. What could not be written is tried again
    /// with the next commit, and nothing newer is written without it. Documents are an exception: a document that was said not to be kept
    /// never will be.
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

    /// The memory of a household as JSON, as it was told last, committed or not; nil where nothing is known.
    public func memory(piece: String, household: String) -> String? {
        shared.withLock { $0.memories[MemoryKey(piece: piece, household: household)] }
    }

    /// The hash of a household's secret, as it was told last, committed or not; nil where it has none.
    public func secret(piece: String, household: String) -> String? {
        shared.withLock { $0.secrets[MemoryKey(piece: piece, household: household)] }
    }

    /// The number of households of a piece that have a secret, as told last.
    public func secretCount(of piece: String) -> Int { shared.withLock { $0.secrets.keys.count { $0.piece == piece } } }

    /// The number of households of a piece that have a memory, as told last.
    public func memoryCount(of piece: String) -> Int { shared.withLock { $0.memories.keys.count { $0.piece == piece } } }

    /// The memories of all households of a piece as JSON, as told last, in no order.
    public func memories(piece: String) -> [String] {
        shared.withLock { shared in shared.memories.lazy.filter { $0.key.piece == piece }.map(\.value) }
    }

    /// Writes what is pending and closes the file. Returns whether the disk took it within `limit`.
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

    /// The reason why nothing may be done with households here: another process keeps their books; nil where none does.
    public var refusal: String? { shared.withLock { $0.owner.map { "\($0), and this one keeps no books" } } }

    /// The damage since the store was opened.
    public var damage: [Damage] { shared.withLock(\.damage) }

    /// The reasons why the store cannot keep anything now, and what it could not use, in words.
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
