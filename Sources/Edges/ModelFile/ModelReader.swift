import Classifier
import Fields
import SwiftProtobuf

/// Reads a model that computes a likelihood: trees or a weighted sum. The model stands alone, or is the second of a pipeline whose first
/// model puts the inputs into an array.
struct ModelReader {
    /// The names of the values that a piece provides.
    let known: [String]

    /// Returns the trees or the weighted sum of `model`, which compute from the values that the piece provides the log-odds of
    /// class 1. Throws `Fault`.
    func form(of model: MLModel) throws(Fault) -> Classifier.Form {
        let model = try part(model, "")
        let description = try DescriptionReader(model)
        guard case .pipelineClassifier(let pipeline)? = model.value.type else {
            return try classifier(model, inputIndices(of: description.inputs(among: known.count)))
        }
        let parts = try model.part(model.part(pipeline, "pipelineClassifier").value.pipeline, "pipelineClassifier.pipeline")
        let inputs = try description.numbers(among: known.count)
        return try classifier(of: parts, Dictionary(zip(inputs, inputIndices(of: .numbers(inputs)))) { first, _ in first })
    }

    /// Checks the kind and the version of `model`, and returns it with its path in the file, which is `path`. Throws `Fault`.
    private func part(_ model: MLModel, _ path: String) throws(Fault) -> Part<MLModel> {
        // What kind of model it is matters more than what else is in it.
        if let number = model.unknownField, let layer = Layer.names[number] {
            throw Fault(field: path, expected: "trees or a weighted sum", found: layer)
        }
        let model = try Part(model, path)
        guard ModelLimits.versions ~= model.value.specificationVersion else {
            let versions = "a version from \(ModelLimits.versions.lowerBound) to \(ModelLimits.versions.upperBound)"
            throw model.fault("specificationVersion", versions, found: "\(model.value.specificationVersion)")
        }
        if model.value.isUpdatable { throw model.fault("isUpdatable", "a model that does not change", found: "true") }
        return model
    }

    // MARK: Pipelines

    /// Reads the classifier of a pipeline. `inputs` has, by the name of each input of the pipeline, the index in `known` of the value that
    /// it gets. Throws `Fault`.
    private func classifier(of pipeline: Part<MLPipeline>, _ inputs: [String: Int]) throws(Fault) -> Classifier.Form {
        let models = pipeline.value.models
        guard models.count == 2 else {
            throw pipeline.fault("models", "a featureVectorizer and a classifier", found: "\(models.count) models")
        }
        let first = try part(models[0], pipeline.path("models[0]"))
        let last = try part(models[1], pipeline.path("models[1]"))
        guard case .featureVectorizer(let vectorizer)? = first.value.type else {
            throw Fault(field: first.path, expected: "a featureVectorizer", found: first.value.layer)
        }
        let description = try DescriptionReader(first)
        let given = try description.numbers(among: inputs.count)
        for (index, name) in given.enumerated() where inputs[name] == nil {
            throw first.fault("description.input[\(index)].name", "an input of the pipeline", found: quoted(name))
        }
        let columns = try columns(of: first.part(vectorizer, "featureVectorizer"), given)
        let array = try description.output()
        try check(array, columns.count, "\(first.path).description.output[0]")
        let taken = try DescriptionReader(last).inputs(among: known.count)
        guard case .array(let other) = taken, other == array else {
            throw last.fault("description.input", "the array \(quoted(array.name)) of \(array.count) numbers alone", found: taken.shown)
        }
        return try classifier(last, columns.compactMap { inputs[$0] })
    }

