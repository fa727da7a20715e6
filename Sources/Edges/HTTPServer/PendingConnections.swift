import NIOCore

/// Connections that ask for files, or for nothing yet. When one more comes than there is room for, the one that asked longest ago is
/// closed: whoever sits there and says nothing keeps nobody out. Thread: its event loop.
final class PendingConnections {
    private let limit: Int
    /// Who asked longest ago comes first.
    private var channels: [any Channel] = []
    private var numbered = 0

    private init(limit: Int) { self.limit = limit }

    static func open(limit: Int, on loop: any EventLoop) async throws -> NIOLoopBound<PendingConnections> {
        try await loop.submit { NIOLoopBound(PendingConnections(limit: limit), eventLoop: loop) }.get()
    }

    func add(_ channel: any Channel) {
        channels.append(channel)
        if channels.count > limit { channels.removeFirst().close(promise: nil) }
    }

    /// It has asked for something.
    func heard(_ channel: any Channel) {
        remove(channel)
        channels.append(channel)
    }

    /// Of the next connection.
    func number() -> Int {
        numbered += 1
        return numbered
    }

    /// Bytes of answers that the kernel has not taken yet.
    var unsentBytes: Int {
        channels.reduce(0) { sum, channel in sum + ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0) }
    }

    func remove(_ channel: any Channel) { channels.removeAll { $0 === channel } }
}
