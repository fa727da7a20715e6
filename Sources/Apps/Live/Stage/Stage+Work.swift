import Files
import Wire

// What takes its time is done on other threads.
extension Stage {
    /// Has `job` done by `workers`, and then `then` on the event loop. Whoever asks is always answered: with a refusal at once where there
    /// is no room, and with what `job` throws.
    func work<Found: Sendable>(_ workers: Workers, _ caller: Caller, _ job: @escaping @Sendable () throws(ErrorReply) -> Found,
                               then: @escaping @Sendable (isolated Stage, Found) -> Void) {
        do throws(Workers.Busy) {
            try workers.start(for: caller.client) { [loop] in
                let result = Result { () throws(ErrorReply) in try job() }
                loop.execute {
                    self.assumeIsolated { stage in
                        switch result {
                        case .success(let found): then(stage, found)
                        case .failure(let error): caller.refuse(error)
                        }
                    }
                }
            }
        } catch {
            caller.refuse(ErrorReply(.refused(.busy), "\(error)"))
        }
    }
}
