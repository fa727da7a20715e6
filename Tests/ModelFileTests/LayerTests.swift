import Fields
import Foundation
import SwiftProtobuf
import Testing
@testable import ModelFile

/// What is around a classifier: kinds of models, inputs, and fields that nobody knows.
@Suite struct LayerTests {
    private func refusal(_ change: (inout MLModel) -> Void) -> String? {
        var model = SmallModels.alone(.treeEnsembleClassifier(SmallModels.trees))
        change(&model)
        return SmallModels.refusal(of: model)
    }

    private func refusal(pipeline change: (inout [MLModel]) -> Void) -> String? {
        var model = SmallModels.pipeline(.treeEnsembleClassifier(SmallModels.trees))
        change(&model.pipelineClassifier.pipeline.models)
        return SmallModels.refusal(of: model)?.replacing("pipelineClassifier.pipeline.", with: "")
    }

    @Test func `models of other kinds are refused by the names that Core ML has for them`() throws {
        for (number, name) in Layer.names where ![200, 400, 402, 602].contains(number) {
            let bytes = [8, 1] + SmallModels.field(number, [])
            #expect(SmallModels.refusal { try .init(bytes, name: "", inputs: []) } == "expected trees or a weighted sum, found \(name)")
        }
        #expect(refusal { $0.featureVectorizer = MLFeatureVectorizer() }
            == "expected a treeEnsembleClassifier or a glmClassifier, found featureVectorizer")
        #expect(refusal { $0.type = nil } == "expected a treeEnsembleClassifier or a glmClassifier, found no model")
    }

    @Test func `versions that are not known and models that learn on are refused`() {
        #expect(refusal { $0.specificationVersion = 0 } == "specificationVersion: expected a version from 1 to 10, found 0")
        #expect(refusal { $0.specificationVersion = 11 } == "specificationVersion: expected a version from 1 to 10, found 11")
        #expect(refusal { $0.specificationVersion = 10 } == nil)
        #expect(refusal { $0.isUpdatable = true } == "isUpdatable: expected a model that does not change, found true")
    }

    @Test func `a field that is not known is refused wherever it is`() throws {
        // Field 77, a number.
        var unknown = MLInt64FeatureType()
        try unknown.merge(serializedBytes: [0xE8, 4, 1] as [UInt8])
        let fields = unknown.unknownFields
        let words = ": expected no field but those that are known, found field 77"
        #expect(refusal { $0.unknownFields = fields } == String(words.dropFirst(2)))
        #expect(refusal { $0.description_p.unknownFields = fields } == "description" + words)
        #expect(refusal { $0.description_p.metadata.unknownFields = fields } == "description.metadata" + words)
        #expect(refusal { $0.description_p.input[1].unknownFields = fields } == "description.input[1]" + words)
        #expect(refusal { $0.description_p.input[1].type.unknownFields = fields } == "description.input[1].type" + words)
        #expect(refusal { $0.description_p.input[1].type.doubleType.unknownFields = fields }
            == "description.input[1].type.doubleType" + words)
        #expect(refusal { $0.description_p.output = [.with { $0.type.dictionaryType.int64KeyType.unknownFields = fields }] }
            == "description.output[0].type.dictionaryType.int64KeyType" + words)
        let trees = "treeEnsembleClassifier"
        #expect(refusal { $0.treeEnsembleClassifier.unknownFields = fields } == trees + words)
        #expect(refusal { $0.treeEnsembleClassifier.int64ClassLabels.unknownFields = fields } == trees + ".int64ClassLabels" + words)
        #expect(refusal { $0.treeEnsembleClassifier.treeEnsemble.unknownFields = fields } == trees + ".treeEnsemble" + words)
        #expect(refusal { $0.treeEnsembleClassifier.treeEnsemble.nodes[1].unknownFields = fields }
            == trees + ".treeEnsemble.nodes[1]" + words)
        #expect(refusal { $0.treeEnsembleClassifier.treeEnsemble.nodes[1].evaluationInfo[0].unknownFields = fields }
            == trees + ".treeEnsemble.nodes[1].evaluationInfo[0]" + words)
        #expect(refusal(pipeline: { $0[0].featureVectorizer.unknownFields = fields }) == "models[0].featureVectorizer" + words)
        #expect(refusal(pipeline: { $0[0].featureVectorizer.inputList[1].unknownFields = fields })
            == "models[0].featureVectorizer.inputList[1]" + words)
        var linear = SmallModels.linear
        linear.weights[0].unknownFields = fields
        #expect(SmallModels.refusal(of: SmallModels.alone(.glmClassifier(linear))) == "glmClassifier.weights[0]" + words)
    }

    @Test func `inputs that the piece does not give are refused, with the nearest that it gives`() {
        #expect(refusal { $0.description_p.input[1].name = "velocty" }
            == #"description.input[1].name: expected one of drought, velocity, depth, found "velocty" (did you mean velocity?)"#)
        #expect(refusal { $0.description_p.input[1].name = "drought" }
            == #"description.input[1].name: expected each name once, found "drought""#)
        #expect(refusal { $0.description_p.input[1].type.int64Type = MLInt64FeatureType() }
            == "description.input[1].type: expected a double")
        #expect(refusal { $0.description_p.input[1].type.isOptional = true }
            == "description.input[1].type.isOptional: expected a value that is always there, found true")
        #expect(refusal { $0.description_p.input = [] }
            == "treeEnsembleClassifier.treeEnsemble.nodes[0].branchFeatureIndex: expected a model with inputs, found 1")
        // Of many unknown ones the first counts, however long they are.
        let many = (0..<3_000).map { SmallModels.double("\($0)" + String(repeating: "é", count: 5_000)) }
        #expect(refusal { $0.description_p.input = many }?.hasPrefix("description.input[0].name: expected one of drought, ") == true)
        #expect(refusal { $0.description_p.input += SmallModels.known.dropFirst(2).map(SmallModels.double) + many }?
            .hasPrefix("description.input[3].name: expected one of drought, ") == true)
        let long = String(repeating: "a", count: 50)
        #expect(refusal { $0.description_p.input[1].name = long }?.hasSuffix("found \"\(long.prefix(40))…\"") == true)
    }

    @Test func `arrays are of one dimension, and of numbers with a fraction`() {
        #expect(refusal { $0.description_p.input = [.with { $0.type.multiArrayType.dataType = .int32 }] }
            == "description.input[0].type.multiArrayType.dataType: expected DOUBLE or FLOAT32, found 131104")
        let two = MLArrayFeatureType.with { ($0.dataType, $0.shape) = (.float32, [1, 3]) }
        #expect(refusal { $0.description_p.input = [.with { $0.type.multiArrayType = two }] }
            == "description.input[0].type.multiArrayType.shape: expected one dimension, found 2")
    }

    @Test func `a pipeline is a vectorizer and a classifier that fit each other`() {
        #expect(refusal(pipeline: { $0.removeLast() }) == "models: expected a featureVectorizer and a classifier, found 1 models")
        #expect(refusal(pipeline: { $0.swapAt(0, 1) }) == "models[0]: expected a featureVectorizer, found treeEnsembleClassifier")
        #expect(refusal(pipeline: { $0[1] = $0[0] }) == "models[1].description.input: "
            + #"expected the array "__feature_vector__" of 2 numbers alone, found "drought", "velocity""#)
        #expect(refusal(pipeline: { $0[1].description_p.input[0].name = "x" })
            == #"models[1].description.input: expected the array "__feature_vector__" of 2 numbers alone, found the array "x" of 2"#)
        #expect(refusal(pipeline: { $0[1].pipelineClassifier = MLPipelineClassifier() })
            == "models[1]: expected a treeEnsembleClassifier or a glmClassifier, found pipelineClassifier")
        #expect(refusal(pipeline: { $0[0].description_p.output[0].type.multiArrayType.shape = [3] })
            == "models[0].description.output[0]: expected an array of 2 numbers, found one of 3")
        #expect(refusal(pipeline: { $0[0].description_p.output = [] })
            == "models[0].description.output: expected one array, found 0 outputs")
        #expect(refusal(pipeline: { $0[0].featureVectorizer.inputList[0].inputDimensions = 2 })
            == "models[0].featureVectorizer.inputList[0].inputDimensions: expected 1, found 2")
        #expect(refusal(pipeline: { $0[0].featureVectorizer.inputList += $0[0].featureVectorizer.inputList })
            == "models[0].featureVectorizer.inputList: expected each of 2 inputs once, found 4 columns")
        #expect(refusal(pipeline: { $0[0].description_p.input.append(SmallModels.double("depth")) })
            == #"models[0].description.input[2].name: expected an input of the pipeline, found "depth""#)
        #expect(refusal(pipeline: { $0[0].featureVectorizer.inputList[0].inputColumn = "depth" })
            == #"models[0].featureVectorizer.inputList[0].inputColumn: expected an input of this model, found "depth""#)
        #expect(refusal(pipeline: { $0[0].description_p.input[0].name = "depth" })
            == #"models[0].description.input[0].name: expected an input of the pipeline, found "depth""#)
    }

    @Test func `models in models in models are refused, however deep they are`() throws {
        var model = SmallModels.alone(.treeEnsembleClassifier(SmallModels.trees))
        for _ in 0..<20 {
            let inner = model
            model = .with { $0.pipelineClassifier.pipeline.models = [inner] }
        }
        #expect(SmallModels.refusal(of: model) == "expected at most 10 messages inside each other")
        // A column of vectorizers in two bytes each.
        let many = SmallModels.alone(.featureVectorizer(.with { $0.inputList = Array(repeating: .init(), count: 20_000) }))
        #expect(SmallModels.refusal(of: many) == "expected at most 10000 messages")
    }
}
