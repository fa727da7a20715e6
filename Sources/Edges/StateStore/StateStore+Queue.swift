import Dispatch
import Files
import Synchronization
import SystemPackage

// The work that is done on the store's queue, and may wait for the disk.
extension StateStore {
    func work(_ task: @escaping @Sendable () -> Void) {
        queue.async {
            self.shared.withLock { $0.busySince = .now }
            task()
            self.shared.withLock { $0.busySince = nil }
        }
    }

    /// Runs `task` on the queue, and waits for its result. Returns nil when that takes longer than `limit`.
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

    /// Adds `changes` to those that will be written next. Returns the number of the commit, or the reason why the changes are refused.
    func enqueue(_ changes: [Change], _ then: (@Sendable (Result<Commit, NotKept>) -> Void)?) -> Result<Int, NotKept> {
        let (result, isFirst) = shared.withLock { shared -> (Result<Int, NotKept>, Bool) in
            let changes = changes.map { shared.spelled($0) }
            let households = Set(changes.lazy.compactMap(\.memoryKey))
            if households.contains(where: shared.unread.contains) {
                return (.failure(notOverwritten), false)
            }
            if let household = households.first(where: shared.closing.contains) {
                return (.failure(NotKept(reason: "\(household.household) is being removed, or merged with another household")), false)
            }
            if let refusal = shared.refusal(of: changes) {
                shared.note(refusal: refusal)
                return (.failure(NotKept(reason: refusal)), false)
            }
            shared.commits += 1
            shared.pending.append(Batch(changes, of: shared.commits))
            if let then { shared.waiting[shared.commits] = Waiting(households: households, tell: then) }
            for change in changes { shared.follow(change) }
            defer { shared.isWriteComing = true }
            return (.success(shared.commits), !shared.isWriteComing)
        }
        if isFirst { work { self.writePending() } }
        return result
    }

    private var notOverwritten: NotKept {
        NotKept(reason: "\(path) could not be read at the start: what it knows of this household is not overwritten")
    }

    /// Reads the whole database, when the store is opened.
    func readAll() -> Found {
        var found = Found()
        MemoryCopy.removeLeftOver()
        file.withLock { file in
            defer { note(file) }
            do {
                try read(&file, into: &found)
            } catch {
                shared.withLock { $0.failure = "\(error)" }
                // If there is no file, nothing was stored before.
                if file.mayBeThere { found.unread = "\(error)" }
            }
        }
        return found
    }

    private func read(_ file: inout StateFile, into found: inout Found) throws {
        let content: StateFile.Content
        do {
            content = try file.content()
        } catch {
            // On a disk that is full or read-only, the database may still be readable as a copy.
            guard file.owner == nil, let old = try? file.contentOfCopy() else { throw error }
            content = old
            shared.withLock { $0.failure = "\(error)" }
        }
        (found.hearingDay, found.preset, found.volume) = (content.hearingDay, content.preset, content.volume)
        (found.tokens, found.documents, found.cursors) = (content.tokens, content.documents, content.cursors)
        shared.withLock { shared in
            shared.isRead = true
            for token in content.tokens where shared.tokens[token.name] == nil { shared.tokens[token.name] = token }
            shared.secrets.merge(content.secrets) { known, _ in known }
            for document in content.documents { shared.documents[document.key] = shared.documents[document.key] ?? document }
            for (key, body) in content.memories {
                if shared.isBlind || shared.memories[key] != nil { shared.unread.insert(key) } else { shared.memories[key] = body }
            }
            for key in shared.unread { shared.memories[key] = nil }
        }
        check.begin { [weak self] in self?.setAside($0, because: $1) } altered: { [weak self] misfits in
            self?.shared.withLock { $0.altered = ($0.altered.count + misfits.count, misfits.last ?? $0.altered.last) }
        } ended: { [weak self] in
            self?.checkpointSoon(hasEntries: false)
        }
    }

    /// Sets aside a database file in which the check has found damage, if it is still the current one.
    private func setAside(_ checked: FileIdentity, because reason: String) {
        work { [self] in
            file.withLock { file in
                defer { note(file) }
                do {
                    try file.setAside(checked, because: reason)
                } catch {
                    shared.withLock { $0.failure = notKept(error).reason }
                }
            }
        }
        // This writes what is still in memory to the new database.
        commit([])
    }

    /// Writes all pending changes in one transaction, including those that could not be written before.
    func writePending() {
        let (pending, last) = shared.withLock { shared in
            defer { (shared.pending, shared.isWriteComing) = (Batch(), false) }
            return (shared.pending, shared.commits)
        }
        var batch = pending
        file.withLock { file in
            let result: (Int) -> Result<Commit, NotKept>
            do {
                if !shared.withLock(\.isRead) {
                    var late = Found()
                    try read(&file, into: &late)
                }
                batch.leaveOut(shared.withLock(\.unread))
                let known = try file.write(batch)
                if file.isReplaced { try restore(&file) }
                shared.withLock { shared in
                    shared.failure = nil
                    for document in batch.documents { shared.documents[document.key] = document }
                }
                result = { .success(Commit(known: known[$0] ?? [])) }
            } catch let refusal as StateFile.Refusal {
                shared.withLock { $0.note(refusal: refusal.reason) }
                result = { _ in .failure(NotKept(reason: refusal.reason)) }
            } catch {
                let problem = notKept(error)
                batch.leaveOutDocuments()
                shared.withLock { shared in
                    shared.failure = problem.reason
                    batch.append(shared.pending)
                    shared.pending = batch
                }
                result = { _ in .failure(problem) }
            }
            // The callback may ask for the store's state at once, so that is updated first.
            note(file)
            tell(until: last, result)
        }
        checkpointSoon(hasEntries: !batch.entries.isEmpty)
    }

