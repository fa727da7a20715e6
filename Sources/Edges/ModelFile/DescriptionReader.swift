import Fields
import SwiftProtobuf

/// Reads the inputs and outputs of a model.
struct DescriptionReader {
    private let description: Part<MLModelDescription>

    /// An array of numbers, as an input or output.
    struct Array: Equatable {
        let name: String
        let count: Int
    }

    /// The inputs of a classifier.
    enum Inputs {
        /// Numbers, each with a name.
        case numbers([String])
        case array(Array)

        var shown: String {
            switch self {
            case .numbers(let names): names.isEmpty ? "nothing" : few(names, quoted)
            case .array(let array): "the array \(quoted(array.name)) of \(array.count)"
            }
        }
    }

    init(_ model: Part<MLModel>) throws(Fault) {
        description = try model.part(model.value.description_p, "description")
        _ = try description.part(description.value.metadata, "metadata")
        for (index, output) in description.value.output.enumerated() { _ = try type(of: description.part(output, "output[\(index)]")) }
    }

    /// Returns the inputs of a classifier: one array, or else numbers, as `numbers` returns them. `known` is the number of values that the
    /// piece provides.
    func inputs(among known: Int) throws(Fault) -> Inputs {
        let inputs = description.value.input
        if inputs.count == 1, case .multiArrayType? = inputs[0].type.type { return .array(try array(inputs[0], "input[0]")) }
        return .numbers(try numbers(among: known))
    }

    /// Returns the names of the numbers that are the model's inputs. `known` is the number of values that the piece provides. At most one
    /// name more than that is returned, because the piece cannot provide all of so many. Throws `Fault` where an input is no number, or
    /// where two inputs have the same name.
    func numbers(among known: Int) throws(Fault) -> [String] {
        var names: [String] = []
        for (index, input) in description.value.input.prefix(known + 1).enumerated() {
            let input = try description.part(input, "input[\(index)]")
            guard case .doubleType? = try type(of: input).value.type else { throw input.fault("type", "a double") }
            if names.contains(input.value.name) { throw input.fault("name", "each name once", found: quoted(input.value.name)) }
            names.append(input.value.name)
        }
        return names
    }

    /// Returns the model's only output. Throws `Fault` where there is another number of outputs, or the output is no array of numbers.
    func output() throws(Fault) -> Array {
        guard description.value.output.count == 1 else {
            throw description.fault("output", "one array", found: "\(description.value.output.count) outputs")
        }
        return try array(description.value.output[0], "output[0]")
    }

    private func array(_ feature: MLFeatureDescription, _ field: String) throws(Fault) -> Array {
        let feature = try description.part(feature, field)
        guard case .multiArrayType(let array)? = try type(of: feature).value.type else { throw feature.fault("type", "an array") }
        guard array.dataType == .double || array.dataType == .float32 else {
            throw feature.fault("type.multiArrayType.dataType", "DOUBLE or FLOAT32", found: "\(array.dataType.rawValue)")
        }
        guard array.shape.count == 1, let count = Int(exactly: array.shape[0]) else {
            throw feature.fault("type.multiArrayType.shape", "one dimension", found: "\(array.shape.count)")
        }
        return Array(name: feature.value.name, count: count)
    }

    /// Returns the type of an input or output. Throws `Fault` where the type has an unknown field, or the value is optional.
    private func type(of feature: Part<MLFeatureDescription>) throws(Fault) -> Part<MLFeatureType> {
        let type = try feature.part(feature.value.type, "type")
        switch type.value.type {
        case .int64Type(let int64): _ = try type.part(int64, "int64Type")
        case .doubleType(let double): _ = try type.part(double, "doubleType")
        case .stringType(let string): _ = try type.part(string, "stringType")
        case .multiArrayType(let array): _ = try type.part(array, "multiArrayType")
        case .dictionaryType(let dictionary): try checkKey(of: type.part(dictionary, "dictionaryType"))
        case nil: break
        }
        if type.value.isOptional { throw type.fault("isOptional", "a value that is always there", found: "true") }
        return type
    }

    private func checkKey(of dictionary: Part<MLDictionaryFeatureType>) throws(Fault) {
        switch dictionary.value.keyType {
        case .int64KeyType(let int64): _ = try dictionary.part(int64, "int64KeyType")
        case .stringKeyType(let string): _ = try dictionary.part(string, "stringKeyType")
        case nil: break
        }
    }
}
