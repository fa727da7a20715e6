import Files
import Wire

// What takes its time is done on other threads.
extension Stage {
    /// Has `job` done by `workers`, and then `then` on the event loop. Whoever asks is always answered: with a refusal where there is no
    /// room, or where it gives way to a client that has asked less, and with what `job` throws.
    func work<Found: Sendable>(_ workers: Workers, _ caller: Caller, _ job: @escaping @Sendable () throws(ErrorReply) -> Found,
                               then: @escaping @Sendable (isolated Stage, Found) -> Void) {
        workers.start(for: caller.client) { [loop] in
            let result = Result { () throws(ErrorReply) in try job() }
            loop.execute {
                self.assumeIsolated { stage in
                    switch result {
                    case .success(let found): then(stage, found)
                    case .failure(let error): caller.refuse(error)
                    }
                }
            }
        } refused: { [loop] busy in
            loop.execute { caller.refuse(ErrorReply(.refused(.busy), "\(busy)")) }
        }
    }
}
