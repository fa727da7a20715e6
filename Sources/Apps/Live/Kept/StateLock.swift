import Dispatch
import Files
import FoundationEssentials
import Synchronization
import SystemPackage

/// Notices when another process keeps its state in the same directory, where each writes over what the other has kept. Thread: any; it
/// asks the disk on a queue of its own.
final class StateLock: Sendable {
    private struct State {
        var lock: FileLock?
        /// Somebody else has it.
        var isTaken = false
        var isAsking = false
    }

    private let directory: FilePath
    private let queue = DispatchQueue(label: "state lock")
    private let state = Mutex(State())

    init(_ directory: FilePath) { self.directory = directory }

    /// Takes the lock, if it can be had now. To be called again from time to time.
    func tend() {
        let isIdle = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        if isIdle { queue.async { self.take() } }
    }

    /// In words; nil when nobody else is there.
    var issue: String? {
        state.withLock(\.isTaken)
            ? "another thrumd keeps the preset chosen by hand and the day's hearing dose in \(directory), too: each writes over the other's"
            : nil
    }

    private func take() {
        let held = state.withLock(\.lock)
        guard held?.isValid != true else { return state.withLock { $0.isAsking = false } }
        // Where that cannot be, nothing can be kept either, which is told when it is tried.
        try? FileManager.default.createDirectory(atPath: directory.string, withIntermediateDirectories: true)
        let lock = Result { try FileLock.take(directory.appending("lock").string) }
        state.withLock { state in
            state.lock = try? lock.get()
            state.isTaken = if case .success(nil) = lock { true } else { false }
            state.isAsking = false
        }
    }
}
