import Conductor
import Experience
import Fields
import Glibc
import Publishing
import Signals
import StateStore
import Wire

// Documents that operators publish. What takes its time is done on a thread that may wait; every step is taken on the event loop, and
// answered when it is on the disk.
extension Stage {
    typealias Judge = @Sendable (Publications, [JSONValue]) throws(Objections) -> JudgedDocument
    typealias Step = @Sendable (inout Publications, JudgedDocument, _ name: String, _ time: Int) throws(Fault) -> DocumentVersion

    /// Judges a document as things stand, and takes a step with it in the name of whoever asks.
    func changeDocuments(_ caller: Caller, judge: @escaping Judge, step: @escaping Step) {
        let identity = presence.identity(of: caller.client)
        workOnDocuments(caller) { book, memories throws(ErrorReply) in
            (name: try Self.name(identity), judged: try Self.judged { () throws(Objections) in try judge(book, memories) })
        } then: { stage, found in
            stage.take(caller) { book throws(Fault) in try step(&book, found.judged, found.name, time(nil)) }
        }
    }

    func withdrawDocument(_ named: VersionName, _ caller: Caller) {
        let identity = presence.identity(of: caller.client)
        workOnDocuments(caller) { _, _ throws(ErrorReply) in try Self.name(identity) } then: { stage, name in
            stage.take(caller) { book throws(Fault) in try book.withdraw(named.version, of: named.kind, by: name, at: time(nil)) }
        }
    }

    /// Whoever could write the database by hand may say what was published elsewhere, and nobody else: it has other people's names in it.
    func applyDocument(_ version: DocumentVersion, _ caller: Caller) {
        guard isAdministrator(caller) else {
            let expected = "thrumd's own user or root, on the control socket: it names who approved elsewhere"
            return caller.refuse(ErrorReply(.refused(.notAllowed), fault: Fault(field: "method", expected: expected)))
        }
        if documents.book.has(version) { return caller.answer(DocumentReport(version)) }
        workOnDocuments(caller) { book, memories throws(ErrorReply) in
            try Self.judged { () throws(Objections) in try book.judge(version.kind, Publications.value(version.body), memories) }
        } then: { stage, judged in
            stage.take(caller) { book throws(Fault) in try book.apply(version, judged) }
        }
    }

    /// Whether it is root or thrumd's own user, who could write the database by hand.
    func isAdministrator(_ caller: Caller) -> Bool {
        [.user(0), .user(geteuid())].contains(presence.identity(of: caller.client))
    }

    func answerFromDocuments(_ caller: Caller, _ answer: (Publications) throws(Fault) -> any Encodable & Sendable) {
        do throws(Fault) {
            caller.answer(try answer(documents.book))
        } catch {
            caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
    }

    func diffDocuments(_ request: DiffRequest, _ caller: Caller) {
        let declaration = conductor.piece.declaration
        let progress: @Sendable (Double) -> Void = { [loop] part in
            loop.execute {
                let progress = OutlookProgress(kind: request.kind, part: part)
                self.assumeIsolated { $0.outputs.subscribers.tell(caller.client, .outlook, progress) }
            }
        }
        workOnDocuments(caller) { book, memories throws(ErrorReply) -> DocumentDiff in
            do throws(Fault) {
                return try request.answer(book, declaration, memories, progress: progress)
            } catch {
                throw ErrorReply(.refused(.notNow), fault: error)
            }
        } then: { _, diff in caller.answer(diff) }
    }

    /// Gives the run what has come into force, as far as there is room for events.
    func tendDocuments() {
        while documents.isWaiting, outputs.port.isOpen, !isClosing, let document = documents.next() {
            _ = try? report(.configuration(document), at: nil, from: .engine, ticket: nil)
            logger.notice("a document is in force", metadata: ["kind": "\(document.kind)", "version": "\(document.version)"])
        }
    }

    // MARK: Steps

    /// Takes a step, and has it kept. It counts when it is on the disk: then the answer comes, and what it puts in force is. A refusal
    /// means that it never gets there. A disk that hangs is waited for, because nobody knows which of both it will be.
    private func take(_ caller: Caller, _ step: (inout Publications) throws(Fault) -> DocumentVersion) {
        if let refusal = documents.refusal { return caller.refuse(ErrorReply(.refused(.unavailable), refusal)) }
        let book = documents.book
        let taken: DocumentVersion
        do throws(Fault) {
            taken = try step(&documents.book)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        let piece = conductor.piece.declaration.name
        let changed = documents.book.changes(since: book)
        guard !changed.contains(where: { documents.isUnderWay($0) }) else {
            documents.book = book
            return caller.refuse(ErrorReply(.refused(.busy), "the step before it is not on the disk yet"))
        }
        documents.begin(changed)
        kept.store?.commit(changed.map { .keep(KeptDocument(piece: piece, version: $0)) }, within: nil) { [loop] result in
            loop.execute {
                self.assumeIsolated { stage in
                    stage.documents.end(changed)
                    if case .failure(let problem) = result {
                        for version in changed { stage.documents.book.revert(version, to: book) }
                        return caller.refuse(ErrorReply(.refused(.notKept), "it is not kept: \(problem.reason)"))
                    }
                    stage.logger.notice("a document: \(taken.state)", metadata: ["kind": "\(taken.kind)", "version": "\(taken.version)"])
                    // Another request may have applied the same meanwhile.
                    if !changed.isEmpty { stage.documents.kept(taken) }
                    stage.tendDocuments()
                    caller.answer(DocumentReport(taken))
                }
            }
        }
    }

    /// Has `judge` done with the documents and what is remembered of all households, on an operators' thread, and then `then` on the
    /// event loop.
    private func workOnDocuments<Found: Sendable>(
        _ caller: Caller, _ judge: @escaping @Sendable (Publications, [JSONValue]) throws(ErrorReply) -> Found,
        then: @escaping @Sendable (isolated Stage, Found) -> Void
    ) {
        let (book, texts) = (documents.book, kept.store?.memories(piece: conductor.piece.declaration.name) ?? [])
        work(workers.operators, caller, { () throws(ErrorReply) in try judge(book, texts.map { Publications.value($0) }) }, then: then)
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
