import Dispatch
import FoundationEssentials
import Glibc
import Logging
import Synchronization
import SystemPackage

/// A value that outlasts a restart, in a file of its own. Thread: any; it writes on a queue of its own.
final class KeptFile<Value: Codable & Equatable & Sendable>: Sendable {
    private struct Written {
        var value: Value?
        /// Whether the file has it, or will.
        var isSure = false
    }

    private let path: FilePath
    private let queue: DispatchQueue
    private let logger: Logger
    private let written = Mutex(Written())

    init(_ name: String, in state: FilePath, logger: Logger) {
        path = state.appending(name)
        queue = DispatchQueue(label: name)
        self.logger = logger
    }

    /// Nil when nothing is known.
    func read() -> Value? {
        let data = try? Data(contentsOf: URL(filePath: path.string))
        let value = data.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
        written.withLock { $0 = Written(value: value, isSure: true) }
        return value
    }

    /// In place of the one before, at once or not at all; nil is no file. Nothing if that is the same, unless it could not be written.
    func write(_ value: Value?) {
        guard written.withLock({ written in
            defer { written = Written(value: value, isSure: true) }
            return !written.isSure || written.value != value
        }) else { return }
        queue.async { [self] in
            do {
                try put(value)
            } catch {
                written.withLock { $0.isSure = false }
                logger.warning("what is to outlast a restart cannot be kept", metadata: ["file": "\(path)", "reason": "\(error)"])
            }
        }
    }

    /// Returns when all is written, but waits for a disk that hangs no longer than two seconds.
    func finish() {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + 2)
    }

    private func put(_ value: Value?) throws {
        guard let value else {
            guard unlink(path.string) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
            return
        }
        try FileManager.default.createDirectory(atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
        try JSONEncoder().encode(value).write(to: URL(filePath: path.string), options: .atomic)
    }
}
