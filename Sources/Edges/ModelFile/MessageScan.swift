import Fields

/// Counts the messages of a file before they are decoded. A message of two bytes takes a hundred bytes in memory once it is decoded, so a
/// file of 32 MiB could take gigabytes. Lists of small numbers could, too.
struct MessageScan {
    static let noModel = Fault(field: "", expected: "a Core ML model (.mlmodel)", found: "bytes that are none")

    /// The kinds of messages that are counted, by the field that contains them.
    private enum Kind {
        case model, description, metadata, feature, type, array, pipelineClassifier, pipeline, vectorizer
        case trees, ensemble, node, linear, labels
        /// A list of packed numbers or a text. Its length in bytes is limited.
        case list
        /// A message whose fields are not read.
        case part

        /// The name of the field, in a message of this kind, that contains lists.
        var lists: String { self == .array ? "shape" : "vector" }

        /// Returns the kind of the message in the field with the number `field`; nil for a field that is not counted.
        func child(_ field: UInt64) -> Kind? {
            switch (self, field) {
            case (.model, 2): .description
            case (.model, 200): .pipelineClassifier
            case (.model, 400): .linear
            case (.model, 402): .trees
            case (.model, 602): .vectorizer
            case (.description, 1), (.description, 10): .feature
            case (.description, 100): .metadata
            case (.feature, 3): .type
            case (.type, 5): .array
            case (.pipelineClassifier, 1): .pipeline
            case (.pipeline, 1): .model
            case (.trees, 1): .ensemble
            case (.ensemble, 1): .node
            case (.trees, 100), (.trees, 101), (.linear, 100), (.linear, 101): .labels
            case (.array, 1), (.labels, 1): .list
            case (.metadata, 100), (.type, _), (.pipeline, _), (.vectorizer, _), (.node, 20), (.linear, 1): .part
            default: nil
            }
        }
    }

    private var nodes = 0
    /// The number of values in nodes.
    private var values = 0
    private var others = 0

    /// Throws `Fault` where there are too many messages, where they are nested too deep, or where the bytes are not messages.
    static func check(_ bytes: [UInt8]) throws(Fault) {
        var scan = MessageScan()
        try scan.walk(bytes, bytes.indices, .model, depth: 1)
    }

    private mutating func walk(_ bytes: [UInt8], _ range: Range<Int>, _ kind: Kind, depth: Int) throws(Fault) {
        guard depth <= ModelLimits.depth else {
            throw Fault(field: "", expected: "at most \(ModelLimits.depth) messages inside each other")
        }
        var fields = WireFields(bytes, range)
        while let field = fields.next() {
            guard let child = kind.child(field.number) else { continue }
            try count(child, in: kind)
            guard let content = field.content else { continue }
            switch child {
            case .part: break
            case .list where content.count > ModelLimits.list:
                throw Fault(field: kind.lists, expected: "at most \(ModelLimits.list) bytes", found: "\(content.count)")
            case .list: break
            default: try walk(bytes, content, child, depth: depth + 1)
            }
        }
        if fields.isBroken { throw Self.noModel }
    }

    private mutating func count(_ child: Kind, in parent: Kind) throws(Fault) {
        switch (parent, child) {
        case (_, .node): try Self.add(&nodes, "nodes", ModelLimits.nodes)
        case (.node, _): try Self.add(&values, "evaluationInfo", ModelLimits.nodes)
        default: try Self.add(&others, "", ModelLimits.others)
        }
    }

    private static func add(_ count: inout Int, _ field: String, _ most: Int) throws(Fault) {
        count += 1
        if count > most { throw Fault(field: field, expected: "at most \(most) messages") }
    }
}

/// Goes through the fields of a message without reading their contents (Protocol Buffers' encoding).
struct WireFields {
    /// The number of a field, and the range of its content in the bytes; the range is nil for a field that is a varint.
    struct Field {
        let number: UInt64
        let content: Range<Int>?
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int
    /// Whether the bytes end within a field, or are not fields.
    private(set) var isBroken = false

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Returns the next field; nil at the end, and where the bytes are not a field.
    mutating func next() -> Field? {
        guard position < end else { return nil }
        guard let tag = varint(), tag >> 3 > 0 else { return fail() }
        let start: Int
        let length: UInt64
        switch tag & 7 {
        case 0:
            guard varint() != nil else { return fail() }
            return Field(number: tag >> 3, content: nil)
        case 1: (start, length) = (position, 8)
        case 2:
            guard let count = varint() else { return fail() }
            (start, length) = (position, count)
        case 5: (start, length) = (position, 4)
        // Groups have been out of use since before there was Core ML.
        default: return fail()
        }
        guard length <= UInt64(end - start) else { return fail() }
        position = start + Int(length)
        return Field(number: tag >> 3, content: tag & 7 == 2 ? start..<position : nil)
    }

    private mutating func fail() -> Field? {
        isBroken = true
        position = end
        return nil
    }

    private mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 70, by: 7) {
            guard position < end else { return nil }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 127) << shift
            if byte < 128 { return value }
        }
        return nil
    }
}
