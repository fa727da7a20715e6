import Experience
import Fields

/// All that is wrong with a document, at least one thing.
public struct Objections: Error, Equatable, Sendable, CustomStringConvertible {
    public let faults: [Fault]

    public init(_ fault: Fault) { faults = [fault] }

    /// Nil where there is nothing.
    init?(_ faults: [Fault]) {
        guard !faults.isEmpty else { return nil }
        self.faults = faults
    }

    public var description: String { faults.map(\.description).joined(separator: "; ") }
}

/// A document that nothing is to be said against, as things stood when it was judged. Only `Publications` makes one.
public struct JudgedDocument: Equatable, Sendable {
    public let kind: String
    /// Nil where it is not proposed yet.
    let version: Int?
    /// The version that was in force.
    let former: Int
    let body: String
}

extension Publications {
    /// Judges `body` as the next document of its kind, where pieces remember `memories` of the households there are. It reads all of them,
    /// and may take a while.
    public func judge(_ kind: String, _ body: JSONValue, _ memories: [JSONValue]) throws(Objections) -> JudgedDocument {
        try judge(kind, body, memories, version: nil)
    }

    /// The same of a version that is here already.
    public func judge(_ kind: String, version: Int, _ memories: [JSONValue]) throws(Objections) -> JudgedDocument {
        let known: DocumentVersion
        do throws(Fault) {
            known = try self.version(version, of: kind)
        } catch {
            throw Objections(error)
        }
        return try judge(kind, Self.value(known.body), memories, version: version)
    }

    /// All that is wrong with it; nil for nothing.
    public func objections(to body: JSONValue, of kind: String, _ memories: [JSONValue]) -> Objections? {
        do throws(Fault) {
            let configuration = try declaration.configuration(kind)
            return Objections(configuration.objections(to: body, after: try inForce(kind).body, memories))
        } catch {
            return Objections(error)
        }
    }

    private func judge(_ kind: String, _ body: JSONValue, _ memories: [JSONValue], version: Int?) throws(Objections) -> JudgedDocument {
        if let objections = objections(to: body, of: kind, memories) { throw objections }
        do throws(Fault) {
            return JudgedDocument(kind: kind, version: version, former: try inForce(kind).version, body: Self.text(body))
        } catch {
            throw Objections(error)
        }
    }

    /// As it is kept.
    public static func text(_ value: JSONValue) -> String { value.written }

    /// What `text` wrote; null for what it did not write.
    public static func value(_ text: String) -> JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? .null }
}
