/// The last of some delays, in nanoseconds.
struct Delays {
    private static let capacity = 128
    private var values: [Int64] = []
    private var next = 0

    init() { values.reserveCapacity(Self.capacity) }

    mutating func add(_ delay: Int64) {
        if values.count < Self.capacity { values.append(delay) } else { values[next] = delay }
        next = (next + 1) % Self.capacity
    }

    /// Half of them were no longer; nil if there are none.
    var median: Int64? { values.isEmpty ? nil : values.sorted()[values.count / 2] }
}
