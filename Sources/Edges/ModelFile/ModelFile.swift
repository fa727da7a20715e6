import Classifier
import Fields
import Files
import SwiftProtobuf
import SystemPackage

extension Classifier {
    /// Reads a `.mlmodel` of at most 32 MiB, whose name has 1 to 256 characters. `known` are the names of the values that a piece provides;
    /// they become the classifier's `inputs`, in this order, even those that the file does not use. Throws `Errno`. Throws `Fault` for a
    /// file that is no classifier or has other inputs; its field is the path, followed by the faulty part of the file. The largest files
    /// take seconds.
    public init(contentsOf path: FilePath, inputs known: [String]) throws { self = try Self.read(path, inputs: known).classifier }

    /// Reads a file as `init(contentsOf:inputs:)` does. Also returns the bytes that were read, because the file may change later.
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

    /// Reads the bytes of a `.mlmodel`, as `init(contentsOf:inputs:)` does. Throws `Fault`, whose field is the faulty part of the file.
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

/// The limits for a file.
enum ModelLimits {
    static let bytes = 32 * 1_048_576
    /// The largest depth of messages inside each other. The trees of a pipeline have 8.
    static let depth = 10
    static let nodes = 1_000_000
    /// The largest number of messages that are neither nodes nor in nodes.
    static let others = 10_000
    /// The largest size in bytes of a list: of the labels of classes, or of the sizes of an array. The few lists that are read have at most
    /// ten bytes.
    static let list = 1_024
    /// The largest sum of the heights of all trees, in nodes (`TreeEnsemble.steps`). A prediction then takes some tenths of a millisecond,
    /// and at worst four times as long.
    static let steps = 100_000
    /// The versions of the format that coremltools 9 knows. The parts that are read here are the same in all of them.
    static let versions: ClosedRange<Int32> = 1...10
}

/// A part of a model, with its path in the file, for instance `pipelineClassifier.pipeline.models[1]`.
struct Part<Value: Message> {
    let value: Value
    let path: String

    /// Throws `Fault` where the part has unknown fields, because they may change the meaning of the known ones.
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

    /// Returns the part in the field `field` of this part.
    func part<Other: Message>(_ other: Other, _ field: String) throws(Fault) -> Part<Other> { try Part<Other>(other, path(field)) }

    /// Throws `Fault` where the number is NaN or infinite.
    func check(_ number: Double, _ field: @autoclosure () -> String) throws(Fault) {
        if !number.isFinite { throw fault(field(), "a finite number", found: "\(number)") }
    }
}

extension Message {
    /// The number of the first unknown field; nil if all are known.
    var unknownField: UInt64? {
        if unknownFields.data.isEmpty { return nil }
        let bytes = [UInt8](unknownFields.data)
        var fields = WireFields(bytes, bytes.indices)
        return fields.next()?.number ?? 0
    }
}

/// Returns a text from the file in quotes, for an error message. Long text is cut.
func quoted(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(40)
    return "\"\(String(String.UnicodeScalarView(start)))\(start.endIndex == text.unicodeScalars.endIndex ? "" : "…")\""
}

/// Returns the first four values of a list in words, for an error message, because the list may be long.
func few<Value>(_ values: [Value], _ words: (Value) -> String) -> String {
    values.prefix(4).map(words).joined(separator: ", ") + (values.count > 4 ? ", …" : "")
}
