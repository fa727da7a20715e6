import Files
import StateStore
import Wire

/// The desks. Each desk answers clients' requests about one subject, and has its own state. Work that is finished later comes back to the
/// event loop by `Later`. Thread: the event loop, as part of the stage.
struct Desks {
    let front: FrontDesk
    let queries = QueryDesk()
    let touches = TouchDesk()
    let explore = ExploreDesk()
    let switches = SwitchDesk()
    let speech: SpeechDesk
    let rates: RateDesk
    let kiosk: KioskDesk
    let tokens: TokenDesk
    let documents: DocumentDesk
    let households: HouseholdDesk
    let ledger: LedgerDesk
    let outbox: OutboxDesk
    let rehearsal: RehearsalDesk
    let themes: ThemeDesk
    let reports: ReportDesk
    let restarts: RestartDesk
    let secrets: SecretDesk
    let keyed: KeyedDesk
    let purchases: PurchaseDesk

    /// Has all desks forget a client that has disconnected.
    func forget(_ client: Int) {
        front.forget(client)
        touches.forget(client)
        explore.forget(client)
        switches.forget(client)
        rates.forget(client)
        outbox.forget(client)
        secrets.forget(client)
    }
}

/// Answers a request later, when a worker thread, the disk or the state database has finished. The client always gets either an answer or
/// an error. The functions called `then` run on the event loop. Thread: the event loop, except for `resume`.
struct Later: Sendable {
    let caller: Caller

    init(_ caller: Caller) { self.caller = caller }

    /// Runs `then` on the event loop, soon. Thread: any.
    func resume(_ then: @escaping @Sendable (isolated Stage) -> Void) {
        caller.stage.loop.execute { caller.stage.assumeIsolated { then($0) } }
    }

    /// Runs `job` on a thread of `workers`, and then `then` on the event loop with the result. Refuses the request with the error that
    /// `job` throws; also where the workers have no room, or `job` gives way to a client that has asked for less.
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

    /// Writes `changes` to the state database. Calls `then` on the event loop when they are on the disk, or with the reason why they are
    /// not, after `limit` at the latest. Where `limit` is nil, it waits for a disk that hangs.
    func commit(_ changes: [Change], in store: StateStore, within limit: Duration? = BlockingWork.limit,
                then: @escaping @Sendable (isolated Stage, NotKept?) -> Void) {
        store.commit(changes, within: limit) { result in
            let problem: NotKept? = if case .failure(let problem) = result { problem } else { nil }
            resume { then($0, problem) }
        }
    }

    /// Runs `job`, which asks the state database, and answers with its result or error. Without a state directory the request is refused
    /// with the text `lack`. Only a few requests may wait at once; others are refused as busy. `then` runs last, even where `job` did not
    /// run.
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

/// Counts the requests that wait for the state database. Thread: the event loop.
struct DeferredAnswers {
    /// The number of requests that may wait at once: of all clients, and of one.
    static let limit = 64, share = 8

    private var counts: [Int: Int] = [:]

    /// Counts one more request. Throws when too many wait.
    mutating func begin(for client: Int) throws(ErrorReply) {
        let (own, all) = (counts[client, default: 0], counts.values.reduce(0, +))
        guard own < Self.share else { throw ErrorReply(.refused(.busy), "busy: \(own) questions of this client are being answered") }
        guard all < Self.limit else { throw ErrorReply(.refused(.busy), "busy: \(all) questions of all clients are being answered") }
        counts[client] = own + 1
    }

    mutating func end(for client: Int) {
        guard let own = counts[client] else { return }
        counts[client] = own > 1 ? own - 1 : nil
    }
}

/// Threads that may wait for the disk or the sound server, or compute for long. Each class of work has threads of its own, so that no class
/// waits for another, and each client has a share of each class.
struct WorkClasses: Sendable {
    /// Work for pages and other onlookers.
    let looks = Workers(threads: 2, room: 32, share: 8)
    /// Work for operators: questions that may read all journals, and documents and themes.
    let operators = Workers(threads: 2, room: 32, share: 16)
    /// Comparing and hashing secrets of households for clients that are no operators. This is slow on purpose.
    let secrets = Workers(threads: 1, room: 64, share: 2)
    /// Comparing and hashing secrets for operators. They have a thread of their own, so that they need not wait behind visitors.
    let operatorsSecrets = Workers(threads: 1, room: 16, share: 16)
    /// Turning texts into speech. `SpeechDesk` starts one job at a time, so one thread is enough.
    let speech = Workers(threads: 1, room: 1, share: 1)
    /// Verifying receipts of purchases.
    let money = Workers(threads: 2, room: 64, share: 8)
    /// Verifying receipts for operators. They have a thread of their own, so that they need not wait behind visitors.
    let operatorsMoney = Workers(threads: 1, room: 16, share: 16)
}
