import Experience
import Fields
import Signals

/// The documents of a piece, from the first proposal on: which document is in force, and who may take which step. One person proposes a
/// version, and another one approves it. Only then can it be published.
///
/// It is a value without a clock. Its owner must write each change to disk before announcing it.
public struct Publications: Sendable {
    public let declaration: Declaration
    /// The versions of each kind, in ascending order.
    private var versions: [String: [DocumentVersion]] = [:]
    /// The highest number that was ever given to a version of each kind. No number is given twice, not even that of a version that was
    /// removed.
    private var lastNumbers: [String: Int] = [:]

    /// Creates the documents from `kept`, the stored versions in any order.
    public init(_ declaration: Declaration, _ kept: [DocumentVersion] = []) {
        self.declaration = declaration
        for version in kept { put(version) }
    }

    // MARK: Queries

    /// Returns the document that the piece follows: the version published last, or the standard document, which counts as version 0. Throws
    /// for a kind that the piece does not declare.
    public func inForce(_ kind: String) throws(Fault) -> (version: Int, body: JSONValue) {
        let standard = try standard(kind)
        let last = versions[kind]?.last { $0.state == .published }
        return last.map { ($0.version, Self.value($0.body)) } ?? (0, standard)
    }

    /// Returns the standard document, which counts as version 0. Throws for a kind that the piece does not declare.
    public func standard(_ kind: String) throws(Fault) -> JSONValue { try declaration.configuration(kind).standard }

    /// The documents in force, for each kind of which any version was published.
    public var allInForce: [PublishedDocument] {
        declaration.configurations.compactMap { configuration in
            guard let document = try? inForce(configuration.kind), document.version > 0 else { return nil }
            return PublishedDocument(kind: configuration.kind, version: document.version, body: document.body)
        }
    }

    /// Returns the versions of one kind, or of all kinds for nil, ordered by kind and number. Throws for a kind that the piece does not
    /// declare.
    public func history(_ kind: String? = nil) throws(Fault) -> [DocumentVersion] {
        if let kind {
            _ = try declaration.configuration(kind)
            return versions[kind] ?? []
        }
        return declaration.configurations.map(\.kind).sorted().flatMap { versions[$0] ?? [] }
    }

    /// Returns the version `number` of the kind `kind`. Throws where there is no such version.
    public func version(_ number: Int, of kind: String) throws(Fault) -> DocumentVersion {
        _ = try declaration.configuration(kind)
        if let found = versions[kind]?.first(where: { $0.version == number }) { return found }
        let numbers = (versions[kind] ?? []).map { "\($0.version)" }.joined(separator: ", ")
        let expected = numbers.isEmpty ? "nothing, because no \(kind) was proposed yet" : "one of \(numbers)"
        throw Fault(field: "version", expected: expected, found: "\(number)")
    }

    /// Whether this version is present here with exactly the same steps.
    public func has(_ version: DocumentVersion) -> Bool { versions[version.kind]?.contains(version) == true }

    /// Returns the versions that `before` does not have, or has with other steps, ordered by kind and number.
    public func changes(since before: Publications) -> [DocumentVersion] {
        versions.keys.sorted().flatMap { versions[$0] ?? [] }.filter { !before.has($0) }
    }

    // MARK: Steps

    /// Proposes a document. It becomes the next version of its kind. Throws where it equals the document in force, or another version has
    /// come into force since it was judged.
    public mutating func propose(_ document: JudgedDocument, by name: String, at time: Int) throws(Fault) -> DocumentVersion {
        let current = try inForce(document.kind)
        try check(document, current.version)
        guard document.body != Self.text(current.body) else {
            let expected = "another document than version \(current.version), which is in force"
            throw Fault(field: document.kind, expected: expected, found: "the same")
        }
        let proposed = DocumentVersion(kind: document.kind, version: (lastNumbers[document.kind] ?? 0) + 1, former: document.former,
                                       body: document.body, proposed: DocumentVersion.Step(by: name, at: time))
        put(proposed)
        return proposed
    }

    /// Approves the version that `document` was judged as. Throws where the approver `name` is also its proposer, or the version cannot be
    /// approved now.
    public mutating func approve(_ document: JudgedDocument, by name: String, at time: Int) throws(Fault) -> DocumentVersion {
        var version = try open(document, .proposed, "a version that is proposed, and not yet approved")
        guard !PersonName.areSame(version.proposed.by, name) else {
            throw Fault(field: "version", expected: "one that somebody else than \(name) has proposed: two people publish",
                        found: "\(version.version), which \(name) has proposed")
        }
        version.approved = DocumentVersion.Step(by: name, at: time)
        put(version)
        return version
    }

    /// Publishes the version that `document` was judged as. The piece follows it from now on. Throws where it is not approved, or another
    /// version has come into force since it was proposed or judged.
    public mutating func publish(_ document: JudgedDocument, by name: String, at time: Int) throws(Fault) -> DocumentVersion {
        var version = try open(document, .approved, "a version that somebody else than its proposer has approved")
        version.published = DocumentVersion.Step(by: name, at: time)
        put(version)
        return version
    }

