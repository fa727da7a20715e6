import NIOCore

/// What is to be done at a later moment, and by whom it was asked for. Thread: the event loop.
struct Agenda {
    /// Entries at once, so that nobody can fill the memory with them.
    static let limit = 4096

    private struct Entry {
        var client: Int
        var timer: Scheduled<Void>
    }

    private var entries: [Int: Entry] = [:]
    private var last = 0

    var isFull: Bool { entries.count >= Self.limit }

    /// Returns the number of the entry, which `start` is told too.
    mutating func put(from client: Int, _ start: (Int) -> Scheduled<Void>) {
        last += 1
        entries[last] = Entry(client: client, timer: start(last))
    }

    /// Its time has come.
    mutating func strike(_ number: Int) { entries[number] = nil }

    /// Whoever is gone wants nothing any more.
    mutating func cancel(from client: Int) {
        for (number, entry) in entries where entry.client == client {
            entry.timer.cancel()
            entries[number] = nil
        }
    }

    mutating func cancelAll() {
        for entry in entries.values { entry.timer.cancel() }
        entries = [:]
    }
}
