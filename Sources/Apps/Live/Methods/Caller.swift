import Wire

/// The client that sent a request, and how to answer it.
struct Caller: Sendable {
    let client: Int
    /// Nil when no answer is wanted.
    let id: RequestID?
    let reply: @Sendable ([UInt8]) -> Void
    /// Where it is noted what was refused to a client that wants no answer.
    let stage: Stage

    func answer(_ result: any Encodable) {
        if let id { reply(Reply.line(result: result, id: id)) }
    }

    /// Thread: the event loop.
    func refuse(_ error: ErrorReply) {
        if id == nil { stage.refused(error, to: client) }
        reply(Reply.line(error: error.answering(id)))
    }
}
