import NIOCore
import Synchronization

/// Lines that go to a client unasked, from whatever thread. Those that wait to be taken over by the client's event loop are bounded.
final class Handover: Sendable {
    /// Bytes that may wait at once.
    private static let limit = 65_536

    private let channel: any Channel
    private let write: @Sendable ([UInt8]) -> Void
    private let waiting = Atomic(0)

    /// `write` is called on the channel's event loop.
    init(to channel: any Channel, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.channel = channel
        self.write = write
    }

    /// Whether the line goes; it does not where the client does not read.
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
