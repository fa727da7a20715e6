import Fields
import Signals

/// A document by which a piece goes, of the piece's own type. In JSON it is an object.
public protocol PieceDocument: Equatable, Sendable {
    /// Reads what `json` writes. Throws `Fault`, which names the field.
    init(_ fields: Fields) throws
    var json: JSONValue { get }
    /// All that is wrong with the document by itself though each field has a value that it may have, for instance a least above a most.
    /// The faults name fields of the document. A document with a fault is never read.
    var faults: [Fault] { get }
}

extension PieceDocument {
    public var faults: [Fault] { [] }
}

/// Declares a kind of document that operators publish for a piece, for instance its prices.
public struct ConfigurationDeclaration: Sendable {
    /// The most bytes of a document, as JSON without spaces: a request and a journal's line have room for it.
    public static let longestDocument = 48 << 10
    /// The most levels of lists and objects in a document.
    private static let deepestDocument = 16

    /// The name of the kind: lower-case letters, digits and hyphens of ASCII.
    public let kind: String
    /// Describes the kind for people, in a sentence.
    public let about: String
    /// The document by which the piece goes before any is published: version 0. It is written anew at each call, because few starts of a
    /// program need it.
    public var standard: JSONValue { standardDocument.json }
    private let standardDocument: any PieceDocument
    private let reader: @Sendable (Fields) throws -> any PieceDocument
    private let judge: @Sendable (any PieceDocument, (any PieceDocument)?, [JSONValue]) -> [Fault]

    /// Declares a kind of document. `objections` returns all that is wrong with `new` where `former` is in force and the households have
    /// `memories`, as the piece wrote them; what is wrong with a document by itself are its `faults`. `former` is nil where this version of
    /// the piece cannot read it. Objections name fields of the document.
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

    /// Returns `body` as the piece's own type. Throws what is wrong with it, by the path of the field from the kind on, for instance
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

    /// Returns all that is wrong with `new` where `former` is in force and households have `memories`; empty for a good document.
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

/// Forecasts what a piece's documents would lead to, in numbers over simulated households.
public struct Forecast: Sendable {
    /// A number over all simulated households together, for instance a median.
    public struct Measure: Equatable, Sendable {
        /// The name in a few words, for instance `deaths`.
        public var name: String
        /// The value; nil where there is none, such as the median of nothing.
        public var value: Double?
        public var unit: String?

        public init(_ name: String, _ value: Double?, unit: String? = nil) {
            self.name = name
            self.value = value
            self.unit = unit
        }
    }

    /// Describes for people what is simulated: `1,000 households over 60 days`.
    public let about: String
    /// Is called with the part of a simulation that is done, 0…1.
    public typealias Progress = (Double) -> Void

    private let simulate: @Sendable (_ documents: [String: any PieceDocument], _ progress: Progress) -> [Measure]

    /// Creates a forecast. `simulate` is given a document of every kind that the piece declares, and returns the same measures for all
    /// documents. It is deterministic, and calls `progress` some hundred times at most.
    public init(about: String,
                simulate: @escaping @Sendable (_ documents: [String: any PieceDocument], _ progress: Progress) -> [Measure]) {
        self.about = about
        self.simulate = simulate
    }

    /// Runs the forecast with the documents `bodies`, by kind, and returns its measures. A kind without a body takes its standard document
    /// from `declaration`. Throws the fault of a document that cannot be read. It may take seconds.
    public func measures(_ bodies: [String: JSONValue], _ declaration: Declaration,
                         progress: Progress = { _ in }) throws(Fault) -> [Measure] {
        var documents: [String: any PieceDocument] = [:]
        for configuration in declaration.configurations {
            documents[configuration.kind] = try configuration.read(bodies[configuration.kind] ?? configuration.standard)
        }
        return simulate(documents, progress)
    }
}
