import NIOCore
import Wire

/// A client's way out, and how much of what is written to it has not gone yet. Thread: its event loop.
final class Outbox {
    /// Unsent bytes from which on nothing more is done for a client but let go, and until when: it must read first.
    static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 32_768, high: 65_536)
    /// Unsent bytes beyond which a client gets no long answer, but a short refusal. Answers that wait for others of their batch are unsent,
    /// too. With nothing unsent an answer may have any length.
    static let limit = 131_072
    /// An answer of at most so many bytes always goes: an event that took effect is not called refused. There are never many of them,
    /// because nothing new is begun for a client that does not read.
    static let short = 512
    /// So many bytes are sent at once, if a client has more to do.
    private static let piece = 8_192

    private let channel: any Channel
    /// Bytes of answers that wait for others of their batch.
    var heldBack = 0
    private var unflushed = 0
    /// Bytes of all answers so far, written or held back.
    var answered: Int { written + heldBack }
    private var written = 0
    private var willFlush = false
    /// Called when all that was written has been handed to the socket.
    var flushed: () -> Void = {}

    init(_ channel: any Channel) { self.channel = channel }

    /// Whether an answer of so many bytes may go.
    func hasRoom(for count: Int) -> Bool {
        guard count > Self.short else { return true }
        let unsent = heldBack + ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
        return unsent == 0 || unsent + count <= Self.limit
    }

    /// Writes `line`, if it is not empty. It goes with the next flush.
    func write(_ line: [UInt8]) {
        guard !line.isEmpty else { return }
        unflushed += line.count
        written += line.count
        channel.write(channel.allocator.buffer(bytes: line), promise: nil)
    }

    /// Sends what was written; unless there is `more` to come, and little so far. A flush can find that the client has gone, and tell the
    /// service at once: never call it in the middle of what the service does.
    func flush(more: Bool = false) {
        guard unflushed >= (more ? Self.piece : 1) else { return }
        unflushed = 0
        channel.flush()
        flushed()
    }

    /// The same when the event loop has done what it is doing.
    func flushSoon() {
        guard !willFlush else { return }
        willFlush = true
        let outbox = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            outbox.value.willFlush = false
            outbox.value.flush()
        }
    }

    /// Closes the connection when all before it is gone.
    func closeWhenEmpty() {
        channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).whenComplete { [channel] _ in channel.close(promise: nil) }
    }

    static var refusal: ErrorReply {
        ErrorReply(.refused(.noRoom), "no room for the answer: \(limit) bytes of answers wait to be read by this client")
    }
}
