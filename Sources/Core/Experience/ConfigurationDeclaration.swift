import Fields

/// A document that sets values of a piece's rules, for instance prices, as the piece's own type. In JSON it is an object.
public protocol PieceDocument: Equatable, Sendable {
    /// Creates the document from the fields that `json` has written. Throws a `Fault` that names the field.
    init(_ fields: Fields) throws
    var json: JSONValue { get }
    /// Contradictions in the document as a whole, although each field is within its own range: for instance, a smallest value that is above
    /// the largest. Each fault names a field. A document with a fault is refused.
    var faults: [Fault] { get }
}

extension PieceDocument {
    public var faults: [Fault] { [] }
}

/// Declares a kind of document that operators publish for a piece, for instance its prices.
public struct ConfigurationDeclaration: Sendable {
    /// The largest size of a document in bytes, as JSON without spaces. Requests and lines of a journal have room for it.
    public static let longestDocument = 48 << 10
    /// The deepest nesting of lists and objects in a document.
    private static let deepestDocument = 16

    /// The name of the kind: ASCII lower-case letters, digits and hyphens.
    public let kind: String
    /// Describes the kind for people, in a sentence.
    public let about: String
    /// The document that applies before any is published; it counts as version 0. It is encoded anew at each call, because most programs
    /// never need it.
    public var standard: JSONValue { standardDocument.json }
    private let standardDocument: any PieceDocument
    private let reader: @Sendable (Fields) throws -> any PieceDocument
    private let judge: @Sendable (any PieceDocument, (any PieceDocument)?, [JSONValue]) -> [Fault]

    /// Declares a kind of document. `objections` returns what is wrong with the document `new`, given the document `former` that is in
    /// force and the households' `memories` in the piece's own form. It need not return contradictions within `new`, which are its
    /// `faults`. `former` is nil where this version of the piece cannot read it. Objections name fields of the document.
    public init<Document: PieceDocument>(
        _ kind: String, about: String, standard: Document,
        objections: @escaping @Sendable (_ new: Document, _ former: Document?, _ memories: [JSONValue]) -> [Fault] = { _, _, _ in [] }
    ) {
        precondition(standard.faults.isEmpty, "the standard \(kind) has faults: \(standard.faults)")
        precondition(!kind.isEmpty && kind.utf8.allSatisfy { Self.letters.contains($0) }, "\(kind) is no kind of document")
        self.kind = kind
        self.about = about
        standardDocument = standard
        reader = { try Document($0) }
        judge = { new, former, memories in
            guard let new = new as? Document else { return [] }
            return objections(new, former as? Document, memories)
        }
    }

    private static let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)

    /// Returns `body` as the piece's own type. Throws the first fault. A fault's field has the document's kind in front, for instance
    /// `recovery.cure.gems`.
    public func read(_ body: JSONValue) throws(Fault) -> any PieceDocument {
        let document = try readFields(body)
        if let fault = document.faults.first { throw named(fault) }
        return document
    }

    private func readFields(_ body: JSONValue) throws(Fault) -> any PieceDocument {
        guard body.fits(levels: Self.deepestDocument, bytes: Self.longestDocument) else {
            let expected = "at most \(Self.longestDocument) bytes, and \(Self.deepestDocument) levels of lists and objects"
            throw Fault(field: kind, expected: expected)
        }
        do {
            return try body.read { try reader($0) }
        } catch let fault as Fault {
            throw named(fault)
        } catch {
            throw Fault(field: kind, expected: "an object of named values")
        }
    }

    /// Returns all that is wrong with `new`, given the document `former` that is in force and the households' `memories`; empty for a good
    /// document.
    public func objections(to new: JSONValue, after former: JSONValue, _ memories: [JSONValue]) -> [Fault] {
        do throws(Fault) {
            let document = try readFields(new)
            return (document.faults + judge(document, try? readFields(former), memories)).map { named($0) }
        } catch {
            return [error]
        }
    }

    private func named(_ fault: Fault) -> Fault {
        Fault(field: fault.field.isEmpty ? kind : "\(kind).\(fault.field)", expected: fault.expected, found: fault.found)
    }
}

/// Forecasts the results of a piece's documents by simulating many households.
public struct Forecast: Sendable {
    /// A figure about all simulated households together, for instance a median.
    public struct Measure: Equatable, Sendable {
        /// The figure's name in a few words, for instance `deaths`.
        public var name: String
        /// The figure's value; nil where there is none, for instance for the median of nothing.
        public var value: Double?
        public var unit: String?

        public init(_ name: String, _ value: Double?, unit: String? = nil) {
            self.name = name
            self.value = value
            self.unit = unit
        }
    }

    /// Describes for people what is simulated, for instance `1,000 households over 60 days`.
    public let about: String
    /// A function that is called with the finished part of a simulation, 0…1.
    public typealias Progress = (Double) -> Void

    private let simulate: @Sendable (_ documents: [String: any PieceDocument], _ progress: Progress) -> [Measure]

    /// Creates a forecast. `simulate` gets one document of every kind that the piece declares. It must be deterministic, return the same
    /// kinds of measures whatever the documents say, and call `progress` some hundred times at most.
    public init(about: String,
                simulate: @escaping @Sendable (_ documents: [String: any PieceDocument], _ progress: Progress) -> [Measure]) {
        self.about = about
        self.simulate = simulate
    }

    /// Runs the forecast, which may take seconds, with the documents `bodies` (by kind), and returns its measures. For a kind without a
    /// body, the standard document of `declaration` is taken. Throws the fault of a document that cannot be read.
    public func measures(_ bodies: [String: JSONValue], _ declaration: Declaration,
                         progress: Progress = { _ in }) throws(Fault) -> [Measure] {
        var documents: [String: any PieceDocument] = [:]
        for configuration in declaration.configurations {
            documents[configuration.kind] = try configuration.read(bodies[configuration.kind] ?? configuration.standard)
        }
        return simulate(documents, progress)
    }
}
