import Classifier
import Fields
import Files
import SwiftProtobuf
import SystemPackage

extension Classifier {
    /// Reads a `.mlmodel` of at most 32 MiB, whose name has 1 to 256 characters. `known` are the names of the values that a piece gives:
    /// the classifier's `inputs` are these, in this order, whichever of them the file asks for. Throws `Errno`, and `Fault` for a file that
    /// is no classifier or asks for something else; its field is the path, and then what in the file is at fault. The largest files take
    /// seconds.
    public init(contentsOf path: FilePath, inputs known: [String]) throws { self = try Self.read(path, inputs: known).classifier }

    /// Reads a file as `init(contentsOf:inputs:)` does. Returns also the bytes that the classifier is from: the file may be another soon.
    public static func read(_ path: FilePath, inputs known: [String]) throws -> (classifier: Classifier, bytes: [UInt8]) {
        do {
            let name = path.lastComponent.map { FilePath(root: nil, [$0]).shown } ?? path.shown
            // The headers of journals have it.
            if let found = Fields.excess(of: name) { throw Fault(field: "", expected: "a name of 1 to 256 characters", found: found) }
            let bytes = try PlainFile.bytes(of: path, atMost: ModelLimits.bytes)
            return (try Classifier(bytes, name: name, inputs: known), bytes)
        } catch let fault as Fault {
            let field = fault.field.isEmpty ? path.shown : "\(path.shown): \(fault.field)"
            throw Fault(field: field, expected: fault.expected, found: fault.found)
        }
    }

    /// Reads the bytes of a `.mlmodel`, as `init(contentsOf:inputs:)` does. Throws `Fault`; its field is what in the file is at fault.
    public init(_ bytes: [UInt8], name: String, inputs known: [String]) throws(Fault) {
        try MessageScan.check(bytes)
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = ModelLimits.depth
        let model: MLModel
        do {
            model = try MLModel(serializedBytes: bytes, options: options)
        } catch {
            throw MessageScan.noModel
        }
        let form = try ModelReader(known: known).form(of: model)
        self.init(name: name, digest: Digest.hexadecimal(Digest.of(bytes)), inputs: known, form: form)
    }
}

/// What a file may have at most.
enum ModelLimits {
    static let bytes = 32 * 1_048_576
    /// Messages inside each other. A pipeline's trees have 8.
    static let depth = 10
    static let nodes = 1_000_000
    /// Messages that are neither nodes nor in nodes.
    static let others = 10_000
    /// The bytes of the labels of classes, or of the sizes of an array. Each of the few that are read has at most ten.
    static let list = 1_024
    /// The heights of all trees, in nodes, added up (`TreeEnsemble.steps`): a prediction takes some tenths of a millisecond, at worst four
    /// times as long.
    static let steps = 100_000
    /// The versions of the format that coremltools 9 knows. What is read here has been the same in all of them.
    static let versions: ClosedRange<Int32> = 1...10
}

/// A part of a model with the path at which it stands in the file, for instance `pipelineClassifier.pipeline.models[1]`.
struct Part<Value: Message> {
    let value: Value
    let path: String

    /// Throws `Fault` where the part has fields that are not known: they may change what the others mean.
    init(_ value: Value, _ path: String) throws(Fault) {
        self.value = value
        self.path = path
        if let number = value.unknownField {
            throw Fault(field: path, expected: "no field but those that are known", found: "field \(number)")
        }
    }

    func path(_ field: String) -> String { path.isEmpty ? field : "\(path).\(field)" }

    func fault(_ field: String, _ expected: String, found: String? = nil) -> Fault {
        Fault(field: path(field), expected: expected, found: found)
    }

    /// Returns the part of this one in `field`.
    func part<Other: Message>(_ other: Other, _ field: String) throws(Fault) -> Part<Other> { try Part<Other>(other, path(field)) }

    /// Throws `Fault` unless the number is one, and no infinity.
    func check(_ number: Double, _ field: @autoclosure () -> String) throws(Fault) {
        if !number.isFinite { throw fault(field(), "a finite number", found: "\(number)") }
    }
}

extension Message {
    /// The number of the first field that is not known.
    var unknownField: UInt64? {
        if unknownFields.data.isEmpty { return nil }
        let bytes = [UInt8](unknownFields.data)
        var fields = WireFields(bytes, bytes.indices)
        return fields.next()?.number ?? 0
    }
}

/// A stranger's text in quotes; of a long one the beginning.
func quoted(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(40)
    return "\"\(String(String.UnicodeScalarView(start)))\(start.endIndex == text.unicodeScalars.endIndex ? "" : "…")\""
}

/// The first values of a list that may be long, each in words.
func few<Value>(_ values: [Value], _ words: (Value) -> String) -> String {
    values.prefix(4).map(words).joined(separator: ", ") + (values.count > 4 ? ", …" : "")
}
