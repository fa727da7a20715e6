import Journal
import Units

/// The journal entries that wait for the disk, up to a limit. Entries beyond the limit are dropped, and a `lost` line with their number is
/// added later. A plain value, which uses neither disk nor lock.
struct JournalBacklog {
    struct Item: Sendable {
        /// The number of the session, counted from 1.
        var session: Int
        var entry: JournalEntry
    }

    /// A row of consecutive entries of one session that were dropped.
    private struct Gap {
        var session: Int
        /// The session's header, if the header was dropped as well; then no entry of the session is among the items. Nil otherwise.
        var header: JournalHeader?
        /// The frame of the first dropped entry.
        var frame = Frame.zero
        var entries = 0
    }

    /// The number of entries that may wait: as many as the busiest visitor makes in a minute.
    static let standardCapacity = 16_384

    /// The number of entries that were dropped: for lack of room, or by `giveUp`.
    private(set) var lost: UInt64 = 0
    private let capacity: Int
    private var items: [Item] = []
    private var first = 0
    /// The dropped entries for which a `lost` line must still be added. There are at most two gaps: one of a session that has entries among
    /// the items, and one of a session that has none.
    private var gaps: [Gap] = []
    private var session = 0
    /// The frame of the last entry of a kind whose frames never go back, in the present session. Entries of other kinds may be about an
    /// earlier frame.
    private var frame = Frame.zero

    init(capacity: Int = standardCapacity) { self.capacity = capacity }

    var count: Int { items.count - first }

    /// Adds an entry. The caller adds a session's entries after those of the session before, and its header first.
    mutating func put(_ entry: JournalEntry) {
        switch entry {
        case .header:
            session += 1
            frame = .zero
            // A session of which nothing was kept is over: it leaves no journal.
            for gap in gaps where gap.header != nil { lost += 1 }
            gaps.removeAll { $0.header != nil }
        case .event(_, let next, _, _), .end(_, let next), .discontinuity(.lost, let next): frame = next
        case .discontinuity, .checkpoint: break
        }
        settle()
        if gaps.isEmpty, count < capacity { items.append(Item(session: session, entry: entry)) } else { drop(entry) }
    }

    /// The entry that is to be written to the disk next; nil when none waits.
    var next: Item? {
        mutating get {
            settle()
            return first < items.count ? items[first] : nil
        }
    }

    /// Removes the entry that `next` has returned, after it was written to the disk. Does nothing where `giveUp` has dropped all entries
    /// meanwhile.
    mutating func removeNext() {
        guard first < items.count else { return }
        first += 1
        // In steps, so that removing one is cheap and written entries are not kept for long.
        if first == items.count || first >= 256 {
            items.removeFirst(first)
            first = 0
        }
    }

    /// Drops all entries without writing them.
    mutating func giveUp() {
        lost += UInt64(count)
        for gap in gaps where gap.header != nil { lost += 1 }
        items = []
        first = 0
        gaps = []
    }

    /// Adds the `lost` lines that are still missing, once half of the items are written. If they were added sooner, a slow disk would write
    /// little else.
    private mutating func settle() {
        guard !gaps.isEmpty, count <= capacity / 2 else { return }
        for gap in gaps {
            if let header = gap.header { items.append(Item(session: gap.session, entry: .header(header))) }
            if gap.entries > 0 {
                items.append(Item(session: gap.session, entry: .discontinuity(.lost(entries: gap.entries), at: gap.frame)))
            }
        }
        gaps = []
    }

    private mutating func drop(_ entry: JournalEntry) {
        if gaps.last?.session != session { gaps.append(Gap(session: session)) }
        if case .header(let header) = entry {
            gaps[gaps.count - 1].header = header
        } else {
            if gaps[gaps.count - 1].entries == 0 { gaps[gaps.count - 1].frame = frame }
            gaps[gaps.count - 1].entries += 1
            lost += 1
        }
    }
}