    /// Withdraws a version that is not published. It can then never be published. Throws where there is no such version, or it is published
    /// or withdrawn already.
    public mutating func withdraw(_ number: Int, of kind: String, by name: String, at time: Int) throws(Fault) -> DocumentVersion {
        var version = try self.version(number, of: kind)
        guard version.state == .proposed || version.state == .approved else {
            throw Fault(field: "version", expected: "a version that is proposed or approved", found: "\(number), which is \(version.state)")
        }
        version.withdrawn = DocumentVersion.Step(by: name, at: time)
        put(version)
        return version
    }

    /// Puts a version into force that was published on another machine, with its steps. Versions must come in their order: each one can
    /// only replace the version that was in force when it was proposed. A draft on this machine that has the same number gets another
    /// number.
    public mutating func apply(_ elsewhere: DocumentVersion, _ judged: JudgedDocument) throws(Fault) -> DocumentVersion {
        if has(elsewhere) { return elsewhere }
        let kind = elsewhere.kind, number = elsewhere.version
        let draft = versions[kind]?.first { $0.version == number }
        guard draft?.published == nil else {
            let expected = "version \(number) of \(kind) as it is here already"
            throw Fault(field: "version", expected: expected, found: "another of that number")
        }
        guard elsewhere.state == .published, let approved = elsewhere.approved,
              !PersonName.areSame(approved.by, elsewhere.proposed.by) else {
            throw Fault(field: "approved", expected: "a version that one person proposed, another approved, and that was published")
        }
        let current = try inForce(kind).version
        guard elsewhere.former == current, number > current else {
            throw Fault(field: "version", expected: "one that follows \(current), which is in force here: versions come in their order",
                        found: "\(number), which follows \(elsewhere.former)")
        }
        try check(judged, current)
        put(elsewhere)
        if let draft { put(draft.numbered((lastNumbers[kind] ?? 0) + 1)) }
        return elsewhere
    }

    /// Takes back a step that could not be stored: `version` becomes what it was in `before`, or is removed if it was not there. A version
    /// that has meanwhile taken a further step is left alone.
    public mutating func revert(_ version: DocumentVersion, to before: Publications) {
        guard has(version) else { return }
        versions[version.kind]?.removeAll { $0.version == version.version }
        if let old = before.versions[version.kind]?.first(where: { $0.version == version.version }) { put(old) }
    }

    /// Returns the version of which `document` is the judged document. Throws unless this version is in `state`, for which `expected` has
    /// the words, and the version in force is the one that it was judged against.
    private func open(_ document: JudgedDocument, _ state: DocumentVersion.State, _ expected: String) throws(Fault) -> DocumentVersion {
        guard let number = document.version else { preconditionFailure("what takes a step has been proposed") }
        let version = try self.version(number, of: document.kind)
        guard version.state == state else {
            throw Fault(field: "version", expected: expected, found: "\(number), which is \(version.state)")
        }
        let current = try inForce(document.kind).version
        guard version.former == current else {
            throw Fault(field: "version", expected: "one that was proposed after \(current), which is in force; propose it anew",
                        found: "\(number), which was proposed after \(version.former)")
        }
        try check(document, current)
        return version
    }

    /// Throws where another version has come into force since the document was judged.
    private func check(_ document: JudgedDocument, _ current: Int) throws(Fault) {
        guard document.former == current else {
            throw Fault(field: "version", expected: "nobody to publish another \(document.kind) meanwhile", found: "version \(current)")
        }
    }

    private mutating func put(_ version: DocumentVersion) {
        var known = versions[version.kind] ?? []
        known.removeAll { $0.version == version.version }
        known.append(version)
        known.sort { $0.version < $1.version }
        versions[version.kind] = known
        lastNumbers[version.kind] = max(lastNumbers[version.kind] ?? 0, version.version)
    }
}

/// All faults of a document, at least one.
public struct Objections: Error, Equatable, Sendable, CustomStringConvertible {
    public let faults: [Fault]

    public init(_ fault: Fault) { faults = [fault] }

    /// Creates objections; nil where `faults` is empty.
    init?(_ faults: [Fault]) {
        guard !faults.isEmpty else { return nil }
        self.faults = faults
    }

    public var description: String { faults.map(\.description).joined(separator: "; ") }
}

/// A document that had no faults when it was judged. Only `Publications` can create one.
public struct JudgedDocument: Equatable, Sendable {
    public let kind: String
    /// The version's number; nil where the document is not proposed yet.
    let version: Int?
    /// The number of the version that was in force when the document was judged.
    let former: Int
    let body: String
}

extension Publications {
    /// Judges `body` as the next document of its kind. `memories` are the memories of all known households; they are all read, which may
    /// take a while. Throws all objections.
    public func judge(_ kind: String, _ body: JSONValue, _ memories: [JSONValue]) throws(Objections) -> JudgedDocument {
        try judge(kind, body, memories, version: nil)
    }

    /// Judges the document of a version that was proposed before, as `judge(_:_:_:)` judges a new document.
    public func judge(_ kind: String, version: Int, _ memories: [JSONValue]) throws(Objections) -> JudgedDocument {
        let known: DocumentVersion
        do throws(Fault) {
            known = try self.version(version, of: kind)
        } catch {
            throw Objections(error)
        }
        return try judge(kind, Self.value(known.body), memories, version: version)
    }

    /// Returns all objections to a document; nil when there are none.
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

    /// Returns the document `value` as JSON text, in the form in which it is stored.
    public static func text(_ value: JSONValue) -> String { value.written }

    /// Reads what the function `text` has written; returns JSON's null for any other text.
    public static func value(_ text: String) -> JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? .null }
}
