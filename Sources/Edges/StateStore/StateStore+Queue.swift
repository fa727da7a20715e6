import Dispatch
import Synchronization
import SystemPackage

// What is done on the store's queue, and may wait for the disk.
extension StateStore {
    func work(_ task: @escaping @Sendable () -> Void) {
        queue.async {
            self.shared.withLock { $0.busySince = .now }
            task()
            self.shared.withLock { $0.busySince = nil }
        }
    }

    /// What `task` gives; nil when it takes longer than `limit`.
    func wait<Value: Sendable>(_ limit: Duration, for task: @escaping @Sendable (StateStore) -> Value) -> Value? {
        let (answer, isOver) = (Answer<Value>(), DispatchSemaphore(value: 0))
        work {
            let value = task(self)
            answer.value.withLock { $0 = value }
            isOver.signal()
        }
        _ = isOver.wait(timeout: .now() + limit.interval)
        return answer.value.withLock { $0 }
    }

    /// Before changes are queued: what is wrong with them.
    func accept(_ changes: [Change]) -> NotKept? {
        if let body = changes.lazy.compactMap(\.body).first(where: { $0.utf8.count > Self.longestBody }) {
            return NotKept(reason: "a body of \(body.utf8.count) bytes: at most \(Self.longestBody) are kept")
        }
        return shared.withLock { shared in
            guard shared.waiting < Self.mostWaiting else {
                return NotKept(reason: "\(path): \(shared.waiting) commits are waiting for the disk already")
            }
            shared.waiting += 1
            for change in changes {
                if let key = change.memoryKey { shared.memories[key] = change.body }
                if case .admit(let token) = change { shared.tokens[token.name] = token }
                if case .revoke(let name) = change { shared.tokens[name] = nil }
            }
            return nil
        }
    }

    /// The database, and what earlier versions left beside it.
    func readAll() -> Found {
        var found = Found()
        file.withLock { file in
            defer { note(file) }
            do {
                try read(&file, into: &found)
            } catch {
                shared.withLock { $0.failure = "\(error)" }
                // Where there is no file nothing was kept.
                if file.mayBeThere { found.unread = "\(error)" }
            }
            takeOver(&file, into: &found)
        }
        return found
    }

    private func read(_ file: inout StateFile, into found: inout Found) throws {
        let content: StateFile.Content
        do {
            content = try file.content()
        } catch {
            // It may still be read on a disk that is full or read-only.
            guard let old = try? file.contentOfCopy() else { throw error }
            content = old
            shared.withLock { $0.failure = "\(error)" }
        }
        (found.hearingDay, found.preset, found.tokens) = (content.hearingDay, content.preset, content.tokens)
        shared.withLock { shared in
            shared.isRead = true
            for token in content.tokens where shared.tokens[token.name] == nil { shared.tokens[token.name] = token }
            for (key, body) in content.memories {
                if shared.memories[key] == nil { shared.memories[key] = body } else { shared.unread.insert(key) }
            }
        }
    }

    private func takeOver(_ file: inout StateFile, into found: inout Found) {
        let earlier = EarlierFiles(in: path.removingLastComponent())
        found.hearingDay = earlier.hearingDay ?? found.hearingDay
        found.preset = earlier.preset ?? found.preset
        file.damage += earlier.damage
        guard !earlier.changes.isEmpty, (try? file.write(earlier.changes)) != nil else { return }
        earlier.remove()
    }

    func write(_ changes: [Change]) -> Result<Commit, NotKept> {
        file.withLock { file in
            defer { note(file) }
            do {
                if !shared.withLock(\.isRead) {
                    var late = Found()
                    try read(&file, into: &late)
                }
                let unread = shared.withLock(\.unread)
                if let change = changes.first(where: { $0.memoryKey.map(unread.contains) ?? false }) {
                    throw NotKept(reason: "\(path) could not be read at the start: what it knows of "
                        + "\(change.memoryKey?.household ?? "") is not overwritten")
                }
                let commit = try file.write(changes)
                if file.isReplaced { try restore(&file) }
                shared.withLock { $0.failure = nil }
                return .success(commit)
            } catch {
                let reason = notKept(error)
                shared.withLock { $0.failure = reason.reason }
                return .failure(reason)
            }
        }
    }

    func notKept(_ error: any Error) -> NotKept { error as? NotKept ?? NotKept(reason: "\(path): \(error)") }

    /// Into a database that is in the place of one that was damaged or removed: what households are known for, and tokens, are in memory.
    private func restore(_ file: inout StateFile) throws {
        let (memories, tokens) = shared.withLock { shared in
            (shared.memories.filter { !shared.unread.contains($0.key) }, shared.tokens.values)
        }
        // What was just committed may be among them.
        _ = try file.write(memories.map { .remember(piece: $0.piece, household: $0.household, body: $1) }
            + tokens.flatMap { [.revoke(token: $0.name), .admit($0)] })
        file.isReplaced = false
    }

    private func note(_ file: borrowing StateFile) {
        shared.withLock { shared in
            shared.isShared = file.isShared
            shared.damage = file.damage
        }
    }
}

private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}

/// Tells of a commit once: what comes first counts.
final class Telling: Sendable {
    private let then: Mutex<(@Sendable (Result<Commit, NotKept>) -> Void)?>

    init(_ then: @escaping @Sendable (Result<Commit, NotKept>) -> Void) { self.then = Mutex(then) }

    func tell(_ result: Result<Commit, NotKept>) {
        let then = then.withLock { then in
            defer { then = nil }
            return then
        }
        then?(result)
    }
}

extension Duration {
    var interval: DispatchTimeInterval { .milliseconds(Int(self / .milliseconds(1))) }
}
