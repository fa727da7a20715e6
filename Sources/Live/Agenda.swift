import NIOCore
import Signals

/// What is to be done at a later moment, and by whom it was asked for. Thread: the event loop.
struct Agenda {
    /// Entries at once, so that nobody can fill the memory with them, nor take the room of the others.
    static let limit = 4096
    static let clientLimit = 512

    private struct Entry {
        var client: Int
        var weight: Int
        var timer: Scheduled<Void>
        /// To be called instead of what was planned.
        var cancelled: () -> Void
    }

    private var entries: [Int: Entry] = [:]
    private var counts: [Int: Int] = [:]
    private var total = 0
    private var last = 0

    /// A pattern counts for sixteen.
    static func weight(of happening: Happening) -> Int { if case .pattern = happening { 16 } else { 1 } }

    func hasRoom(for client: Int, weight: Int) -> Bool {
        total + weight <= Self.limit && counts[client, default: 0] + weight <= Self.clientLimit
    }

    /// `start` is told the number of the entry.
    mutating func put(from client: Int, weight: Int, _ start: (Int) -> Scheduled<Void>, cancelled: @escaping () -> Void) {
        last += 1
        entries[last] = Entry(client: client, weight: weight, timer: start(last), cancelled: cancelled)
        counts[client, default: 0] += weight
        total += weight
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
        total -= entry.weight
        let count = counts[entry.client, default: entry.weight] - entry.weight
        counts[entry.client] = count > 0 ? count : nil
        return entry
    }
}
