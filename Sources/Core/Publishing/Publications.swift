import Experience
import Fields
import Signals

/// The documents of a piece, from the first proposal on: who may take which step, and what is in force. One person proposes, another
/// approves, and only then it can be published.
///
/// A value without a clock. Whoever keeps it on a disk does so before they tell of it.
public struct Publications: Sendable {
    public let declaration: Declaration
    /// By kind, in the order of their versions.
    private var versions: [String: [DocumentVersion]] = [:]
    /// The highest number that was ever given out of a kind. None is given out twice, whatever becomes of a version.
    private var lastNumbers: [String: Int] = [:]

    /// `kept` are the versions known so far, in any order.
    public init(_ declaration: Declaration, _ kept: [DocumentVersion] = []) {
        self.declaration = declaration
        for version in kept { put(version) }
    }

    // MARK: Looking

    /// The document by which the piece goes: the one published last, or the standard one, whose version is 0.
    public func inForce(_ kind: String) throws(Fault) -> (version: Int, body: JSONValue) {
        let standard = try standard(kind)
        let last = versions[kind]?.last { $0.state == .published }
        return last.map { ($0.version, Self.value($0.body)) } ?? (0, standard)
    }

    /// Version 0.
    public func standard(_ kind: String) throws(Fault) -> JSONValue { try declaration.configuration(kind).standard }

    /// Of each kind of which any was published.
    public var allInForce: [PublishedDocument] {
        declaration.configurations.compactMap { configuration in
            guard let document = try? inForce(configuration.kind), document.version > 0 else { return nil }
            return PublishedDocument(kind: configuration.kind, version: document.version, body: document.body)
        }
    }

    /// Of this kind, or of all kinds, in the order of their names and versions.
    public func history(_ kind: String? = nil) throws(Fault) -> [DocumentVersion] {
        if let kind {
            _ = try declaration.configuration(kind)
            return versions[kind] ?? []
        }
        return declaration.configurations.map(\.kind).sorted().flatMap { versions[$0] ?? [] }
    }

    /// Throws where there is none of this number.
    public func version(_ number: Int, of kind: String) throws(Fault) -> DocumentVersion {
        _ = try declaration.configuration(kind)
        if let found = versions[kind]?.first(where: { $0.version == number }) { return found }
        let numbers = (versions[kind] ?? []).map { "\($0.version)" }.joined(separator: ", ")
        let expected = numbers.isEmpty ? "nothing, because no \(kind) was proposed yet" : "one of \(numbers)"
        throw Fault(field: "version", expected: expected, found: "\(number)")
    }

    /// Whether just this version is here, with the same steps.
    public func has(_ version: DocumentVersion) -> Bool { versions[version.kind]?.contains(version) == true }

    /// Versions that `before` has not, or has otherwise, in the order of kinds and numbers.
    public func changes(since before: Publications) -> [DocumentVersion] {
        versions.keys.sorted().flatMap { versions[$0] ?? [] }.filter { !before.has($0) }
    }

    // MARK: Steps

    /// A document is proposed. It gets the next number of its kind.
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

    /// Somebody else than who proposed it approves it.
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

    /// The piece goes by it from now on.
    public mutating func publish(_ document: JudgedDocument, by name: String, at time: Int) throws(Fault) -> DocumentVersion {
        var version = try open(document, .approved, "a version that somebody else than its proposer has approved")
        version.published = DocumentVersion.Step(by: name, at: time)
        put(version)
        return version
    }

    /// A version that is not published never will be.
    public mutating func withdraw(_ number: Int, of kind: String, by name: String, at time: Int) throws(Fault) -> DocumentVersion {
        var version = try self.version(number, of: kind)
        guard version.state == .proposed || version.state == .approved else {
            throw Fault(field: "version", expected: "a version that is proposed or approved", found: "\(number), which is \(version.state)")
        }
        version.withdrawn = DocumentVersion.Step(by: name, at: time)
        put(version)
        return version
    }

    /// A version that was published elsewhere, whole with its steps, is in force here, too. Versions come in their order: each takes the
    /// place of the one that it was proposed after, and of no other. A draft of this machine that has its number gets another.
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

    /// What was not kept has not happened: `version` is as it was in `before`, or not there at all. One that has gone on since stays.
    public mutating func revert(_ version: DocumentVersion, to before: Publications) {
        guard has(version) else { return }
        versions[version.kind]?.removeAll { $0.version == version.version }
        if let old = before.versions[version.kind]?.first(where: { $0.version == version.version }) { put(old) }
    }

    /// The version that was judged, in `state`, and to follow what is in force.
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

    /// Throws where another version has come into force since it was judged.
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
