import Fields
import Signals

/// A document by which a piece goes, of the piece's own type. An object in JSON.
public protocol PieceDocument: Equatable, Sendable {
    /// Reads what `json` writes. Throws `Fault`, which names the field.
    init(_ fields: Fields) throws
    var json: JSONValue { get }
    /// All that is wrong with it by itself, though each field has a value that it may have: a least above a most. Its faults name fields of
    /// the document. What has a fault is never read.
    var faults: [Fault] { get }
}

extension PieceDocument {
    public var faults: [Fault] { [] }
}

/// A kind of document that operators publish for a piece, for instance its prices.
public struct ConfigurationDeclaration: Sendable {
    /// Of a document, as JSON without spaces: a request and a journal's line have room for it.
    public static let longestDocument = 48 << 10
    private static let deepestDocument = 16

    /// Letters, digits and hyphens of ASCII.
    public let kind: String
    /// For people, in a sentence.
    public let about: String
    /// By which the piece goes before any is published: version 0. Written anew at each call, because few starts of a program need it.
    public var standard: JSONValue { standardDocument.json }
    private let standardDocument: any PieceDocument
    private let reader: @Sendable (Fields) throws -> any PieceDocument
    private let judge: @Sendable (any PieceDocument, (any PieceDocument)?, [JSONValue]) -> [Fault]

    /// `objections` says all that is wrong with `new` where `former` is in force and pieces remember `memories` of the households there
    /// are, as they wrote it. What is wrong with a document by itself are its `faults`. `former` is nil where this version of the piece
    /// cannot read it. Objections name fields of the document.
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

    /// `body` as the piece's own type. Throws what is wrong with it, by the path of the field from the kind on: `recovery.cure.gems`.
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

    /// All that is wrong with `new` where `former` is in force and households have `memories`; nothing for a good one.
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
