import Experience
import Fields
import Files
import Glibc
import Publishing
import Signals
import StateStore
import Wire

/// Changes the documents that operators publish. A worker thread does what takes long; each change is made on the event loop, and answered
/// when it is on the disk. Only the stage has this class, so its state belongs to the event loop.
final class DocumentDesk {
    typealias Judge = @Sendable (Publications, [JSONValue]) throws(Objections) -> JudgedDocument
    typealias Step = @Sendable (inout Publications, JudgedDocument, _ name: String, _ time: Int) throws(Fault) -> DocumentVersion

    private let piece: Declaration
    private let store: StateStore?
    private let workers: Workers
    private var documents: DocumentBook

    /// `workers` are the threads that judge documents and simulate.
    init(_ kept: Kept, of piece: Declaration, _ workers: Workers) {
        (self.piece, self.workers) = (piece, workers)
        store = kept.store
        documents = kept.documents(of: piece)
    }

    var book: Publications { documents.book }

    /// Runs `judge`, which judges a document against the present state, and then makes the change `step` with that document, in the name of
    /// the operator with the given identity.
    func change(_ caller: Caller, in identity: Identity, judge: @escaping Judge, step: @escaping Step) {
        work(caller) { book, memories throws(ErrorReply) in
            (name: try Self.name(identity), judged: try Self.judged { () throws(Objections) in try judge(book, memories) })
        } then: { stage, found in
            stage.desks.documents.take(caller) { book throws(Fault) in try step(&book, found.judged, found.name, time(nil)) }
        }
    }

    func withdraw(_ named: VersionName, _ caller: Caller, in identity: Identity) {
        work(caller) { _, _ throws(ErrorReply) in try Self.name(identity) } then: { stage, name in
            stage.desks.documents.take(caller) { book throws(Fault) in
                try book.withdraw(named.version, of: named.kind, by: name, at: time(nil))
            }
        }
    }

    /// Takes over a version that was published on another machine. Only a client that could change the database by hand may do so, because
    /// the version contains other people's names.
    func apply(_ version: DocumentVersion, _ caller: Caller, byAdministrator isAdministrator: Bool) {
        guard isAdministrator else {
            let expected = "thrumd's own user or root, on the control socket: it names who approved elsewhere"
            return caller.refuse(ErrorReply(.refused(.notAllowed), fault: Fault(field: "method", expected: expected)))
        }
        if documents.book.has(version) { return caller.answer(DocumentReport(version)) }
        work(caller) { book, memories throws(ErrorReply) in
            try Self.judged { () throws(Objections) in try book.judge(version.kind, Publications.value(version.body), memories) }
        } then: { stage, judged in
            stage.desks.documents.take(caller) { book throws(Fault) in try book.apply(version, judged) }
        }
    }

