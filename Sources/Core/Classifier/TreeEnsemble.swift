/// Decision trees, as gradient boosting makes them. In each tree, the inputs lead to one leaf. The log-odds are `base` plus the
/// values of these leaves.
public struct TreeEnsemble: Equatable, Sendable {
    /// The log-odds to which the values of the leaves are added.
    public let base: Double
    /// The trees, in the order in which the values of their leaves are added.
    private let trees: [Tree]
    /// The nodes of all trees, each as a `PackedNode`. The second child of a branch comes right after the first.
    private let packedNodes: [PackedNode]
    /// The values of the leaves, by the indices of the nodes in `packedNodes`. For a branch it is 0.
    private let values: [Double]

    /// A node of a tree. Children are given by their indices in the tree's list of nodes.
    public enum Node: Equatable, Sendable {
        case leaf(Double)
        /// Compares the input with the threshold. If the result is one of `relations`, the path goes on to `then`, else to `otherwise`.
        case branch(input: Int, relations: Relations, threshold: Double, then: Int, otherwise: Int)
    }

    /// The possible results of comparing an input with a threshold. Exactly one of them holds. The `Float` input is converted to a `Double`
    /// for this, without rounding.
    public struct Relations: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let less = Relations(rawValue: 1)
        public static let equal = Relations(rawValue: 2)
        public static let greater = Relations(rawValue: 4)
        /// The input is NaN, so that none of the other relations holds.
        public static let unordered = Relations(rawValue: 8)
    }

    /// The index of a tree's root in `packedNodes`, and the number of levels below the root.
    private struct Tree: Equatable {
        let root: UInt32
        let depth: UInt32
    }

    /// Creates an ensemble. In each tree, node 0 is the root, and every other node is the child of exactly one branch. The index of an
    /// input is at most 65,535.
    public init(base: Double, trees: [[Node]]) {
        let count = trees.reduce(0) { $0 + $1.count }
        precondition(count < UInt32.max, "an index has 32 bits")
        var packedNodes: [PackedNode] = []
        var values: [Double] = []
        packedNodes.reserveCapacity(count)
        values.reserveCapacity(count)
        self.base = base
        self.trees = trees.map { nodes in
            let root = packedNodes.count
            let depth = Self.lay(nodes, &packedNodes, &values)
            precondition(packedNodes.count - root == nodes.count, "each node of a tree is the child of one branch")
            return Tree(root: UInt32(root), depth: UInt32(depth))
        }
        self.packedNodes = packedNodes
        self.values = values
    }

    /// The number of trees, the number of nodes in all trees, and the largest number of branches on one path.
    public var size: (trees: Int, nodes: Int, depth: Int) { (trees.count, packedNodes.count, Int(trees.map(\.depth).max() ?? 0)) }

    /// The sum of the heights of all trees, each counted in nodes from the root to the lowest leaf. A prediction goes through four trees at
    /// a time, as many levels in each as the highest of the four has. So it may look at up to four times as many nodes as this.
    public var steps: Int { trees.reduce(0) { $0 + Int($1.depth) + 1 } }

    /// Appends a tree's nodes to `packedNodes`, level by level. Returns the number of levels below the root.
    private static func lay(_ nodes: [Node], _ packedNodes: inout [PackedNode], _ values: inout [Double]) -> Int {
        var level = [0]
        var depth = 0
        while true {
            var below: [Int] = []
            // The next level comes right after this one.
            let next = packedNodes.count + level.count
            for index in level {
                switch nodes[index] {
                case .leaf(let value):
                    packedNodes.append(PackedNode(leafAt: packedNodes.count))
                    values.append(value)
                case .branch(let input, let relations, let threshold, let then, let otherwise):
                    packedNodes.append(PackedNode(input, relations, threshold, children: next + below.count))
                    values.append(0)
                    below += [then, otherwise]
                }
            }
            guard !below.isEmpty else { return depth }
            depth += 1
            precondition(depth < nodes.count, "a tree has no cycle")
            level = below
        }
    }

    func logOdds(_ inputs: Span<Float>) -> Double {
        for index in inputs.indices where inputs[index].isNaN {
            return sum(inputs) { input, bound in (input > bound ? 1 : 0) &+ (input >= bound ? 1 : 0) &+ (input.isNaN ? 3 : 0) }
        }
        return sum(inputs) { input, bound in (input > bound ? 1 : 0) &+ (input >= bound ? 1 : 0) }
    }

    /// Returns `base` plus the values of the leaves to which the inputs lead. `relation` compares an input with a bound and returns the
    /// number of the bit in `Relations` that holds. The number is a sum of comparisons, without a jump, because processors cannot predict
    /// which way a tree goes.
    @inline(__always)
    private func sum(_ inputs: Span<Float>, _ relation: (_ input: Float, _ bound: Float) -> UInt32) -> Double {
        let packedNodes = packedNodes.span
        func next(_ index: UInt32) -> UInt32 {
            let node = packedNodes[Int(index)]
            return node.child(relation(inputs[Int(node.input)], node.bound))
        }
        var sum = base
        var index = 0
        // Four trees at a time: while one waits for memory, the others go on. Who is at a leaf stays there.
        while index + 4 <= trees.count {
            let (a, b, c, d) = (trees[index], trees[index + 1], trees[index + 2], trees[index + 3])
            var (p, q, r, s) = (a.root, b.root, c.root, d.root)
            for _ in 0..<max(a.depth, b.depth, c.depth, d.depth) { (p, q, r, s) = (next(p), next(q), next(r), next(s)) }
            // One after the other: an order of additions gives a rounding.
            sum += values[Int(p)]
            sum += values[Int(q)]
            sum += values[Int(r)]
            sum += values[Int(s)]
            index += 4
        }
        for tree in trees[index...] {
            var node = tree.root
            for _ in 0..<tree.depth { node = next(node) }
            sum += values[Int(node)]
        }
        return sum
    }
}

/// A node in the form in which predictions use it.
private struct PackedNode: Equatable {
    /// The largest `Float` that is not above the threshold. Comparing a `Float` with this bound gives the same as comparing it with the
    /// threshold, with one exception: if the threshold is no `Float`, an input that equals the bound is less than the threshold.
    let bound: Float
    /// The index of the first child in `packedNodes`. The second child comes right after it.
    let first: UInt32
    let input: UInt16
    /// The relations that lead to the second child.
    let second: UInt8

    /// Creates the leaf with the index `index`. Its child for any input is the leaf itself, so that shorter paths need no test for their
    /// end.
    init(leafAt index: Int) {
        bound = 0
        first = UInt32(index)
        input = 0
        second = 0
    }

    init(_ input: Int, _ relations: TreeEnsemble.Relations, _ threshold: Double, children: Int) {
        let nearest = Float(threshold)
        let isExact = Double(nearest) == threshold
        bound = Double(nearest) > threshold ? nearest.nextDown : nearest
        first = UInt32(children)
        self.input = UInt16(input)
        var relations = relations
        if !isExact {
            // A bound below the threshold is less than it.
            if relations.contains(.less) { relations.insert(.equal) } else { relations.remove(.equal) }
        }
        second = ~relations.rawValue & 15
    }

    /// Returns the index of the child for a relation. `relation` is the number of the relation's bit, 0…3.
    func child(_ relation: UInt32) -> UInt32 { first &+ (UInt32(second) >> (relation & 3) & 1) }
}
