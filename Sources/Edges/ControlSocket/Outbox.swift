import NIOCore
import Synchronization
import Wire

/// Writes to a client, and counts the bytes that were not sent yet. Thread: its event loop.
final class Outbox {
    /// The numbers of unsent bytes between which a client's requests wait. Once more than `high` are unsent, only requests that release
    /// something (a finger, a tone, all sound) are carried out, until the client has read so much that `low` are left.
    static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 32_768, high: 65_536)
    /// The number of unsent bytes beyond which a long answer is replaced by a short refusal. Answers that wait for others of their batch
    /// count as unsent. While nothing is unsent, an answer may have any length.
    static let limit = 131_072
    /// The longest answer, in bytes, that is never replaced: an event that took effect must not look refused. Such answers are few, because
    /// no new request is begun for a client that does not read.
    static let short = 512
    /// The number of waiting bytes at which they are sent at once. With fewer, a flush waits until all of the client's requests are
    /// answered.
    private static let piece = 8_192

    private let channel: any Channel
    /// The bytes of answers that wait for others of their batch.
    var heldBack = 0
    private var unflushed = 0
    /// The bytes of all answers so far, both written ones and those held back.
    var answered: Int { written + heldBack }
    private var written = 0
    private var willFlush = false
    /// Called when everything that was written has been handed to the socket.
    var flushed: () -> Void = {}

    init(_ channel: any Channel) { self.channel = channel }

    /// Says whether an answer of `count` bytes may be written.
    func hasRoom(for count: Int) -> Bool {
        guard count > Self.short else { return true }
        let unsent = heldBack + ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
        return unsent == 0 || unsent + count <= Self.limit
    }

    /// Writes `line`, if it is not empty. It is sent with the next flush.
    func write(_ line: [UInt8]) {
        guard !line.isEmpty else { return }
        unflushed += line.count
        written += line.count
        channel.write(channel.allocator.buffer(bytes: line), promise: nil)
    }

    /// Sends the bytes that were written. If `more` is to come, it sends only from 8,192 bytes on. A flush can find that the client has
    /// gone, and then calls the service at once, so it must never be called while the service is at work.
    func flush(more: Bool = false) {
        guard unflushed >= (more ? Self.piece : 1) else { return }
        unflushed = 0
        channel.flush()
        flushed()
    }

    /// Flushes when the event loop has finished its current task.
    func flushSoon() {
        guard !willFlush else { return }
        willFlush = true
        let outbox = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            outbox.value.willFlush = false
            outbox.value.flush()
        }
    }

    /// Closes the connection when everything that was written is sent.
    func closeWhenEmpty() {
        channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).whenComplete { [channel] _ in channel.close(promise: nil) }
    }

    static var refusal: ErrorReply {
        ErrorReply(.refused(.noRoom), "no room for the answer: \(limit) bytes of answers wait to be read by this client")
    }
}

/// The answers to the requests of one batch. They are sent together when the last one is ready. Thread: the event loop.
final class AnswerBatch {
    /// The number of requests that want an answer.
    let wanted: Int
    private let isBatch: Bool
    private let outbox: Outbox
    private var lines: [[UInt8]] = []
    private var size = 0
    /// Whether an answer found no room in the outbox. Long answers to the other requests would be refused, too.
    private(set) var isFull = false
    private let sent: (_ size: Int) -> Void

    /// `sent` is called with the total bytes of the answers when they have been written, but not flushed.
    init(wanted: Int, isBatch: Bool, to outbox: Outbox, sent: @escaping (_ size: Int) -> Void) {
        self.wanted = wanted
        self.isBatch = isBatch
        self.outbox = outbox
        self.sent = sent
    }

    /// Adds the answer to the request `id`; an empty one is ignored. A long answer without room is replaced by a refusal.
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
    /// Says whether the request, or the one that was refused with this error, has an id and so wants an answer.
    func wantsAnswer() -> Bool {
        switch self {
        case .success(let request): request.id != nil
        case .failure(let error): error.id != nil
        }
    }
}

/// Hands lines without a request to a client's event loop, from any thread. The number of bytes that wait there is limited.
final class Handover: Sendable {
    /// The number of waiting bytes from which on no line is taken.
    private static let limit = 65_536

    private let channel: any Channel
    private let write: @Sendable ([UInt8]) -> Void
    private let waiting = Atomic(0)

    /// Prepares for lines to `channel`. `write` is called with each of them, on the channel's event loop.
    init(to channel: any Channel, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.channel = channel
        self.write = write
    }

    /// Sends a line. Returns false, and sends nothing, where the client does not read.
    func push(_ line: [UInt8]) -> Bool {
        guard channel.isWritable else { return false }
        guard !channel.eventLoop.inEventLoop else {
            write(line)
            return true
        }
        guard waiting.add(line.count, ordering: .relaxed).oldValue < Self.limit else {
            waiting.subtract(line.count, ordering: .relaxed)
            return false
        }
        channel.eventLoop.execute {
            self.waiting.subtract(line.count, ordering: .relaxed)
            self.write(line)
        }
        return true
    }
}
