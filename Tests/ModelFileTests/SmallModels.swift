import Classifier
import Fields
import SwiftProtobuf
@testable import ModelFile

/// Models of a few nodes, made as coremltools makes them, to be changed by tests.
enum SmallModels {
    /// The values that a piece gives.
    static let known = ["drought", "velocity", "depth"]

    /// −0.5, and 1 more where the velocity is at most 2 and 3 where it is more.
    static var trees: MLTreeEnsembleClassifier {
        MLTreeEnsembleClassifier.with {
            $0.treeEnsemble.nodes = [branch(0, feature: 1, threshold: 2, then: 1, otherwise: 2), leaf(1, 1), leaf(2, 3)]
            $0.treeEnsemble.numPredictionDimensions = 1
            $0.treeEnsemble.basePredictionValue = [-0.5]
            $0.postEvaluationTransform = .regressionLogistic
            $0.int64ClassLabels.vector = [0, 1]
        }
    }

    /// 2 · drought − velocity + 0.25.
    static var linear: MLGLMClassifier {
        MLGLMClassifier.with {
            $0.weights = [.with { $0.value = [2, -1] }]
            $0.offset = [0.25]
            $0.classEncoding = .oneVsRest
            $0.stringClassLabels.vector = ["0", "1"]
        }
    }

    static func branch(
        _ id: UInt64, feature: UInt64, threshold: Double, then: UInt64, otherwise: UInt64
    ) -> MLTreeEnsembleParameters.TreeNode {
        .with {
            $0.nodeID = id
            $0.branchFeatureIndex = feature
            $0.branchFeatureValue = threshold
            $0.trueChildNodeID = then
            $0.falseChildNodeID = otherwise
        }
    }

    static func leaf(_ id: UInt64, _ value: Double, tree: UInt64 = 0) -> MLTreeEnsembleParameters.TreeNode {
        .with {
            $0.treeID = tree
            $0.nodeID = id
            $0.nodeBehavior = .leafNode
            $0.evaluationInfo = [.with { $0.evaluationValue = value }]
        }
    }

    static func double(_ name: String) -> MLFeatureDescription {
        .with {
            $0.name = name
            $0.type.doubleType = MLDoubleFeatureType()
        }
    }

    static func array(_ count: Int64) -> MLFeatureDescription {
        .with {
            $0.name = "__feature_vector__"
            $0.type.multiArrayType.shape = [count]
            $0.type.multiArrayType.dataType = .double
        }
    }

    /// A classifier by itself.
    static func alone(_ type: MLModel.OneOf_Type, inputs: [MLFeatureDescription] = [double("drought"), double("velocity")]) -> MLModel {
        .with {
            $0.specificationVersion = 1
            $0.description_p.input = inputs
            $0.description_p.predictedFeatureName = "churn"
            $0.type = type
        }
    }

    /// A classifier behind a vectorizer of two inputs.
    static func pipeline(_ type: MLModel.OneOf_Type) -> MLModel {
        .with {
            $0.specificationVersion = 1
            $0.description_p.input = [double("drought"), double("velocity")]
            $0.description_p.metadata.userDefined = ["com.github.apple.coremltools.version": "9.0"]
            let vectorizer = MLModel.with {
                $0.specificationVersion = 1
                $0.description_p.input = [double("drought"), double("velocity")]
                $0.description_p.output = [array(2)]
                $0.featureVectorizer.inputList = ["drought", "velocity"].map { name in
                    .with {
                        $0.inputColumn = name
                        $0.inputDimensions = 1
                    }
                }
            }
            $0.pipelineClassifier.pipeline.models = [vectorizer, alone(type, inputs: [array(2)])]
        }
    }

    /// A field with its content, as Protocol Buffers encode it.
    static func field(_ number: UInt64, _ content: [UInt8]) -> [UInt8] { varint(number << 3 | 2) + varint(UInt64(content.count)) + content }

    private static func varint(_ number: UInt64) -> [UInt8] {
        number < 128 ? [UInt8(number)] : [UInt8(number & 127 | 128)] + varint(number >> 7)
    }

    static func read(_ model: MLModel) throws -> Classifier {
        try Classifier(model.serializedBytes(), name: "small.mlmodel", inputs: known)
    }

    /// The words by which a model is refused; nil where it is read.
    static func refusal(of model: MLModel) -> String? { refusal { try read(model) } }

    static func refusal(_ reading: () throws -> Classifier) -> String? {
        do {
            _ = try reading()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
