/// Which cards have been seen, as stretches without gaps: a visitor has one, or a few.
struct SeenBlocks: Codable, Equatable, Sendable {
    private struct Stretch: Codable, Equatable {
        var first: Int
        var last: Int
    }

    /// Ascending, with at least one card between two.
    private var stretches: [Stretch] = []
    private(set) var count = 0

    func contains(_ index: Int) -> Bool {
        guard let before = stretches.last(where: { $0.first <= index }) else { return false }
        return index <= before.last
    }

    mutating func insert(_ index: Int) {
        // The last that begins at or before it.
        let before = stretches.lastIndex { $0.first <= index }
        if let before, index <= stretches[before].last { return }
        count += 1
        let after = before.map { $0 + 1 } ?? 0
        let joinsBefore = before.map { stretches[$0].last + 1 == index } ?? false
        let joinsAfter = after < stretches.count && stretches[after].first == index + 1
        switch (joinsBefore, joinsAfter) {
        case (true, true): stretches[after - 1].last = stretches.remove(at: after).last
        case (true, false): stretches[after - 1].last = index
        case (false, true): stretches[after].first = index
        case (false, false): stretches.insert(Stretch(first: index, last: index), at: after)
        }
    }
}
