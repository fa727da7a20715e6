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
    /// Commits that may wait for the disk at once; more are refused.
    static let mostWaiting = 1_000

    /// What was kept at the last start.
    public struct Found: Equatable, Sendable {
        public var hearingDay: HearingDay?
        public var preset: ChosenPreset?
        /// By their names' order.
        public var tokens: [KeptToken]
        /// Why it is not known what was kept; nil when it is.
        public var unread: String?

        public init(hearingDay: HearingDay? = nil, preset: ChosenPreset? = nil, tokens: [KeptToken] = [], unread: String? = nil) {
            self.hearingDay = hearingDay
            self.preset = preset
            self.tokens = tokens
            self.unread = unread
        }
    }

    struct Shared {
        /// As told last, committed or not.
        var memories: [MemoryKey: String] = [:]
        /// The same of tokens, by name.
        var tokens: [String: KeptToken] = [:]
        /// What the disk has that was not read before something else was told; left alone until the next start.
        var unread: Set<MemoryKey> = []
        var isRead = false
        var damage: [Damage] = []
        var isShared = false
        /// Why the last commit failed; nil when it did not.
        var failure: String?
        var waiting = 0
        /// Since when the disk has been at the same task.
        var busySince: ContinuousClock.Instant?
    }

    /// Of the database.
    public let path: FilePath
    let queue = DispatchQueue(label: "state store")
    /// For the queue alone, which may hold it for as long as the disk takes.
    let file: Mutex<StateFile>
    /// Never held for long.
    let shared = Mutex(Shared())

    /// Touches nothing yet.
    public init(in directory: FilePath) {
        path = directory.appending(Self.fileName)
        file = Mutex(StateFile(in: directory))
    }

    /// Opens the database and reads what was kept. Waits for the disk for at most `limit`; the store goes on trying with every commit.
    public func open(within limit: Duration = BlockingWork.limit) -> Found {
        wait(limit) { $0.readAll() } ?? Found(unread: "\(path): \(BlockingWork.noAnswer)")
    }

    /// Keeps all of `changes` or none, in the order of the calls. `then` is told when they are on the disk, or why they are not, on a
    /// thread of the store's; after `BlockingWork.limit` at the latest. Without changes it looks whether the database can be written.
    public func commit(_ changes: [Change], then: @escaping @Sendable (Result<Commit, NotKept>) -> Void = { _ in }) {
        let telling = Telling(then)
        if let refusal = accept(changes) { return telling.tell(.failure(refusal)) }
        work {
            let result = self.write(changes)
            self.shared.withLock { $0.waiting -= 1 }
            telling.tell(result)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + BlockingWork.limit.interval) { [path] in
            telling.tell(.failure(NotKept(reason: "\(path): \(BlockingWork.noAnswer)")))
        }
    }

    public func commit(_ changes: [Change]) async throws(NotKept) -> Commit {
        try await withCheckedContinuation { continuation in commit(changes) { continuation.resume(returning: $0) } }.get()
    }

    /// JSON, as it was told last, committed or not; nil where nothing is known.
    public func memory(piece: String, household: String) -> String? {
        shared.withLock { $0.memories[MemoryKey(piece: piece, household: household)] }
    }

    /// Returns when everything is on the disk that was to be, and the file is closed. Whether the disk took it within `limit`.
    public func close(within limit: Duration = .seconds(2)) -> Bool {
        wait(limit) { store in store.file.withLock { $0.end() } } != nil
    }

    // MARK: How it is

    /// Files that were damaged, since it was opened.
    public var damage: [Damage] { shared.withLock(\.damage) }

    /// What keeps it from keeping anything now, in words.
    public var issues: [String] {
        shared.withLock { shared in
            var issues: [String] = []
            if shared.isShared {
                issues.append("another thrumd keeps the preset chosen by hand and the day's hearing dose in "
                    + "\(path.removingLastComponent()), too: each writes over the other's")
            }
            if let since = shared.busySince, since.duration(to: .now) > BlockingWork.limit {
                issues.append("what is to outlast a restart cannot be kept: \(path): \(BlockingWork.noAnswer)")
            } else if let failure = shared.failure {
                issues.append("what is to outlast a restart cannot be kept: \(failure)")
            }
            if !shared.unread.isEmpty {
                issues.append("\(path) could not be read at the start: what it knows of households is used from the next start on")
            }
            return issues
        }
    }
}
