import Dispatch
import Files
import FoundationEssentials
import Glibc
import Logging
import Synchronization
import SystemPackage

/// A value that outlasts a restart, in a file of its own. Thread: any; it writes on a queue of its own.
final class KeptFile<Value: Codable & Equatable & Sendable>: Sendable {
    /// What was there at the start.
    enum Reading: Equatable {
        case nothing
        case value(Value)
        /// It cannot be read, or makes no sense. `written` is when it was changed last, seconds since 1970-01-01 in UTC, if that is known;
        /// `aside` is what it is called now, if it could be renamed.
        case damaged(written: Int?, aside: FilePath?, reason: String)
    }

    private struct Written {
        var value: Value?
        /// Whether the file has it, or will.
        var isSure = false
    }

    /// A value is a line or two.
    private static var longest: Int { 1 << 20 }

    let path: FilePath
    private let queue: DispatchQueue
    private let logger: Logger
    private let written = Mutex(Written())

    init(_ name: String, in state: FilePath, logger: Logger) {
        path = state.appending(name)
        queue = DispatchQueue(label: name)
        self.logger = logger
    }

    /// Sets a damaged file aside under a name with the time, `now` in seconds since 1970-01-01 in UTC. One that the disk did not give
    /// stays where it is: it may be good.
    func read(now: Int = time(nil)) -> Reading {
        let reading: Reading
        do {
            reading = .value(try JSONDecoder().decode(Value.self, from: Data(PlainFile.bytes(of: path, atMost: Self.longest))))
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            reading = .nothing
        } catch where error is Errno || Patience.isGivenUp(error) {
            reading = .damaged(written: nil, aside: nil, reason: "\(error)")
        } catch {
            reading = setAside(now, because: error is DecodingError ? "it makes no sense" : "\(error)")
        }
        written.withLock { written in
            if case .value(let value) = reading { written.value = value }
            written.isSure = true
        }
        return reading
    }

    private func setAside(_ now: Int, because reason: String) -> Reading {
        let name = FilePath("\(path).damaged-" + Date(timeIntervalSince1970: Double(now)).formatted(.iso8601))
        let change = try? Patience.wait { [path] in
            var info = stat()
            guard lstat(path.string, &info) == 0, rename(path.string, name.string) == 0 else { throw Errno(rawValue: errno) }
            return Int(info.st_mtim.tv_sec)
        }
        return .damaged(written: change, aside: change == nil ? nil : name, reason: reason)
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

    /// Returns when all is written, but waits for a disk that hangs no longer than until `end`.
    func finish(by end: DispatchTime = .now() + 2) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        guard isDone.wait(timeout: end) == .timedOut else { return }
        logger.error("the disk does not take what is to outlast a restart", metadata: ["file": "\(path)"])
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
