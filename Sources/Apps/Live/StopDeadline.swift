import Dispatch
import Synchronization

/// Sees to it that the program ends in time once it has been told to, whatever does not come back. Thread: any.
public final class StopDeadline: Sendable {
    /// From being told to the end at the latest. What is done regularly takes less in all: the fade 0.3 s, the journal 2 s, what is kept
    /// for the next start 2 s.
    public static let patience = DispatchTimeInterval.seconds(5)

    private struct State {
        /// What is being done now.
        var step: String
        var hasBegun = false
        var isOver = false
    }

    private let state: Mutex<State>
    private let patience: DispatchTimeInterval
    private let expire: @Sendable (_ step: String) -> Void
    /// One of its own, so that nothing else is in its way.
    private let queue = DispatchQueue(label: "stop deadline", qos: .userInteractive)

    /// `step` is what is done before the first is named. `expire` is called when it takes too long, with the step that does, on a thread
    /// of its own; it is to end the process.
    public init(patience: DispatchTimeInterval = patience, doing step: String, expire: @escaping @Sendable (_ step: String) -> Void) {
        self.patience = patience
        self.expire = expire
        state = Mutex(State(step: step))
    }

    /// The time begins. Of several calls the first counts.
    public func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + patience) { [self] in
            guard let step = state.withLock({ $0.isOver ? nil : $0.step }) else { return }
            expire(step)
        }
    }

    /// What is done from now on, in words that go on from "it still".
    public func nowDoing(_ step: String) { state.withLock { $0.step = step } }

    /// All is done.
    public func end() { state.withLock { $0.isOver = true } }
}
