import Files
import StateStore
import Wire

/// Answers a request later: when a thread of a pool, the disk or the state database is done. Whoever asks gets an answer or an error,
/// whatever fails; what comes next is done on the event loop. Thread: made on the event loop.
struct Later: Sendable {
    let caller: Caller

    init(_ caller: Caller) { self.caller = caller }

    /// Has `then` done on the event loop, soon. Thread: any.
    func resume(_ then: @escaping @Sendable (isolated Stage) -> Void) {
        caller.stage.loop.execute { caller.stage.assumeIsolated { then($0) } }
    }

    /// Has `job` done by `workers`, and then `then` on the event loop. It is refused where there is no room, or where it gives way to a
    /// client that has asked less, and with what `job` throws.
    func work<Found: Sendable>(by workers: Workers, _ job: @escaping @Sendable () throws(ErrorReply) -> Found,
                               then: @escaping @Sendable (isolated Stage, Found) -> Void) {
        workers.start(for: caller.client) {
            let result = Result { () throws(ErrorReply) in try job() }
            resume { stage in
                switch result {
                case .success(let found): then(stage, found)
                case .failure(let error): caller.refuse(error)
                }
            }
        } refused: { busy in
            resume { _ in caller.refuse(ErrorReply(.refused(.busy), "\(busy)")) }
        }
    }

    /// Has `changes` kept. `then` is told on the event loop when they are on the disk, or why they are not; `limit` nil waits for a disk
    /// that hangs.
    func commit(_ changes: [Change], in store: StateStore, within limit: Duration? = BlockingWork.limit,
                then: @escaping @Sendable (isolated Stage, NotKept?) -> Void) {
        store.commit(changes, within: limit) { result in
            let problem: NotKept? = if case .failure(let problem) = result { problem } else { nil }
            resume { then($0, problem) }
        }
    }

    /// Has `job` ask the state database, and answers with what it gives or throws. `lack` is what is refused without a state directory.
    /// Few wait at once: the others are refused as busy. `then` is done last, also where nothing was.
    func ask(_ store: StateStore?, orRefuse lack: String, on stage: isolated Stage,
             _ job: @escaping @Sendable (StateStore) async throws(ErrorReply) -> any Encodable & Sendable,
             then: @escaping @Sendable (isolated Stage) -> Void = { _ in }) {
        do throws(ErrorReply) {
            guard let store else { throw ErrorReply(.refused(.notHere), lack) }
            try stage.clients.deferredAnswers.begin(for: caller.client)
            Task {
                do throws(ErrorReply) {
                    caller.answer(try await job(store))
                } catch {
                    caller.refuse(error)
                }
                stage.clients.deferredAnswers.end(for: caller.client)
                then(stage)
            }
        } catch {
            then(stage)
            caller.refuse(error)
        }
    }
}
