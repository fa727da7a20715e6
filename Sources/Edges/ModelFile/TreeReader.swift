import Classifier
import Fields
import SwiftProtobuf

private typealias FileNode = MLTreeEnsembleParameters.TreeNode

/// Reads trees, as coremltools writes a GradientBoostingClassifier of scikit-learn.
struct TreeReader {
    /// For each input of the model, the index of its value among the values that the piece provides.
    let inputIndices: [Int]

    /// Returns the trees that `model` contains. Throws `Fault` where the model is not of this form.
    func ensemble(of model: Part<MLTreeEnsembleClassifier>) throws(Fault) -> TreeEnsemble {
        switch model.value.classLabels {
        case .int64ClassLabels(let labels): try ClassLabels.check(labels, of: model)
        case .stringClassLabels(let labels): try ClassLabels.check(labels, of: model)
        case nil: throw ClassLabels.missing(of: model)
        }
        guard model.value.postEvaluationTransform == .regressionLogistic else {
            throw model.fault("postEvaluationTransform", "Regression_Logistic", found: "\(model.value.postEvaluationTransform)")
        }
        let parameters = try model.part(model.value.treeEnsemble, "treeEnsemble")
        guard parameters.value.numPredictionDimensions == 1 else {
            throw parameters.fault("numPredictionDimensions", "1", found: "\(parameters.value.numPredictionDimensions)")
        }
        guard parameters.value.basePredictionValue.count == 1 else {
            throw parameters.fault("basePredictionValue", "one number", found: "\(parameters.value.basePredictionValue.count)")
        }
        let base = parameters.value.basePredictionValue[0]
        try parameters.check(base, "basePredictionValue[0]")
        guard !parameters.value.nodes.isEmpty else { throw parameters.fault("nodes", "at least one tree") }
        return try ensemble(base, trees(of: parameters), parameters)
    }

    private func ensemble(
        _ base: Double, _ trees: [[TreeEnsemble.Node]], _ parameters: Part<MLTreeEnsembleParameters>
    ) throws(Fault) -> TreeEnsemble {
        // The log-odds are finite for whatever inputs.
        let most = trees.reduce(base.magnitude) { sum, tree in
            sum + tree.reduce(0) { most, node in if case .leaf(let value) = node { max(most, value.magnitude) } else { most } }
        }
        guard most.isFinite else { throw parameters.fault("nodes", "leaves whose sum is finite") }
        let ensemble = TreeEnsemble(base: base, trees: trees)
        try check(steps: ensemble.steps, parameters)
        return ensemble
    }

    private func check(steps: Int, _ parameters: Part<MLTreeEnsembleParameters>) throws(Fault) {
        guard steps <= ModelLimits.steps else {
            throw parameters.fault("nodes", "trees whose heights add up to at most \(ModelLimits.steps) nodes", found: "\(steps)")
        }
    }

    /// Returns the nodes of each tree, with the root first. The trees are in the order in which their first
    /// nodes appear in the file.
    private func trees(of parameters: Part<MLTreeEnsembleParameters>) throws(Fault) -> [[TreeEnsemble.Node]] {
        var order: [UInt64] = []
        var members: [UInt64: [Int]] = [:]
        for (index, node) in parameters.value.nodes.enumerated() {
            if members[node.treeID] == nil {
                order.append(node.treeID)
                // A tree has a root at least, and is no small thing to build.
                try check(steps: order.count, parameters)
            }
            members[node.treeID, default: []].append(index)
        }
        var trees: [[TreeEnsemble.Node]] = []
        trees.reserveCapacity(order.count)
        for tree in order { trees.append(try FileTree(parameters, tree, members[tree, default: []]).nodes(inputIndices)) }
        return trees
    }
}

/// The nodes of one tree in the file.
private struct FileTree {
    private let parameters: Part<MLTreeEnsembleParameters>
    private let tree: UInt64
    /// The indices of the tree's nodes in the file, by their IDs.
    private let byID: [UInt64: Int]
    private let members: [Int]

    init(_ parameters: Part<MLTreeEnsembleParameters>, _ tree: UInt64, _ members: [Int]) throws(Fault) {
        self.parameters = parameters
        self.tree = tree
        self.members = members
        var byID = [UInt64: Int](minimumCapacity: members.count)
        for index in members {
            let node = parameters.value.nodes[index].nodeID
            guard byID.updateValue(index, forKey: node) == nil else {
                throw parameters.fault("nodes[\(index)].nodeId", "an ID that no other node of tree \(tree) has", found: "\(node)")
            }
        }
        self.byID = byID
    }

