/// The room that is left in a batch. A station fills a batch up to this size, and a hub refuses larger ones. The size is limited because
/// the hub commits a batch in one transaction, together with others, and each day in it is a partition of a table.
public struct BatchRoom: Sendable {
    public static let mostRows = 500
    static let mostParts = 64
    static let mostDays = 32
    /// The largest allowed payload in bytes. It has room for a single row of any length, because a journal's line has at most 1 MiB.
    public static let largestPayload = 1 << 21

    private var parts = Self.mostParts
    private var rows = Self.mostRows
    /// The number of lines that may still be read, including lines that make no row.
    private var lines = 20_000
    private var bytes: Int
    private var days: Set<Int> = []

    /// Creates the room of an empty batch. `bytes` limits the batch's payload. A single row that is longer makes a batch of its own.
    public init(bytes: Int = 1 << 16) { self.bytes = bytes }

    public var isFull: Bool { parts <= 0 || rows <= 0 || lines <= 0 || bytes <= 0 }

    /// Counts a journal's line that was read, whether or not it makes a row.
    public mutating func countLine() { lines -= 1 }

    /// Counts a part without its rows, because `take` has counted those already.
    public mutating func add(_ part: RowBatch.Part) {
        parts -= 1
        bytes -= FleetPayload.bytes(of: RowBatch.Part(journal: part.journal, after: part.after, through: part.through, rows: [])).count
    }

    /// Counts a row if it fits, and returns true. Otherwise returns false, and no other row fits from then on.
    public mutating func take(_ row: JournalRow) -> Bool {
        let size = FleetPayload.bytes(of: row).count + 1
        days.insert(row.day)
        guard rows > 0, days.count <= Self.mostDays, size <= bytes || rows == Self.mostRows else {
            rows = 0
            return false
        }
        rows -= 1
        bytes -= size
        return true
    }
}
