import GRDB

// What is read now and then, and waits for the disk; not for the event loop to block on, but to await.
extension StateStore {
    /// Nil for an outbox of which nothing has been sent.
    public func position(ofCursor name: String) async throws(NotKept) -> String? {
        try await read { try String.fetchOne($0, sql: "SELECT position FROM cursor WHERE name = ?", arguments: [name]) }
    }

    /// On a connection of its own, so that who commits does not wait for it. Until the database was opened once, as all else is done.
    func look<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(NotKept) -> Value {
        guard shared.withLock(\.isRead) else { return try await read(body) }
        return try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, NotKept>, Never>) in
            looks.async { [self] in
                continuation.resume(returning: Result {
                    var configuration = Configuration()
                    configuration.readonly = true
                    configuration.busyMode = .timeout(5)
                    let database = try DatabaseQueue(path: path.string, configuration: configuration)
                    defer { try? database.close() }
                    return try database.read(body)
                }.mapError { notKept($0) })
            }
        }.get()
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(NotKept) -> Value {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, NotKept>, Never>) in
            work {
                continuation.resume(returning: self.file.withLock { file in
                    do {
                        return .success(try file.read(body))
                    } catch {
                        return .failure(self.notKept(error))
                    }
                })
            }
        }.get()
    }
}
