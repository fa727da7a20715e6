import Signals

/// The events that clients have planned for later. The caller runs the timers. Thread: the event loop.
struct Agenda {
    /// The largest number of entries that one client may have.
    static let clientLimit = 512
    /// The number of entries for which each client has room, whatever other clients have planned.
    static let ownLimit = 16
    /// The largest number of entries that all clients together may have, not counting the first `ownLimit` of each.
    static let sharedLimit = 4096

    static let refusal = "\(clientLimit) events of a client can be planned at once, "
        + "and \(sharedLimit) of all clients beside \(ownLimit) of each"

    private struct Entry {
        var client: Int
        var weight: Int
        var stopTimer: () -> Void
        /// Called when the entry is dropped.
        var cancelled: () -> Void
    }

    private var entries: [Int: Entry] = [:]
    private var counts: [Int: Int] = [:]
    private var shared = 0
    private var last = 0

    /// Returns the number of entries for which an event counts: 16 for a pattern, else 1.
    static func weight(of kind: EventKind) -> Int { if case .pattern = kind { 16 } else { 1 } }

    func hasRoom(for client: Int, weight: Int) -> Bool {
        let count = counts[client, default: 0] + weight
        return count <= Self.clientLimit && (count <= Self.ownLimit || shared + min(weight, count - Self.ownLimit) <= Self.sharedLimit)
    }

    /// Adds an entry. `startTimer` gets the entry's number, and returns a function that stops the timer.
    mutating func put(from client: Int, weight: Int, _ startTimer: (Int) -> () -> Void, cancelled: @escaping () -> Void) {
        last += 1
        entries[last] = Entry(client: client, weight: weight, stopTimer: startTimer(last), cancelled: cancelled)
        count(weight, for: client)
    }

    /// Removes the entry with this number, whose time has come.
    mutating func strike(_ number: Int) { _ = take(number) }

    /// Drops the entries of a client that has disconnected. Returns their `cancelled` functions, which the caller must call.
    mutating func cancel(from client: Int) -> [() -> Void] { cancel { $0 == client } }

    mutating func cancelAll() -> [() -> Void] { cancel { _ in true } }

    /// Drops the entries of the clients for which `isMeant` is true. Returns their `cancelled` functions, which the caller must call.
    mutating func cancel(_ isMeant: (Int) -> Bool) -> [() -> Void] {
        entries.filter { isMeant($0.value.client) }.sorted { $0.key < $1.key }.map { number, entry in
            _ = take(number)
            entry.stopTimer()
            return entry.cancelled
        }
    }

    private mutating func take(_ number: Int) -> Entry? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        count(-entry.weight, for: entry.client)
        return entry
    }

    private mutating func count(_ weight: Int, for client: Int) {
        let before = counts[client, default: 0]
        let after = before + weight
        shared += max(0, after - Self.ownLimit) - max(0, before - Self.ownLimit)
        counts[client] = after > 0 ? after : nil
    }
}
