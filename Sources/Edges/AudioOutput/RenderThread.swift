import Glibc

/// A thread of its own for rendering, with real-time priority where the system grants it.
final class RenderThread: Sendable {
    private let thread: pthread_t

    /// Runs `body` on a new thread, and tells it whether it has real-time priority.
    /// One that is not urgent is not given it.
    init(isUrgent: Bool = true, _ body: @escaping @Sendable (_ isRealtime: Bool) -> Void) {
        let box = Unmanaged.passRetained(Body(isUrgent: isUrgent, body))
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { argument in
            guard let argument else { return nil }
            let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
            // Above ordinary programs, below the sound server's own threads; refused without RLIMIT_RTPRIO, and then the
            // thread carries on as it is.
            var priority = sched_param(sched_priority: 4)
            body.run(body.isUrgent && pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0)
            return nil
        }, box.toOpaque())
        precondition(status == 0, "a thread can be started: \(String(cString: strerror(status)))")
        self.thread = thread
    }

    /// Waits until `body` has returned. Call once.
    func join() { pthread_join(thread, nil) }

    private final class Body: Sendable {
        let isUrgent: Bool
        let run: @Sendable (Bool) -> Void

        init(isUrgent: Bool, _ run: @escaping @Sendable (Bool) -> Void) {
            self.isUrgent = isUrgent
            self.run = run
        }
    }
}
