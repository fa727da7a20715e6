import Wire

/// Counts the answers that wait for the state database. Thread: the event loop.
struct DeferredAnswers {
    /// At once, of all clients, and of one.
    static let limit = 64, share = 8

    private var counts: [Int: Int] = [:]

    /// Throws when there are too many.
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