    /// Returns the nodes from the root on, level by level. `inputIndices` is that of `TreeReader`.
    func nodes(_ inputIndices: [Int]) throws(Fault) -> [TreeEnsemble.Node] {
        // Indices in the file's list, in the order in which the nodes are gone to.
        var queue = [try root()]
        var nodes: [TreeEnsemble.Node] = []
        while nodes.count < queue.count {
            let index = queue[nodes.count]
            let (then, otherwise) = (queue.count, queue.count + 1)
            let node = parameters.value.nodes[index]
            nodes.append(try read(node, index, inputIndices, then, otherwise))
            guard node.nodeBehavior != .leafNode else { continue }
            queue += [try child(node.trueChildNodeID, of: index, "true"), try child(node.falseChildNodeID, of: index, "false")]
        }
        // Each other node is the child of one branch, so that those which are not gone to lead to each other.
        guard nodes.count == members.count else {
            throw parameters.fault("nodes", "a tree", found: "a cycle of nodes in tree \(tree)")
        }
        return nodes
    }

    /// Returns the index in the file of the only node to which no branch leads. Throws `Fault` where there is not exactly one such node, or
    /// two branches lead to the same node.
    private func root() throws(Fault) -> Int {
        var isChild = Set<Int>(minimumCapacity: members.count)
        for index in members where parameters.value.nodes[index].nodeBehavior != .leafNode {
            let node = parameters.value.nodes[index]
            for (id, side) in [(node.trueChildNodeID, "true"), (node.falseChildNodeID, "false")] {
                guard isChild.insert(try child(id, of: index, side)).inserted else {
                    throw parameters.fault("nodes[\(index)].\(side)ChildNodeId", "a node that nothing else leads to", found: "\(id)")
                }
            }
        }
        let roots = members.filter { !isChild.contains($0) }
        guard let root = roots.first else { throw parameters.fault("nodes", "a tree", found: "a cycle of nodes in tree \(tree)") }
        guard roots.count == 1 else {
            throw parameters.fault("nodes[\(roots[1])]", "one root in tree \(tree)", found: "\(roots.count)")
        }
        return root
    }

    private func child(_ id: UInt64, of index: Int, _ side: String) throws(Fault) -> Int {
        guard let child = byID[id] else {
            throw parameters.fault("nodes[\(index)].\(side)ChildNodeId", "a node of tree \(tree)", found: "\(id)")
        }
        return child
    }

    /// Reads `node`, which has the index `index` in the file. Its children, if it is a branch, will have the indices `then` and `otherwise`
    /// in the tree.
    private func read(_ node: FileNode, _ index: Int, _ inputIndices: [Int], _ then: Int, _ otherwise: Int)
        throws(Fault) -> TreeEnsemble.Node {
        // Paths cost more than nodes, so they are made for faults alone.
        if node.unknownField != nil { _ = try parameters.part(node, "nodes[\(index)]") }
        guard node.nodeBehavior == .leafNode else {
            return try branch(node, index, inputIndices, then, otherwise)
        }
        guard node.evaluationInfo.count == 1 else {
            throw parameters.fault("nodes[\(index)].evaluationInfo", "one value", found: "\(node.evaluationInfo.count)")
        }
        let value = node.evaluationInfo[0]
        if value.unknownField != nil { _ = try parameters.part(value, "nodes[\(index)].evaluationInfo[0]") }
        guard value.evaluationIndex == 0 else {
            throw parameters.fault("nodes[\(index)].evaluationInfo[0].evaluationIndex", "0", found: "\(value.evaluationIndex)")
        }
        try parameters.check(value.evaluationValue, "nodes[\(index)].evaluationInfo[0].evaluationValue")
        return .leaf(value.evaluationValue)
    }

    private func branch(_ node: FileNode, _ index: Int, _ inputIndices: [Int], _ then: Int, _ otherwise: Int)
        throws(Fault) -> TreeEnsemble.Node {
        var relations: TreeEnsemble.Relations
        switch node.nodeBehavior {
        case .branchOnValueLessThanEqual: relations = [.less, .equal]
        case .branchOnValueLessThan: relations = .less
        case .branchOnValueGreaterThanEqual: relations = [.greater, .equal]
        case .branchOnValueGreaterThan: relations = .greater
        case .branchOnValueEqual: relations = .equal
        case .branchOnValueNotEqual: relations = [.less, .greater]
        case .leafNode, .UNRECOGNIZED:
            throw parameters.fault("nodes[\(index)].nodeBehavior", "a comparison or a leaf", found: "\(node.nodeBehavior.rawValue)")
        }
        if node.missingValueTracksTrueChild { relations.insert(.unordered) }
        guard node.branchFeatureIndex < UInt64(inputIndices.count) else {
            let expected = inputIndices.isEmpty ? "a model with inputs" : "a number from 0 to \(inputIndices.count - 1)"
            throw parameters.fault("nodes[\(index)].branchFeatureIndex", expected, found: "\(node.branchFeatureIndex)")
        }
        guard node.evaluationInfo.isEmpty else { throw parameters.fault("nodes[\(index)].evaluationInfo", "no value in a branch") }
        try parameters.check(node.branchFeatureValue, "nodes[\(index)].branchFeatureValue")
        return .branch(input: inputIndices[Int(node.branchFeatureIndex)], relations: relations, threshold: node.branchFeatureValue,
                       then: then, otherwise: otherwise)
    }
}
