import NIOCore

/// Connections over TCP that have not got what they came for, or have not asked for anything yet. When one more comes than there is room
/// for, the oldest is closed: whoever sits there and says nothing keeps nobody out. Thread: its event loop.
final class Lobby {
    private let limit: Int
    /// Oldest first.
    private var guests: [any Channel] = []

    private init(limit: Int) { self.limit = limit }

    static func open(limit: Int, on loop: any EventLoop) async throws -> NIOLoopBound<Lobby> {
        try await loop.submit { NIOLoopBound(Lobby(limit: limit), eventLoop: loop) }.get()
    }

    func enter(_ channel: any Channel) {
        guests.append(channel)
        if guests.count > limit { guests.removeFirst().close(promise: nil) }
    }

    func leave(_ channel: any Channel) { guests.removeAll { $0 === channel } }
}
