/// A Merkle tree as RFC 9162, section 2.1, defines it: one hash, the root, stands for a list of entries, and a short path shows that an
/// entry is in the list. The hash function comes from outside; with SHA-256 the roots are those of Certificate Transparency.
public struct MerkleTree: Sendable {
    /// Returns the hash of its bytes.
    public typealias Hash = @Sendable ([UInt8]) -> [UInt8]

    private let hash: Hash
    /// The hashes of the entries, in order.
    private let leaves: [[UInt8]]

    /// Makes the tree of `entries`, in their order.
    public init(_ entries: [[UInt8]], _ hash: @escaping Hash) {
        self.hash = hash
        leaves = entries.map { Self.leaf($0, hash) }
    }

    /// The hash that stands for all entries; for no entries that of no bytes.
    public var root: [UInt8] { leaves.isEmpty ? hash([]) : root(leaves[...]) }

    /// Returns the hashes that lead from the entry at `index`, one of the tree's, to the root (section 2.1.3.1).
    public func path(of index: Int) -> [[UInt8]] {
        precondition(leaves.indices.contains(index), "an entry of this tree")
        return path(of: index, in: leaves[...])
    }

    /// Says whether `path` shows that `entry` is the one at `index` of the `count` entries whose root is `root` (section 2.1.3.2).
    public static func shows(_ path: [[UInt8]], that entry: [UInt8], at index: Int, of count: Int, belongsTo root: [UInt8],
                             _ hash: Hash) -> Bool {
        guard (0..<max(count, 0)).contains(index) else { return false }
        var (place, last, found) = (index, count - 1, leaf(entry, hash))
        for next in path {
            guard last > 0 else { return false }
            if place % 2 == 1 || place == last {
                found = node(next, found, hash)
                while place % 2 == 0, place > 0 { (place, last) = (place / 2, last / 2) }
            } else {
                found = node(found, next, hash)
            }
            (place, last) = (place / 2, last / 2)
        }
        return last == 0 && found == root
    }

    private static func leaf(_ entry: [UInt8], _ hash: Hash) -> [UInt8] { hash([0] + entry) }

    private static func node(_ left: [UInt8], _ right: [UInt8], _ hash: Hash) -> [UInt8] { hash([1] + left + right) }

    private func root(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
        guard leaves.count > 1 else { return leaves[leaves.startIndex] }
        let middle = leaves.startIndex + Self.half(of: leaves.count)
        return Self.node(root(leaves[..<middle]), root(leaves[middle...]), hash)
    }

    private func path(of index: Int, in leaves: ArraySlice<[UInt8]>) -> [[UInt8]] {
        guard leaves.count > 1 else { return [] }
        let middle = leaves.startIndex + Self.half(of: leaves.count)
        return index < middle ? path(of: index, in: leaves[..<middle]) + [root(leaves[middle...])]
            : path(of: index, in: leaves[middle...]) + [root(leaves[..<middle])]
    }

    /// Returns the largest power of two below `count`, which is at least 2.
    private static func half(of count: Int) -> Int {
        var half = 1
        while half * 2 < count { half *= 2 }
        return half
    }
}
