/// Whose memory of whom.
struct MemoryKey: Hashable {
    var piece: String
    var household: String
}

extension Change {
    /// Nil when it is about no memory.
    var memoryKey: MemoryKey? {
        if case .remember(let piece, let household, _) = self { MemoryKey(piece: piece, household: household) } else { nil }
    }
}
