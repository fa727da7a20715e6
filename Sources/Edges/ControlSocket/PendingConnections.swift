import NIOCore

/// TCP connections that have not been answered yet. When there are more than the limit, the oldest is closed: clients that connect and
/// send nothing keep nobody out. Thread: its event loop.
final class PendingConnections {
    private let limit: Int
    /// Oldest first.
    private var channels: [any Channel] = []

    private init(limit: Int) { self.limit = limit }

    static func open(limit: Int, on loop: any EventLoop) async throws -> NIOLoopBound<PendingConnections> {
        try await loop.submit { NIOLoopBound(PendingConnections(limit: limit), eventLoop: loop) }.get()
    }

    func add(_ channel: any Channel) {
        channels.append(channel)
        if channels.count > limit { channels.removeFirst().close(promise: nil) }
    }

    func remove(_ channel: any Channel) { channels.removeAll { $0 === channel } }
}
