import Experience
import Fields
import Files
import JournalFile
import Offline
import StateStore
import SystemPackage
import Wire

/// Hands out telemetry in parts, and in batches that operators send elsewhere. The state database stores how far each table has been sent.
/// Only the stage has this class, so its state belongs to the event loop.
final class OutboxDesk {
    private static let lack = "there is no state directory in which to keep what was sent"

    private let store: StateStore?
    private let workers: Workers
    private var bookmarks = TelemetryBookmarks()
    /// The sessions that were removed since the daemon's start, the newest first, and no more than `mostRemovals`.
    private(set) var removals: [SessionList.Removal] = []
    private static let mostRemovals = 100

    /// `workers` are the threads that read journals.
    init(_ store: StateStore?, _ workers: Workers) { (self.store, self.workers) = (store, workers) }

    /// Forgets a client that has disconnected.
    func forget(_ client: Int) { bookmarks.forget(client) }

    /// Answers with a part of a telemetry table, and remembers how far the client's export has come in its journal, so that the next part
    /// can begin there.
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

    /// Remembers `bookmark`, the position at which an export of a client has stopped, unless the client has disconnected meanwhile.
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

    /// Marks a table's rows up to `position` as sent, and answers when that is on the disk. A position before the present one changes
    /// nothing.
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

    /// The cursor whose position is the name of the first journal that is still to be sent elsewhere; empty where none is sent.
    private static let spared = "journals"

    /// Returns the name of the first journal that is still to be sent elsewhere, out of all cursors; nil where none is sent.
    static func unsent(in cursors: [String: String]) -> String? { cursors[spared].flatMap { $0.isEmpty ? nil : $0 } }

    /// Has the recorder spare the journals from `first` on, and answers when that is on the disk. Nil spares none any more.
    func spare(from first: String?, _ caller: Caller, on stage: isolated Stage) {
        let recorder = stage.recorder
        Later(caller).ask(store, orRefuse: Self.lack, on: stage) { store throws(ErrorReply) in
            do throws(NotKept) {
                _ = try await store.commit([.move(cursor: Self.spared, to: first ?? "")])
            } catch {
                throw ErrorReply(.refused(.notKept), "it is not kept: \(error.reason)")
            }
            recorder.spare(from: first)
            return Receipt(frame: nil)
        }
    }

    /// Removes the journal of a session, and logs and lists who did. This is refused while the session goes on. Unless `isForced`, it is
    /// also refused where a table of any piece is sent elsewhere by `telemetry.sent` and has not been sent beyond the session, and
    /// where the journal is spared by `session.spare`.
    func remove(_ session: String, isForced: Bool, _ caller: Caller, on stage: isolated Stage) {
        let (settings, client) = (stage.settings.values, caller.client)
        let by = stage.clients.presence.words(for: .connection(client))
        let removal = SessionRemoval(session: session, folder: SessionFolder(FilePath(settings.sessions)), current: stage.recorder.path,
                                     unsent: isForced ? nil : stage.recorder.unsent)
        let note: @Sendable (isolated Stage) -> Void = { stage in
            stage.logger.notice("a session was removed", metadata: ["session": "\(session)", "by": "\(by)"])
            let removal = SessionList.Removal(session: session, by: by, at: stage.clock.instant)
            stage.desks.outbox.removals = [removal] + stage.desks.outbox.removals.prefix(Self.mostRemovals - 1)
        }
        guard let store, !isForced else {
            return Later(caller).work(by: workers) { () throws(ErrorReply) in try removal.run(sent: []) } then: { stage, _ in
                note(stage)
                caller.answer(Receipt(frame: nil))
            }
        }
        let cursors = settings.values.table.pieces.flatMap(\.cursors)
        Later(caller).ask(store, orRefuse: "", on: stage) { [workers] store throws(ErrorReply) in
            do {
                var sent: [TelemetryOutbox.Position] = []
                for cursor in cursors {
                    guard let text = try await store.position(ofCursor: cursor) else { continue }
                    guard let position = TelemetryOutbox.Position(text) else {
                        throw ErrorReply(.refused(.unavailable), "what has been sent cannot be read: \(text)")
                    }
                    sent.append(position)
                }
                try await reading(workers, for: client) { [sent] in try removal.run(sent: sent) }
                Later(caller).resume(note)
                return Receipt(frame: nil)
            } catch let error as ErrorReply {
                throw error
            } catch let problem as NotKept {
                throw ErrorReply(.refused(.unavailable), "what has been sent cannot be read: \(problem.reason)")
            } catch {
                throw ErrorReply(.refused(.unavailable), "\(error)")
            }
        }
    }

