import NIOCore

/// What is to be done at a later moment, and by whom it was asked for. Thread: the event loop.
struct Agenda {
    /// Entries at once, so that nobody can fill the memory with them, nor take the room of the others.
    static let limit = 4096
    static let clientLimit = 512

    private struct Entry {
        var client: Int
        var timer: Scheduled<Void>
        /// To be called instead of what was planned.
        var cancelled: () -> Void
    }

    private var entries: [Int: Entry] = [:]
    private var counts: [Int: Int] = [:]
    private var last = 0

    func hasRoom(for client: Int) -> Bool { entries.count < Self.limit && counts[client, default: 0] < Self.clientLimit }

    /// `start` is told the number of the entry.
    mutating func put(from client: Int, _ start: (Int) -> Scheduled<Void>, cancelled: @escaping () -> Void) {
        last += 1
        entries[last] = Entry(client: client, timer: start(last), cancelled: cancelled)
        counts[client, default: 0] += 1
    }

    /// Its time has come.
    mutating func strike(_ number: Int) { _ = take(number) }

    /// Whoever is gone wants nothing any more. Returns what is to be called for what has been cancelled.
    mutating func cancel(from client: Int) -> [() -> Void] { cancel { $0.client == client } }

    mutating func cancelAll() -> [() -> Void] { cancel { _ in true } }

    private mutating func cancel(_ isMeant: (Entry) -> Bool) -> [() -> Void] {
        entries.filter { isMeant($0.value) }.sorted { $0.key < $1.key }.map { number, entry in
            _ = take(number)
            entry.timer.cancel()
            return entry.cancelled
        }
    }

    private mutating func take(_ number: Int) -> Entry? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        let count = counts[entry.client, default: 1] - 1
        counts[entry.client] = count > 0 ? count : nil
        return entry
    }
}
