import Dispatch
import Synchronization

/// Ends the process after it was told to stop, if it has not ended by itself within `timeout` because a step of stopping hangs. Thread:
/// any.
public final class StopDeadline: Sendable {
    /// The longest time that stopping may take. The steps take less: the fade 0.3 s, the journal 2 s, the state for the next start 2 s.
    public static let timeout = DispatchTimeInterval.seconds(5)

    private struct State {
        /// The present step.
        var step: String
        var hasBegun = false
        var isOver = false
    }

    private let state: Mutex<State>
    private let timeout: DispatchTimeInterval
    private let expire: @Sendable (_ step: String) -> Void
    /// The deadline has a queue of its own, so that nothing else delays it.
    private let queue = DispatchQueue(label: "stop deadline", qos: .userInteractive)

    /// `step` is the first step. When the time has run out, the deadline calls `expire` on its own thread, with the step that hangs.
    /// `expire` must end the process.
    public init(timeout: DispatchTimeInterval = timeout, doing step: String, expire: @escaping @Sendable (_ step: String) -> Void) {
        self.timeout = timeout
        self.expire = expire
        state = Mutex(State(step: step))
    }

    /// Begins to measure the time until the process is ended. Only the first call has an effect.
    public func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + timeout) { [self] in
            guard let step = state.withLock({ $0.isOver ? nil : $0.step }) else { return }
            expire(step)
        }
    }

    /// Names the step that starts now, in words that continue "it still".
    public func nowDoing(_ step: String) { state.withLock { $0.step = step } }

    /// Ends the deadline, because stopping is complete.
    public func end() { state.withLock { $0.isOver = true } }
}
