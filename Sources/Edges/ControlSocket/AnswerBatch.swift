import Wire

/// The answers to the requests of one batch, sent together when the last is ready. Thread: the event loop.
final class AnswerBatch {
    /// Requests that want one.
    let wanted: Int
    private let isBatch: Bool
    private let outbox: Outbox
    private var lines: [[UInt8]] = []
    private var size = 0
    /// There was no room for one. What has a long answer need not be worked out any more.
    private(set) var isFull = false
    private let sent: (_ size: Int) -> Void

    /// `sent` is called with their bytes when they have been written, not yet flushed.
    init(wanted: Int, isBatch: Bool, to outbox: Outbox, sent: @escaping (_ size: Int) -> Void) {
        self.wanted = wanted
        self.isBatch = isBatch
        self.outbox = outbox
        self.sent = sent
    }

    /// The answer to `id`; empty is none. One that has no room is a refusal instead.
    func add(_ answer: [UInt8], to id: RequestID?) {
        guard !answer.isEmpty else { return }
        if !outbox.hasRoom(for: answer.count) { isFull = true }
        let line = isFull && answer.count > Outbox.short ? Reply.line(error: Outbox.refusal.answering(id)) : answer
        lines.append(line)
        size += line.count
        outbox.heldBack += line.count
        guard lines.count == wanted else { return }
        outbox.heldBack -= size
        outbox.write(isBatch ? Reply.batch(lines) : line)
        sent(size)
    }
}

extension Result where Success == UnreadRequest, Failure == ErrorReply {
    /// Whether a request wants an answer.
    func wantsAnswer() -> Bool {
        switch self {
        case .success(let request): request.id != nil
        case .failure(let error): error.id != nil
        }
    }
}
