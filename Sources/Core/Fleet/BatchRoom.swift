/// The room that there is left in a batch. A station fills it, and a hub refuses what is beyond: a batch is one transaction with others,
/// and each day in it is a partition.
public struct BatchRoom: Sendable {
    public static let mostRows = 500
    static let mostParts = 64
    static let mostDays = 32
    /// The largest payload that is sent and taken, in bytes: that of one row alone, whose line in the journal has 1 MiB at most.
    public static let largestPayload = 1 << 21

    private var parts = Self.mostParts
    private var rows = Self.mostRows
    /// The lines to go through, those that make no row among them.
    private var lines = 20_000
    private var bytes: Int
    private var days: Set<Int> = []

    /// `bytes` are those of the batch's payload. A row that alone has more makes a batch of its own.
    public init(bytes: Int = 1 << 16) { self.bytes = bytes }

    public var isFull: Bool { parts <= 0 || rows <= 0 || lines <= 0 || bytes <= 0 }

    /// Counts a line that was gone through.
    public mutating func passLine() { lines -= 1 }

    /// Counts a part, which is there already with its rows.
    public mutating func add(_ part: RowBatch.Part) {
        parts -= 1
        bytes -= FleetPayload.bytes(of: RowBatch.Part(journal: part.journal, after: part.after, through: part.through, rows: [])).count
    }

    /// Takes a row, and returns true; returns false where it does not fit, and then there is no room for any other.
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
