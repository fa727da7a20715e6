import Wire

/// Counts the answers that wait for the disk or the sound server on other threads. Thread: the event loop.
struct DeferredAnswers {
    /// At once, of all clients.
    static let limit = 16

    private var count = 0

    /// Throws when there are too many.
    mutating func begin() throws(ErrorReply) {
        guard count < Self.limit else { throw ErrorReply(.refused(.busy), "busy: \(count) such questions are being answered") }
        count += 1
    }

    mutating func end() { count -= 1 }
}
