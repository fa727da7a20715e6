import Dispatch
import Fields
import Glibc
import Synchronization
import SystemPackage

/// Runs work that may never end, such as reading from a file system that does not answer. A system call cannot be cancelled, so the work
/// runs on a thread of its own. If it takes too long, the caller goes on without its result, and the thread is abandoned: it ends when the
/// system call returns. Thread: any.
public enum BlockingWork {
    /// The time for which callers wait for a file.
    public static let limit = Duration.seconds(5)
    /// The largest number of abandoned threads. While there are as many, more work is refused.
    public static let mostAbandoned = 16

    /// The fault of a file that did not answer within `limit`.
    public static let noAnswer = noAnswer(within: limit)

    private static let abandoned = Atomic(0)

    /// Runs `body`, and returns its result or throws its error. Throws `Fault` when that takes longer than `limit`, or when too many
    /// threads are abandoned already. Throws `Errno` when no thread can be started.
    public static func wait<Value: Sendable>(_ limit: Duration = limit, for body: @escaping @Sendable () throws -> Value) throws -> Value {
        let (answer, isOver) = (Answer<Value>(), DispatchSemaphore(value: 0))
        let errand = Errand<Value> { result in
            answer.result.withLock { $0 = result }
            isOver.signal()
        }
        try start(errand, body)
        if isOver.wait(timeout: .now() + limit.seconds) == .timedOut {
            giveUp(errand, noAnswer(within: limit))
            // The result may have arrived just before the errand was given up.
            isOver.wait()
        }
        guard let result = answer.result.withLock({ $0 }) else { preconditionFailure("what is over has a result") }
        return try result.get()
    }

    /// Runs `body` as `wait` does, without blocking the caller's thread. Throws `CancellationError` at once when the task is cancelled.
    /// Without a `limit`, the task waits until the work ends or the task is cancelled.
    public static func apart<Value: Sendable>(_ limit: Duration? = nil, for body: @escaping @Sendable () throws -> Value) async throws
        -> Value {
        let later = Later<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let errand = Errand<Value> { continuation.resume(with: $0) }
                do {
                    try start(errand, body)
                } catch {
                    errand.settle(.failure(error))
                }
                if let limit {
                    DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds) { giveUp(errand, noAnswer(within: limit)) }
                }
                later.has(errand)
            }
        } onCancel: {
            later.cancel()
        }
    }

    private static func start<Value>(_ errand: Errand<Value>, _ body: @escaping @Sendable () throws -> Value) throws {
        let count = abandoned.load(ordering: .relaxed)
        guard count < mostAbandoned else {
            throw Fault(field: "", expected: "files that answer", found: "\(count) that do not yet")
        }
        try Thread.start {
            // An errand that nobody waits for any more was counted as abandoned.
            if !errand.settle(Result { try body() }) { abandoned.subtract(1, ordering: .relaxed) }
        }
    }

    fileprivate static func giveUp<Value>(_ errand: Errand<Value>, _ error: any Error) {
        // It is counted before it is settled, because the thread counts it down as soon as it finds that nobody waits.
        abandoned.add(1, ordering: .relaxed)
        if !errand.settle(.failure(error)) { abandoned.subtract(1, ordering: .relaxed) }
    }

    private static func noAnswer(within limit: Duration) -> Fault {
        Fault(field: "", expected: "a file that answers within \(Fault.plain(limit.seconds)) s", found: "one that does not answer")
    }
}

/// A piece of work whose result is passed on to the caller once. The first result counts: that of the work, or the error with which the
/// caller stops waiting for it.
private final class Errand<Value: Sendable>: Sendable {
    private let waiting: Mutex<(@Sendable (Result<Value, any Error>) -> Void)?>

    init(_ whenOver: @escaping @Sendable (Result<Value, any Error>) -> Void) { waiting = Mutex(whenOver) }

    /// Passes the result on to the caller. Returns whether the caller was still waiting for it.
    @discardableResult
    func settle(_ result: Result<Value, any Error>) -> Bool {
        let whenOver = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        whenOver?(result)
        return whenOver != nil
    }
}

private final class Answer<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}

/// Lets a caller cancel a piece of work, even before the work has been passed to `has`.
private final class Later<Value: Sendable>: Sendable {
    private struct State {
        var errand: Errand<Value>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func has(_ errand: Errand<Value>) {
        let isCancelled = state.withLock { state in
            state.errand = errand
            return state.isCancelled
        }
        if isCancelled { BlockingWork.giveUp(errand, CancellationError()) }
    }

    func cancel() {
        let errand = state.withLock { state in
            state.isCancelled = true
            return state.errand
        }
        if let errand { BlockingWork.giveUp(errand, CancellationError()) }
    }
}

enum Thread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new, detached thread. Throws `Errno`.
    static func start(_ body: @escaping @Sendable () -> Void) throws {
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { argument in
            guard let argument else { return nil }
            Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
            return nil
        }, box.toOpaque())
        guard status == 0 else {
            box.release()
            throw Errno(rawValue: status)
        }
        pthread_detach(thread)
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
