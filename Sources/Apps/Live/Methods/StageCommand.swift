import Experience
import Fields
import Wire

/// What the stage does for one call of a method. The call's parameters have been read already.
struct StageCommand: Command {
    let act: @Sendable (isolated Stage, Caller) -> Void
}

/// Ways to declare a method. Parameter readers throw `Fault`; parameters that they do not read are refused.
extension Method {
    /// Declares a method whose command sends the answer itself.
    static func command<Parameters: Sendable>(
        _ name: String, _ access: Access, refuses: [ErrorReply.Reason] = [], _ summary: String, result: String = "receipt",
        examples: [any Encodable & Sendable] = [Receipt(frame: nil)],
        read: @escaping @Sendable (Fields) throws -> Parameters,
        act: @escaping @Sendable (isolated Stage, Parameters, Caller) -> Void
    ) -> Method {
        Method(name, access, refuses: refuses, summary, result: result, examples: examples) { fields in
            let parameters = try read(fields)
            return .command(StageCommand { stage, caller in act(stage, parameters, caller) })
        }
    }

    /// A query without parameters, which is answered at once and never refused. `access` says who may call it.
    static func query(_ name: String, to access: Access = .look, _ summary: String, result: String, _ example: any Encodable & Sendable,
                      answer: @escaping @Sendable (isolated Stage) -> any Encodable) -> Method {
        command(name, access, summary, result: result, examples: [example], read: { _ in () }) { stage, _, caller in
            caller.answer(answer(stage))
        }
    }

    /// A query that needs the disk or the sound server; a worker thread answers it.
    static func slowQuery<Parameters: Sendable>(
        _ name: String, to access: Access = .look, refuses: [ErrorReply.Reason], _ summary: String, result: String,
        _ example: any Encodable & Sendable,
        read: @escaping @Sendable (Fields) throws -> Parameters,
        answer: @escaping @Sendable (LiveSettings, Parameters) throws(ErrorReply) -> any Encodable & Sendable
    ) -> Method {
        command(name, access, refuses: refuses, summary, result: result, examples: [example], read: read) { stage, parameters, caller in
            stage.answerSlowly(caller, by: stage.workers.looks) { settings throws(ErrorReply) in try answer(settings, parameters) }
        }
    }

    /// A query that a piece declares.
    static func query(_ query: QueryDeclaration) -> Method {
        Method(query.name, query.isAboutMoney ? .lookAtMoney : .look, query.about, result: query.result, examples: query.examples,
               inConfidence: query.inConfidence, isOfPiece: true) { fields in
            let asked = try query.query(fields)
            return .command(StageCommand { stage, caller in
                caller.answer { () throws(ErrorReply) in try stage.desks.queries.answer(asked, caller.client, on: stage) }
            })
        }
    }
}

/// The client that sent a request, with the means to answer it.
struct Caller: Sendable {
    let client: Int
    /// The request's id; nil for a notification, which wants no answer.
    let id: RequestID?
    let reply: @Sendable ([UInt8]) -> Void
    /// The stage, which counts refused notifications.
    let stage: Stage

    func answer(_ result: any Encodable) {
        if let id { reply(Reply.line(result: result, id: id)) }
    }

    /// Answers with the result of `result`, or refuses with the error that it throws. Thread: the event loop.
    func answer(_ result: () throws(ErrorReply) -> any Encodable) {
        do throws(ErrorReply) {
            answer(try result())
        } catch {
            refuse(error)
        }
    }

    /// Refuses the request. Thread: the event loop.
    func refuse(_ error: ErrorReply) {
        if id == nil { stage.refused(error, to: client) }
        reply(Reply.line(error: error.answering(id)))
    }
}