    func answer(_ caller: Caller, _ answer: (Publications) throws(Fault) -> any Encodable & Sendable) {
        do throws(Fault) {
            caller.answer(try answer(documents.book))
        } catch {
            caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
    }

    func diff(_ request: DiffRequest, _ caller: Caller) {
        let progress: @Sendable (Double) -> Void = { part in
            let progress = OutlookProgress(kind: request.kind, part: part)
            Later(caller).resume { $0.outputs.subscribers.tell(caller.client, .outlook, progress) }
        }
        work(caller) { [piece] book, memories throws(ErrorReply) -> DocumentDiff in
            do throws(Fault) {
                return try request.answer(book, piece, memories, progress: progress)
            } catch {
                throw ErrorReply(.refused(.notNow), fault: error)
            }
        } then: { _, diff in caller.answer(diff) }
    }

    /// Returns and removes the next document that the run has to take over; nil where there is none.
    func next() -> PublishedDocument? { documents.next() }

    // MARK: Changes

    /// Makes a change and has it stored. When the change is on the disk, it is answered, and a document that it publishes is in force. A
    /// refused change is never stored. If the disk hangs, the answer waits, because the write may still succeed.
    private func take(_ caller: Caller, _ step: (inout Publications) throws(Fault) -> DocumentVersion) {
        guard documents.refusal == nil, let store else {
            return caller.refuse(ErrorReply(.refused(.unavailable), documents.refusal ?? Kept.nowhere.reason))
        }
        let book = documents.book
        let taken: DocumentVersion
        do throws(Fault) {
            taken = try step(&documents.book)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        let changed = documents.book.changes(since: book)
        guard !changed.contains(where: { documents.isUnderWay($0) }) else {
            documents.book = book
            return caller.refuse(ErrorReply(.refused(.busy), "the step before it is not on the disk yet"))
        }
        documents.begin(changed)
        let changes = changed.map { Change.keep(KeptDocument(piece: piece.name, version: $0)) }
        Later(caller).commit(changes, in: store, within: nil) { stage, problem in
            let desk = stage.desks.documents
            desk.documents.end(changed)
            if let problem {
                for version in changed { desk.documents.book.revert(version, to: book) }
                return caller.refuse(ErrorReply(.refused(.notKept), "it is not kept: \(problem.reason)"))
            }
            stage.logger.notice("a document: \(taken.state)", metadata: ["kind": "\(taken.kind)", "version": "\(taken.version)"])
            // Another request may have applied the same change meanwhile.
            if !changed.isEmpty { desk.documents.kept(taken) }
            stage.tendDocuments()
            caller.answer(DocumentReport(taken))
        }
    }

    /// Runs `judge` on an operators' thread, with the documents and the memories of all households, and then `then` on the event loop.
    private func work<Found: Sendable>(
        _ caller: Caller, _ judge: @escaping @Sendable (Publications, [JSONValue]) throws(ErrorReply) -> Found,
        then: @escaping @Sendable (isolated Stage, Found) -> Void
    ) {
        let (book, texts) = (documents.book, store?.memories(piece: piece.name) ?? [])
        Later(caller).work(by: workers, { () throws(ErrorReply) in try judge(book, texts.map { Publications.value($0) }) }, then: then)
    }

    private static func name(_ identity: Identity) throws(ErrorReply) -> String {
        if let name = OperatorName.of(identity) { return name }
        let expected = "somebody with a name: a user of this machine on the control socket, or the holder of a token"
        throw ErrorReply(.refused(.notAllowed), fault: Fault(field: "method", expected: expected))
    }

    private static func judged(_ judge: () throws(Objections) -> JudgedDocument) throws(ErrorReply) -> JudgedDocument {
        do throws(Objections) {
            return try judge()
        } catch {
            throw ErrorReply(.refused(.notNow), error.description, fault: error.faults[0])
        }
    }
}

/// The piece's documents as they are stored, and those that have come into force but not reached the run yet. A plain value. Thread: the
/// event loop.
struct DocumentBook {
    var book: Publications
    /// Why nothing can be published, in words; nil where publishing is possible.
    let refusal: String?
    /// The versions of which a change is being written to the disk. Such a version takes no other change until the outcome is known.
    private var underWay: [DocumentVersion] = []
    /// The versions that are on the disk and have not been taken over by the run, in the order in which they came into force.
    private var waiting: [PublishedDocument] = []

    init(_ book: Publications, refusal: String?) {
        self.book = book
        self.refusal = refusal
    }

    func isUnderWay(_ version: DocumentVersion) -> Bool {
        underWay.contains { $0.kind == version.kind && $0.version == version.version }
    }

    mutating func begin(_ versions: [DocumentVersion]) { underWay += versions }
    mutating func end(_ versions: [DocumentVersion]) { underWay.removeAll { versions.contains($0) } }

    /// Notes that a version is on the disk. If the version is published, the run will take it over.
    mutating func kept(_ version: DocumentVersion) {
        guard version.state == .published else { return }
        waiting.append(PublishedDocument(kind: version.kind, version: version.version, body: Publications.value(version.body)))
    }

    /// Returns and removes the next document that the run has to take over; nil where there is none.
    mutating func next() -> PublishedDocument? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