    /// Moves entries from the WAL into the database file as soon as no change is waiting, so that the entries survive without the WAL.
    /// Under load, SQLite does that itself every 1,000 pages.
    private func checkpointSoon(hasEntries: Bool) {
        let isDue = shared.withLock { shared in
            shared.owesCheckpoint = shared.owesCheckpoint || hasEntries
            return shared.owesCheckpoint && !shared.isWriteComing
        }
        guard isDue else { return }
        work { [self] in
            guard shared.withLock({ !$0.isWriteComing && $0.failure == nil }) else { return }
            // If the disk does not accept it, everything stays in the WAL; while the check reads, changes that it does not see yet stay
            // there, too.
            let isWhole = (try? file.withLock { try $0.checkpoint() }) ?? false
            shared.withLock { $0.owesCheckpoint = !isWhole }
        }
    }

    /// Calls the callbacks of all commits up to number `last`.
    private func tell(until last: Int, _ result: (Int) -> Result<Commit, NotKept>) {
        let (finished, unread) = shared.withLock { shared in
            let finished = shared.waiting.filter { $0.key <= last }
            for number in finished.keys { shared.waiting[number] = nil }
            return (finished, shared.unread)
        }
        for (number, waiting) in finished.sorted(by: { $0.key < $1.key }) {
            waiting.tell(waiting.households.contains(where: unread.contains) ? .failure(notOverwritten) : result(number))
        }
    }

    func notKept(_ error: any Error) -> NotKept { error as? NotKept ?? NotKept(reason: "\(path): \(error)") }

    /// Writes the memories, secrets, tokens and documents, which are all in memory, to a database that has taken the place of a damaged or
    /// removed one.
    private func restore(_ file: inout StateFile) throws {
        let (memories, secrets, tokens, documents) = shared.withLock { shared in
            (shared.memories.filter { !shared.unread.contains($0.key) }, shared.secrets, shared.tokens.values, shared.documents.values)
        }
        let protections = secrets.map { Change.protect(piece: $0.piece, household: $0.household, hash: $1) }
        let values = protections + memories.map { Change.remember(piece: $0.piece, household: $0.household, body: $1) }
            + tokens.map { .admit($0) } + documents.map { .keep($0) }
        _ = try file.write(Batch(values))
        file.isReplaced = false
    }

    private func note(_ file: borrowing StateFile) {
        shared.withLock { shared in
            shared.owner = file.owner
            shared.damage = file.damage
            shared.displacements = file.displacements
            shared.loss = file.loss
        }
    }
}

private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}

extension StateStore.Shared {
    /// Returns why `changes` are refused even before they are written; nil when they are not.
    fileprivate func refusal(of changes: [Change]) -> String? {
        if let body = changes.lazy.compactMap(\.body).first(where: { $0.utf8.count > StateStore.longestBody }) {
            return "a body of \(body.utf8.count) bytes: at most \(StateStore.longestBody) are kept"
        }
        guard changes.contains(where: \.isEntry) else { return nil }
        let most = StateStore.mostWaiting
        guard pending.entries.count < most.entries, pending.bytes < most.bytes else {
            return "\(pending.entries.count) entries of the ledger that wait for the disk already"
        }
        return nil
    }

    /// Returns `change` with its household's name replaced by the name as it is stored. To SQLite the two Unicode forms of "é" are
    /// different names.
    fileprivate func spelled(_ change: Change) -> Change {
        guard let key = change.memoryKey else { return change }
        return change.of(household: spelled(key).household)
    }

    /// Returns `key` with the household's name as it is stored; unchanged for a household about which nothing is stored.
    func spelled(_ key: MemoryKey) -> MemoryKey {
        memories.index(forKey: key).map { memories[$0].key } ?? secrets.index(forKey: key).map { secrets[$0].key } ?? key
    }

    /// Applies a change to the state in memory. It is in effect from now on, committed or not.
    mutating func follow(_ change: Change) {
        switch change {
        case .remember(let piece, let household, let body): memories[MemoryKey(piece: piece, household: household)] = body
        case .protect(let piece, let household, let hash): secrets[MemoryKey(piece: piece, household: household)] = hash
        case .forget(let piece, let household): memories[MemoryKey(piece: piece, household: household)] = nil
        case .admit(let token): tokens[token.name] = token
        case .revoke(let name): tokens[name] = nil
        case .setAside(let piece, _, _, let reason):
            // The household's name is left out, because not everybody who may see this message may know who lives here.
            setAside = (setAside.count + 1, "one of \(piece), because \(reason)")
        case .append, .choose, .turn, .hear, .move, .keep: break
        }
    }

    fileprivate mutating func note(refusal: String) { refusals = ((refusals?.count ?? 0) + 1, refusal) }
}

extension Change {
    fileprivate var isEntry: Bool { if case .append = self { true } else { false } }
}

extension Duration {
    var interval: DispatchTimeInterval { .milliseconds(Int(self / .milliseconds(1))) }
}
