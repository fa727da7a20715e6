import Fields
import Foundation
import SwiftProtobuf
import Testing
@testable import ModelFile

/// Every file that is not read says what is wrong with it, and where.
@Suite struct RefusalTests {
    private typealias Nodes = [MLTreeEnsembleParameters.TreeNode]

    private func logOdds(_ model: MLModel, _ values: [Float]) throws -> Double { try SmallModels.read(model).logOdds(values.span) }

    @Test func `trees and sums are read by themselves and in a pipeline`() throws {
        let trees = MLModel.OneOf_Type.treeEnsembleClassifier(SmallModels.trees)
        for model in [SmallModels.alone(trees), SmallModels.pipeline(trees)] {
            #expect(try logOdds(model, [9, 2, 9]) == 0.5)
            #expect(try logOdds(model, [9, 2.5, 9]) == 2.5)
        }
        let linear = MLModel.OneOf_Type.glmClassifier(SmallModels.linear)
        for model in [SmallModels.alone(linear), SmallModels.pipeline(linear)] {
            #expect(try logOdds(model, [3, 1, 9]) == 5.25)
        }
    }

    @Test func `an array of as many numbers as the piece gives has them in the piece's order`() throws {
        var linear = SmallModels.linear
        linear.weights[0].value = [1, 10, 100]
        #expect(try logOdds(SmallModels.alone(.glmClassifier(linear), inputs: [SmallModels.array(3)]), [1, 2, 3]) == 321.25)
        #expect(SmallModels.refusal(of: SmallModels.alone(.glmClassifier(linear), inputs: [SmallModels.array(4)]))
            == "description.input[0]: expected an array of 3 numbers, found one of 4")
    }

    // MARK: Trees

    private func refusal(trees change: (inout MLTreeEnsembleClassifier) -> Void) -> String? {
        var trees = SmallModels.trees
        change(&trees)
        let words = SmallModels.refusal(of: SmallModels.alone(.treeEnsembleClassifier(trees)))
        // All of them are about the classifier.
        return words.map { $0.hasPrefix("treeEnsembleClassifier.") ? String($0.dropFirst(23)) : $0 }
    }

    private func refusal(nodes change: (inout Nodes) -> Void) -> String? {
        refusal(trees: { change(&$0.treeEnsemble.nodes) }).map { $0.hasPrefix("treeEnsemble.nodes") ? String($0.dropFirst(18)) : $0 }
    }

    @Test func `what is no tree is refused`() {
        #expect(refusal(nodes: { $0 = [] }) == ": expected at least one tree")
        #expect(refusal(nodes: { $0[0].trueChildNodeID = 7 }) == "[0].trueChildNodeId: expected a node of tree 0, found 7")
        #expect(refusal(nodes: { $0.removeLast() }) == "[0].falseChildNodeId: expected a node of tree 0, found 2")
        #expect(refusal(nodes: { $0[0].falseChildNodeID = 1 })
            == "[0].falseChildNodeId: expected a node that nothing else leads to, found 1")
        #expect(refusal(nodes: { $0[2].nodeID = 1 }) == "[2].nodeId: expected an ID that no other node of tree 0 has, found 1")
        #expect(refusal(nodes: { $0.append(SmallModels.leaf(3, 1)) }) == "[3]: expected one root in tree 0, found 2")
        #expect(refusal(nodes: { $0[0].trueChildNodeID = 0 }) == ": expected a tree, found a cycle of nodes in tree 0")
        // A root, and two branches that lead to each other.
        let cycle = [SmallModels.branch(3, feature: 0, threshold: 0, then: 4, otherwise: 5), SmallModels.leaf(5, 1),
                     SmallModels.branch(4, feature: 0, threshold: 0, then: 3, otherwise: 6), SmallModels.leaf(6, 1)]
        #expect(refusal(nodes: { $0 += cycle }) == ": expected a tree, found a cycle of nodes in tree 0")
        #expect(refusal(nodes: { $0 = [SmallModels.branch(0, feature: 0, threshold: 0, then: 1, otherwise: 2),
                                       SmallModels.branch(1, feature: 0, threshold: 0, then: 0, otherwise: 3),
                                       SmallModels.branch(2, feature: 0, threshold: 0, then: 4, otherwise: 5)] })
            == "[1].falseChildNodeId: expected a node of tree 0, found 3")
    }

    @Test func `nodes of a tree may stand in any order and among those of others`() throws {
        var trees = SmallModels.trees
        trees.treeEnsemble.nodes.insert(SmallModels.leaf(9, 10, tree: 4), at: 1)
        trees.treeEnsemble.nodes.reverse()
        #expect(try logOdds(SmallModels.alone(.treeEnsembleClassifier(trees)), [0, 3, 0]) == 12.5)
    }

    @Test func `nodes that say what cannot be followed are refused`() {
        #expect(refusal(nodes: { $0[0].branchFeatureIndex = 2 }) == "[0].branchFeatureIndex: expected a number from 0 to 1, found 2")
        #expect(refusal(nodes: { $0[0].branchFeatureValue = .nan }) == "[0].branchFeatureValue: expected a finite number, found nan")
        #expect(refusal(nodes: { $0[0].branchFeatureValue = .infinity }) == "[0].branchFeatureValue: expected a finite number, found inf")
        #expect(refusal(nodes: { $0[0].nodeBehavior = .UNRECOGNIZED(7) }) == "[0].nodeBehavior: expected a comparison or a leaf, found 7")
        #expect(refusal(nodes: { $0[0].evaluationInfo = $0[1].evaluationInfo }) == "[0].evaluationInfo: expected no value in a branch")
        #expect(refusal(nodes: { $0[1].evaluationInfo = [] }) == "[1].evaluationInfo: expected one value, found 0")
        #expect(refusal(nodes: { $0[1].evaluationInfo += $0[2].evaluationInfo }) == "[1].evaluationInfo: expected one value, found 2")
        #expect(refusal(nodes: { $0[1].evaluationInfo[0].evaluationIndex = 1 })
            == "[1].evaluationInfo[0].evaluationIndex: expected 0, found 1")
        #expect(refusal(nodes: { $0[1].evaluationInfo[0].evaluationValue = -.infinity })
            == "[1].evaluationInfo[0].evaluationValue: expected a finite number, found -inf")
        #expect(refusal(nodes: { $0 += [SmallModels.leaf(0, 1e308, tree: 1), SmallModels.leaf(0, -1e308, tree: 2)] })
            == ": expected leaves whose sum is finite")
    }

    @Test func `an ensemble of which no log-odds come is refused`() {
        #expect(refusal(trees: { $0.postEvaluationTransform = .noTransform })
            == "postEvaluationTransform: expected Regression_Logistic, found noTransform")
        #expect(refusal(trees: { $0.postEvaluationTransform = .classificationSoftMax })
            == "postEvaluationTransform: expected Regression_Logistic, found classificationSoftMax")
        #expect(refusal(trees: { $0.treeEnsemble.numPredictionDimensions = 2 })
            == "treeEnsemble.numPredictionDimensions: expected 1, found 2")
        #expect(refusal(trees: { $0.treeEnsemble.basePredictionValue = [] })
            == "treeEnsemble.basePredictionValue: expected one number, found 0")
        #expect(refusal(trees: { $0.treeEnsemble.basePredictionValue = [.nan] })
            == "treeEnsemble.basePredictionValue[0]: expected a finite number, found nan")
        #expect(refusal(trees: { $0.classLabels = nil }) == "classLabels: expected 0, 1")
        #expect(refusal(trees: { $0.int64ClassLabels.vector = [1, 0] }) == "int64ClassLabels.vector: expected 0, 1, found 1, 0")
        #expect(refusal(trees: { $0.stringClassLabels.vector = ["stays", "leaves"] })
            == #"stringClassLabels.vector: expected "0", "1", found "stays", "leaves""#)
    }

    @Test func `more than the limits allow is refused`() {
        #expect(refusal(nodes: { $0 = (0...100_000).map { SmallModels.leaf(0, 0, tree: $0) } })
            == ": expected trees whose heights add up to at most 100000 nodes, found 100001")
        // Trees that are counted before they are built: each has a branch that leads nowhere.
        #expect(refusal(nodes: { $0 = (0...100_000).map { SmallModels.leaf(0, 0, tree: $0) }
                                $0[0].nodeBehavior = .branchOnValueLessThan })
            == ": expected trees whose heights add up to at most 100000 nodes, found 100001")
        // Nodes of two bytes each.
        let nodes = SmallModels.field(402, SmallModels.field(1, Array(repeating: [0x0A, 0], count: 1_000_001).flatMap { $0 }))
        #expect(SmallModels.refusal { try .init(nodes, name: "", inputs: []) } == "nodes: expected at most 1000000 messages")
    }

    @Test func `long lists are refused before they are decoded, and of shorter ones the beginning is named`() {
        #expect(refusal(trees: { $0.int64ClassLabels.vector = Array(repeating: 1, count: 1_025) })
            == "vector: expected at most 1024 bytes, found 1025")
        #expect(refusal(trees: { $0.stringClassLabels.vector = [String(repeating: "0", count: 1_025)] })
            == "vector: expected at most 1024 bytes, found 1025")
        #expect(refusal(trees: { $0.int64ClassLabels.vector = Array(0..<1_024).map { $0 % 128 } })
            == "int64ClassLabels.vector: expected 0, 1, found 0, 1, 2, 3, …")
        let array = MLFeatureDescription.with {
            $0.type.multiArrayType.dataType = .double
            $0.type.multiArrayType.shape = Array(repeating: 1, count: 1_025)
        }
        #expect(SmallModels.refusal(of: SmallModels.alone(.glmClassifier(SmallModels.linear), inputs: [array]))
            == "shape: expected at most 1024 bytes, found 1025")
        // Labels that are not packed, in two bytes each.
        let labels = SmallModels.field(402, SmallModels.field(101, Array(repeating: [8, 1], count: 10_000).flatMap { $0 }))
        #expect(SmallModels.refusal { try .init(labels, name: "", inputs: []) } == "expected at most 10000 messages")
    }

    // MARK: Sums

    private func refusal(sum change: (inout MLGLMClassifier) -> Void) -> String? {
        var linear = SmallModels.linear
        change(&linear)
        return SmallModels.refusal(of: SmallModels.alone(.glmClassifier(linear))).map { String($0.dropFirst("glmClassifier.".count)) }
    }

    @Test func `a sum that is not one of its inputs is refused`() {
        #expect(refusal(sum: { $0.weights[0].value = [1] }) == "weights[0].value: expected 2, one for each input, found 1")
        #expect(refusal(sum: { $0.weights += $0.weights }) == "weights: expected one row, found 2")
        #expect(refusal(sum: { $0.offset = [] }) == "offset: expected one number, found 0")
        #expect(refusal(sum: { $0.weights[0].value[1] = .nan }) == "weights[0].value[1]: expected a finite number, found nan")
        #expect(refusal(sum: { $0.weights[0].value[1] = 1e300 }) == "weights[0].value: expected weights whose sum is finite")
        #expect(refusal(sum: { $0.offset = [.infinity] }) == "offset[0]: expected a finite number, found inf")
        #expect(refusal(sum: { $0.postEvaluationTransform = .probit }) == "postEvaluationTransform: expected Logit, found probit")
        #expect(refusal(sum: { $0.classEncoding = .UNRECOGNIZED(2) }) == "classEncoding: expected ReferenceClass or OneVsRest, found 2")
        #expect(refusal(sum: { $0.stringClassLabels.vector = ["0"] }) == #"stringClassLabels.vector: expected "0", "1", found "0""#)
    }
}
