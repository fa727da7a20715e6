import Fields
import Files
import Offline
import StateStore
import Wire

/// Hands out telemetry in parts, and in batches that are to be sent: of those the state database says up to where they have been sent. A
/// class that only the stage has: its state is the event loop's.
final class OutboxDesk {
    private let store: StateStore?
    private let workers: Workers
    private var bookmarks = TelemetryBookmarks()

    /// `workers` read journals.
    init(_ store: StateStore?, _ workers: Workers) { (self.store, self.workers) = (store, workers) }

    /// The client is gone.
    func forget(_ client: Int) { bookmarks.forget(client) }

    /// Answers with a part, and keeps where the client's next part begins to read.
    func export(_ request: TelemetryRequest, _ settings: LiveSettings, _ caller: Caller) {
        guard let id = caller.id else { return }
        let bookmarks = bookmarks.of(caller.client)
        Later(caller).work(by: workers) { () throws(ErrorReply) -> (line: [UInt8], bookmark: TelemetryBookmark?) in
            let part = try request.part(settings, at: bookmarks)
            return (line: Reply.line(result: TelemetryPart(part), id: id), bookmark: part.bookmark)
        } then: { stage, found in
            Self.leave(found.bookmark, by: caller.client, on: stage)
            caller.reply(found.line)
        }
    }

    /// Whoever has gone meanwhile leaves nothing.
    private static func leave(_ bookmark: TelemetryBookmark?, by client: Int, on stage: isolated Stage) {
        if stage.clients.presence.isConnected(client) { stage.desks.outbox.bookmarks.leave(bookmark, by: client) }
    }

    func tellUnsent(_ request: OutboxRequest, as format: TelemetryText.Format, atMost limit: Int, _ caller: Caller,
                    on stage: isolated Stage) {
        let client = caller.client
        answer(caller, from: request, on: stage) { [workers, bookmarks = bookmarks.of(client)] _, position, settings in
            let outbox = try request.outbox(settings, as: format)
            let batch = try await reading(workers, for: client) { try outbox.batch(after: position, limit: limit, at: bookmarks) }
            await Self.leave(batch.bookmark, by: client, on: caller.stage)
            return TelemetryBatch(batch, since: position)
        }
    }

    /// Goes forward only: whoever tells an earlier position again is answered, and nothing changes. The answer waits for the disk.
    func markSent(_ request: OutboxRequest, upTo position: TelemetryOutbox.Position, _ caller: Caller, on stage: isolated Stage) {
        let client = caller.client
        answer(caller, from: request, on: stage) { [workers] store, former, settings in
            let outbox = try request.outbox(settings, as: .jsonl)
            let isBeyond = try await reading(workers, for: client) {
                try outbox.check(position)
                return try outbox.isBeyond(position, former)
            }
            if isBeyond { _ = try await store.commit([.move(cursor: try request.cursor(settings), to: position.text)]) }
            return Receipt(frame: nil)
        }
    }

    /// `body` is told up to where the table has been sent. It goes through journals, away from the event loop.
    private func answer(
        _ caller: Caller, from request: OutboxRequest, on stage: isolated Stage,
        _ body: @escaping @Sendable (StateStore, TelemetryOutbox.Position?, LiveSettings) async throws -> any Encodable & Sendable
    ) {
        let settings = stage.settings.values
        let lack = "there is no state directory in which to keep what was sent"
        let cursor: String
        do throws(ErrorReply) {
            guard store != nil else { throw ErrorReply(.refused(.notHere), lack) }
            cursor = try request.cursor(settings)
        } catch {
            return caller.refuse(error)
        }
        Later(caller).ask(store, orRefuse: lack, on: stage) { store throws(ErrorReply) in
            do {
                let position = try await store.position(ofCursor: cursor).flatMap { TelemetryOutbox.Position($0) }
                return try await body(store, position, settings)
            } catch let error as ErrorReply {
                throw error
            } catch let problem as NotKept {
                throw ErrorReply(.refused(.notKept), "it is not kept: \(problem.reason)")
            } catch {
                throw ErrorReply(.refused(.notNow), "\(error)")
            }
        }
    }
}

/// What `body` gives, on a thread of `workers`, with what it throws as clients are told.
private func reading<Value: Sendable>(_ workers: Workers, for client: Int, _ body: @escaping @Sendable () throws -> Value) async throws
    -> Value {
    do {
        return try await withCheckedThrowingContinuation { continuation in
            workers.start(for: client) {
                continuation.resume(with: Result(catching: body))
            } refused: {
                continuation.resume(throwing: $0)
            }
        }
    } catch let busy as Workers.Busy {
        throw ErrorReply(.refused(.busy), "\(busy)")
    } catch let fault as Fault {
        throw ErrorReply(.invalidParams, fault: fault)
    } catch {
        throw ErrorReply(.refused(.unavailable), "journals cannot be read: \(error)")
    }
}

extension TelemetryBatch {
    fileprivate init(_ batch: TelemetryOutbox.Batch, since position: TelemetryOutbox.Position?) {
        self.init(text: batch.text, rows: batch.rows, notes: batch.notes, since: position?.text, position: batch.position?.text,
                  isLast: batch.isLast)
    }
}
