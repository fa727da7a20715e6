import Dispatch
import FoundationEssentials
import Logging
import Synchronization
import SystemPackage
import Venue

/// What the day's ears have had, kept over a restart. Thread: any; it writes on a queue of its own.
final class DayFile: Sendable {
    private let path: FilePath
    private let queue = DispatchQueue(label: "hearing")
    private let logger: Logger
    private let written = Mutex<HearingDay?>(nil)

    init(in state: FilePath, logger: Logger) {
        path = state.appending("hearing.json")
        self.logger = logger
    }

    /// Nil when nothing is known.
    func read() -> HearingDay? {
        guard let data = try? Data(contentsOf: URL(filePath: path.string)) else { return nil }
        return try? JSONDecoder().decode(HearingDay.self, from: data)
    }

    /// In place of the one before, at once or not at all; nothing if that is the same.
    func write(_ day: HearingDay) {
        guard written.withLock({ written in
            defer { written = day }
            return written != day
        }) else { return }
        queue.async { [path, logger] in
            do {
                try FileManager.default.createDirectory(atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
                try JSONEncoder().encode(day).write(to: URL(filePath: path.string), options: .atomic)
            } catch {
                logger.warning("the day's hearing dose cannot be kept", metadata: ["file": "\(path)", "reason": "\(error)"])
            }
        }
    }

    /// Returns when all is written, but waits for a disk that hangs no longer than two seconds.
    func finish() {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + 2)
    }
}
