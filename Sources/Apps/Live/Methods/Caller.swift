import Wire

/// The client that sent a request, and how to answer it.
struct Caller: Sendable {
    let client: Int
    /// Nil when no answer is wanted.
    let id: RequestID?
    let reply: @Sendable ([UInt8]) -> Void

    func answer(_ result: any Encodable) {
        if let id { reply(Reply.line(result: result, id: id)) }
    }

    func refuse(_ error: ErrorReply) { reply(Reply.line(error: error.answering(id))) }
}
