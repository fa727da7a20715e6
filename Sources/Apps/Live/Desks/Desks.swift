import Files
import StateStore
import Wire

/// The desks at which clients ask, one for each subject. Each desk keeps its state to itself; what comes of its work later comes back to
/// the event loop by `Later`. Thread: the event loop, as part of the stage.
struct Desks {
    let front: FrontDesk
    let queries = QueryDesk()
    let touches = TouchDesk()
    let explore = ExploreDesk()
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
    let secrets: SecretDesk
    let keyed: KeyedDesk
    let purchases: PurchaseDesk

    /// Forgets a client that is gone.
    func forget(_ client: Int) {
        front.forget(client)
        touches.forget(client)
        explore.forget(client)
        rates.forget(client)
        outbox.forget(client)
        secrets.forget(client)
    }
}

/// Answers a request later: when a thread of a pool, the disk or the state database is done. Whoever asks gets an answer or an error,
/// whatever fails; what comes next is done on the event loop. Thread: the event loop, but for `resume`.
struct Later: Sendable {
    let caller: Caller

    init(_ caller: Caller) { self.caller = caller }

    /// Has `then` done on the event loop, soon. Thread: any.
    func resume(_ then: @escaping @Sendable (isolated Stage) -> Void) {
        caller.stage.loop.execute { caller.stage.assumeIsolated { then($0) } }
    }

    /// Has `job` done by `workers`, and then `then` on the event loop. Refuses the request where there is no room, where it gives way to a
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

    /// Has `changes` kept. Tells `then` on the event loop when they are on the disk, or why they are not. Where `limit` is nil it waits for
    /// a disk that hangs.
    func commit(_ changes: [Change], in store: StateStore, within limit: Duration? = BlockingWork.limit,
                then: @escaping @Sendable (isolated Stage, NotKept?) -> Void) {
        store.commit(changes, within: limit) { result in
            let problem: NotKept? = if case .failure(let problem) = result { problem } else { nil }
            resume { then($0, problem) }
        }
    }

    /// Has `job` ask the state database, and answers with what it gives or throws. `lack` says why it is refused without a state directory.
    /// Few wait at once: the others are refused as busy. `then` is done last, also where `job` was not.
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

/// Counts the answers that wait for the state database. Thread: the event loop.
struct DeferredAnswers {
    /// How many may wait at once, of all clients and of one.
    static let limit = 64, share = 8

    private var counts: [Int: Int] = [:]

    /// Counts one more. Throws when too many wait.
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

/// Threads that may wait for the disk or the sound server, or take long. Each class of work has some of its own, so that none waits for
/// another's, and each client has a share of each class.
struct WorkClasses: Sendable {
    /// Do what pages and other onlookers ask.
    let looks = Workers(threads: 2, room: 32, share: 8)
    /// Do operators' questions, which may go through all journals, and their documents and themes.
    let operators = Workers(threads: 2, room: 32, share: 16)
    /// Compare secrets of households, which takes long on purpose.
    let secrets = Workers(threads: 1, room: 64, share: 2)
    /// Compare and hash secrets that operators give or say: what visitors say leaves them their room.
    let operatorsSecrets = Workers(threads: 1, room: 16, share: 16)
    /// Verify receipts of purchases.
    let money = Workers(threads: 2, room: 64, share: 8)
    /// Verify receipts that operators bring: what visitors send leaves them their room.
    let operatorsMoney = Workers(threads: 1, room: 16, share: 16)
}