    /// Answers with the result of `body`, which gets the position up to which the requested table has been sent. `body` reads journals, and
    /// runs outside the event loop.
    private func answer(
        _ caller: Caller, from request: OutboxRequest, on stage: isolated Stage,
        _ body: @escaping @Sendable (StateStore, TelemetryOutbox.Position?, LiveSettings) async throws -> any Encodable & Sendable
    ) {
        let settings = stage.settings.values
        let cursor: String
        do throws(ErrorReply) {
            guard store != nil else { throw ErrorReply(.refused(.notHere), Self.lack) }
            cursor = try request.cursor(settings)
        } catch {
            return caller.refuse(error)
        }
        Later(caller).ask(store, orRefuse: Self.lack, on: stage) { store throws(ErrorReply) in
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

/// Returns the result of `body`, which runs on a thread of `workers`. Its errors are thrown in the form that clients get.
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
    } catch let error as ErrorReply {
        throw error
    } catch let busy as Workers.Busy {
        throw ErrorReply(.refused(.busy), "\(busy)")
    } catch let fault as Fault {
        throw ErrorReply(.invalidParams, fault: fault)
    } catch {
        throw ErrorReply(.refused(.unavailable), "journals cannot be read: \(error)")
    }
}

/// The removal of one session's journal, as a plain value. `run` waits for the disk.
struct SessionRemoval: Sendable {
    /// The name of the journal without `.jsonl`.
    let session: String
    let folder: SessionFolder
    /// The path of the journal that is being written; nil while there is none.
    let current: String?
    /// The name of the first journal that is spared, because it is still to be sent; nil where none is.
    let unsent: String?

    /// Removes the journal. `sent` has, for each table that is sent elsewhere, the position up to which that was done. Throws the refusal.
    func run(sent: [TelemetryOutbox.Position]) throws(ErrorReply) {
        do {
            guard let found = try folder.session(named: session) else {
                let expected = "the name of a journal of session.list without .jsonl"
                throw ErrorReply(.invalidParams, fault: Fault(field: "session", expected: expected, found: "\"\(session)\""))
            }
            guard found.path.string != current else {
                let fault = Fault(field: "session", expected: "one that has ended", found: "the one under way")
                throw ErrorReply(.refused(.notNow), fault: fault)
            }
            guard !found.comes(from: unsent) else {
                let expected = "true, because this session is still to be sent elsewhere (session.spare)"
                throw ErrorReply(.refused(.notNow), fault: Fault(field: "force", expected: expected, found: "false"))
            }
            for position in sent {
                guard try folder.sessions(from: position.session).contains(where: { $0.path == found.path }) else { continue }
                let expected = "true, because rows of this session may not have been sent: telemetry.unsent hands them over"
                throw ErrorReply(.refused(.notNow), fault: Fault(field: "force", expected: expected, found: "false"))
            }
            try found.remove()
        } catch let error as ErrorReply {
            throw error
        } catch {
            throw ErrorReply(.refused(.unavailable), "\(session): \(error)")
        }
    }
}

extension TelemetryBatch {
    fileprivate init(_ batch: TelemetryOutbox.Batch, since position: TelemetryOutbox.Position?) {
        self.init(text: batch.text, rows: batch.rows, notes: batch.notes, since: position?.text, position: batch.position?.text,
                  isLast: batch.isLast)
    }
}

/// Where the exports of clients stopped in their journals, so that the next part need not read its journal from the beginning. The oldest
/// bookmarks are forgotten first; without one, a part has the same rows but takes longer. Thread: the event loop.
struct TelemetryBookmarks {
    /// The largest number of bookmarks: of all clients (`limit`) and of one client (`share`). Each contains the state of the run at that
    /// position, which takes about 10 to 100 KiB.
    static let limit = 16, share = 4

    /// The bookmarks, oldest first.
    private var left: [(client: Int, bookmark: TelemetryBookmark)] = []

    func of(_ client: Int) -> [TelemetryBookmark] { left.filter { $0.client == client }.map(\.bookmark) }

    /// Stores a bookmark in place of `client`'s earlier one in the same journal for the same table. Does nothing where it is nil.
    mutating func leave(_ bookmark: TelemetryBookmark?, by client: Int) {
        guard let bookmark else { return }
        left.removeAll { $0.client == client && $0.bookmark.isBeside(bookmark) }
        left.append((client, bookmark))
        if left.count(where: { $0.client == client }) > Self.share, let first = left.firstIndex(where: { $0.client == client }) {
            left.remove(at: first)
        }
        if left.count > Self.limit { left.removeFirst() }
    }

    mutating func forget(_ client: Int) { left.removeAll { $0.client == client } }
}