    /// Returns the names of the numbers that a vectorizer puts into its array, in their order. `given` are the names of its inputs. Throws
    /// `Fault` where another number is put there.
    private func columns(of vectorizer: Part<MLFeatureVectorizer>, _ given: [String]) throws(Fault) -> [String] {
        guard vectorizer.value.inputList.count <= given.count else {
            throw vectorizer.fault("inputList", "each of \(given.count) inputs once", found: "\(vectorizer.value.inputList.count) columns")
        }
        var columns: [String] = []
        for (index, column) in vectorizer.value.inputList.enumerated() {
            let column = try vectorizer.part(column, "inputList[\(index)]")
            let name = column.value.inputColumn
            guard given.contains(name) else { throw column.fault("inputColumn", "an input of this model", found: quoted(name)) }
            guard column.value.inputDimensions == 1 else {
                throw column.fault("inputDimensions", "1", found: "\(column.value.inputDimensions)")
            }
            columns.append(name)
        }
        return columns
    }

    private func check(_ array: DescriptionReader.Array, _ count: Int, _ path: String) throws(Fault) {
        if array.count != count { throw Fault(field: path, expected: "an array of \(count) numbers", found: "one of \(array.count)") }
    }

    // MARK: Inputs

    /// Returns, for each of the inputs `inputs` of a model that stands alone, the index in `known` of the value that it gets.
    private func inputIndices(of inputs: DescriptionReader.Inputs) throws(Fault) -> [Int] {
        switch inputs {
        case .numbers(let names):
            var inputIndices: [Int] = []
            for (index, name) in names.enumerated() { inputIndices.append(try inputIndex(of: name, "description.input[\(index)].name")) }
            return inputIndices
        case .array(let array):
            try check(array, known.count, "description.input[0]")
            return Array(known.indices)
        }
    }

    private func inputIndex(of name: String, _ path: String) throws(Fault) -> Int {
        if let index = known.firstIndex(of: name) { return index }
        throw Fault(field: path, expected: "one of \(known.joined(separator: ", "))",
                    found: quoted(name) + Spelling.hint(for: name, among: known))
    }

    // MARK: Classifiers

    /// Reads a classifier. `inputIndices` has, for each of its inputs, the index in `known` of the value that it gets.
    private func classifier(_ model: Part<MLModel>, _ inputIndices: [Int]) throws(Fault) -> Classifier.Form {
        switch model.value.type {
        case .treeEnsembleClassifier(let trees):
            .trees(try TreeReader(inputIndices: inputIndices).ensemble(of: model.part(trees, "treeEnsembleClassifier")))
        case .glmClassifier(let linear):
            .linear(try LinearReader(inputIndices: inputIndices).form(of: model.part(linear, "glmClassifier")))
        case .pipelineClassifier, .featureVectorizer, nil:
            throw Fault(field: model.path, expected: "a treeEnsembleClassifier or a glmClassifier", found: model.value.layer)
        }
    }
}

/// The two classes of a classifier, 0 and 1. The likelihood is that of class 1.
enum ClassLabels {
    /// Throws `Fault` unless the labels are 0 and 1.
    static func check<Owner>(_ labels: MLInt64Vector, of owner: Part<Owner>) throws(Fault) {
        let labels = try owner.part(labels, "int64ClassLabels")
        guard labels.value.vector == [0, 1] else { throw fault(labels, "0, 1", few(labels.value.vector) { "\($0)" }) }
    }

    /// Throws `Fault` unless the labels are "0" and "1".
    static func check<Owner>(_ labels: MLStringVector, of owner: Part<Owner>) throws(Fault) {
        let labels = try owner.part(labels, "stringClassLabels")
        guard labels.value.vector == ["0", "1"] else { throw fault(labels, "\"0\", \"1\"", few(labels.value.vector, quoted)) }
    }

    static func missing<Owner>(of owner: Part<Owner>) -> Fault { owner.fault("classLabels", "0, 1") }

    private static func fault<Labels>(_ labels: Part<Labels>, _ expected: String, _ found: String) -> Fault {
        labels.fault("vector", expected, found: found.isEmpty ? "none" : found)
    }
}

/// The kinds of models in Core ML, by the numbers of their fields. Errors use these names for kinds that cannot be read.
enum Layer {
    static let names: [UInt64: String] = [
        200: "pipelineClassifier", 201: "pipelineRegressor", 202: "pipeline",
        300: "glmRegressor", 301: "supportVectorRegressor", 302: "treeEnsembleRegressor", 303: "neuralNetworkRegressor",
        304: "bayesianProbitRegressor",
        400: "glmClassifier", 401: "supportVectorClassifier", 402: "treeEnsembleClassifier", 403: "neuralNetworkClassifier",
        404: "kNearestNeighborsClassifier",
        500: "neuralNetwork", 501: "itemSimilarityRecommender", 502: "mlProgram",
        555: "customModel", 556: "linkedModel", 560: "classConfidenceThresholding",
        600: "oneHotEncoder", 601: "imputer", 602: "featureVectorizer", 603: "dictVectorizer", 604: "scaler", 606: "categoricalMapping",
        607: "normalizer", 609: "arrayFeatureExtractor", 610: "nonMaximumSuppression",
        900: "identity",
        2000: "textClassifier", 2001: "wordTagger", 2002: "visionFeaturePrint", 2003: "soundAnalysisPreprocessing", 2004: "gazetteer",
        2005: "wordEmbedding", 2006: "audioFeaturePrint",
        3000: "serializedModel",
    ]
}

extension MLModel {
    /// The name of this model's kind, for errors.
    var layer: String {
        switch type {
        case .pipelineClassifier: "pipelineClassifier"
        case .glmClassifier: "glmClassifier"
        case .treeEnsembleClassifier: "treeEnsembleClassifier"
        case .featureVectorizer: "featureVectorizer"
        case nil: "no model"
        }
    }
}

/// Reads a weighted sum, as coremltools writes a LogisticRegression of scikit-learn.
struct LinearReader {
    /// For each input of the model, the index of its value among the values that the piece provides.
    let inputIndices: [Int]

    /// Returns the weighted sum that `model` contains. Throws `Fault` where the model is not of this form.
    func form(of model: Part<MLGLMClassifier>) throws(Fault) -> LinearForm {
        switch model.value.classLabels {
        case .int64ClassLabels(let labels): try ClassLabels.check(labels, of: model)
        case .stringClassLabels(let labels): try ClassLabels.check(labels, of: model)
        case nil: throw ClassLabels.missing(of: model)
        }
        guard model.value.postEvaluationTransform == .logit else {
            throw model.fault("postEvaluationTransform", "Logit", found: "\(model.value.postEvaluationTransform)")
        }
        // With one sum for two classes both encodings mean the likelihood of the second.
        if case .UNRECOGNIZED(let number) = model.value.classEncoding {
            throw model.fault("classEncoding", "ReferenceClass or OneVsRest", found: "\(number)")
        }
        guard model.value.weights.count == 1 else { throw model.fault("weights", "one row", found: "\(model.value.weights.count)") }
        let weights = try model.part(model.value.weights[0], "weights[0]")
        guard weights.value.value.count == inputIndices.count else {
            throw weights.fault("value", "\(inputIndices.count), one for each input", found: "\(weights.value.value.count)")
        }
        guard model.value.offset.count == 1 else { throw model.fault("offset", "one number", found: "\(model.value.offset.count)") }
        for (index, weight) in weights.value.value.enumerated() { try weights.check(weight, "value[\(index)]") }
        let offset = model.value.offset[0]
        try model.check(offset, "offset[0]")
        let terms = zip(inputIndices, weights.value.value).map { LinearForm.Term(input: $0, weight: $1) }
        // The log-odds are finite for whatever finite inputs.
        let most = terms.reduce(offset.magnitude) { $0 + $1.weight.magnitude * Double(Float.greatestFiniteMagnitude) }
        guard most.isFinite else { throw weights.fault("value", "weights whose sum is finite") }
        return LinearForm(terms: terms, offset: offset)
    }
}
