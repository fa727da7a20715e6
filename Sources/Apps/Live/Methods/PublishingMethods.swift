import Experience
import Fields
import Publishing
import Signals
import Wire

/// The methods for publishing documents, which only operators may call.
enum PublishingMethods {
    static let all: [Method] = [
        .command("config.propose", .act(by: .operator), refuses: [.notNow, .notKept, .busy],
                 "A document is proposed, by whoever asks. Somebody else must approve it.",
                 result: "version", examples: [Example.document], read: { try Proposal($0) }) { stage, proposal, caller in
            stage.desks.documents.change(caller, in: stage.clients.identity(of: caller)) { book, memories throws(Objections) in
                try book.judge(proposal.kind, try proposal.body(in: book), memories)
            } step: { book, judged, name, time throws(Fault) in try book.propose(judged, by: name, at: time) }
        },
        .command("config.approve", .act(by: .operator), refuses: [.notNow, .notKept, .busy],
                 "Somebody else than its proposer approves a version.", result: "version",
                 examples: [Example.document], read: { try VersionName($0) }) { stage, named, caller in
            stage.desks.documents.change(caller, in: stage.clients.identity(of: caller)) { book, memories throws(Objections) in
                try book.judge(named.kind, version: named.version, memories)
            } step: { book, judged, name, time throws(Fault) in try book.approve(judged, by: name, at: time) }
        },
        .command("config.publish", .act(by: .operator), refuses: [.notNow, .notKept, .busy],
                 "An approved version is in force from now on.", result: "version",
                 examples: [Example.document], read: { try VersionName($0) }) { stage, named, caller in
            stage.desks.documents.change(caller, in: stage.clients.identity(of: caller)) { book, memories throws(Objections) in
                try book.judge(named.kind, version: named.version, memories)
            } step: { book, judged, name, time throws(Fault) in try book.publish(judged, by: name, at: time) }
        },
        .command("config.withdraw", .act(by: .operator), refuses: [.notNow, .notKept, .busy],
                 "A version that is not published yet never will be.", result: "version",
                 examples: [Example.document], read: { try VersionName($0) }) { stage, named, caller in
            stage.desks.documents.withdraw(named, caller, in: stage.clients.identity(of: caller))
        },
        .command("config.apply", .act(by: .operator), refuses: [.notNow, .notKept, .busy],
                 "What was published on another machine is in force here, too, if it is the next.",
                 result: "version", examples: [Example.document], read: { fields in
            let report = try fields.nested("published", as: .structure(orList: false), like: Example.document,
                                           expected: "a version as config.get tells it")
            guard let version = report.whole else {
                throw fields.fault("published", "a version as config.get tells it, with its former, its steps and its document")
            }
            return version
        }) { stage, version, caller in
            stage.desks.documents.apply(version, caller, byAdministrator: stage.clients.isAdministrator(caller))
        },
        .command("config.get", .act(by: .operator), refuses: [.notNow],
                 "A document, with who has proposed, approved and published it.", result: "document",
                 examples: [Example.document], read: { fields in
            (kind: try VersionName.kind(fields),
             version: try fields.integerIfPresent("version", in: 0...PublishedDocument.versions.upperBound,
                                                  about: "the one in force by default; 0 is the standard document"))
        }) { stage, wanted, caller in
            stage.desks.documents.answer(caller) { book throws(Fault) in try book.report(wanted.kind, wanted.version) }
        },
        .command("config.history", .act(by: .operator), refuses: [.notNow],
                 "The kinds of documents there are, and what has become of every version.",
                 result: "history", examples: [Example.documents], read: { fields in
            try fields.textIfPresent("kind", limit: 64, about: "of this kind only")
        }) { stage, kind, caller in
            stage.desks.documents.answer(caller) { book throws(Fault) in try book.historyReport(kind) }
        },
        .command("config.diff", .act(by: .operator), refuses: [.notNow, .busy],
                 "What a version, or a document that is not proposed yet, changes.", result: "diff",
                 examples: [Example.diff], read: { try DiffRequest($0) }) { stage, request, caller in
            stage.desks.documents.diff(request, caller)
        },
    ]
}

/// The kind and version by which a client names a document.
struct VersionName: Sendable {
    var kind: String
    var version: Int

    init(_ fields: Fields) throws {
        kind = try Self.kind(fields)
        version = try fields.integer("version", in: PublishedDocument.versions)
    }

    static func kind(_ fields: Fields) throws -> String { try fields.text("kind", limit: 64, about: "of a document of the piece") }

    static func document(_ fields: Fields) throws -> JSONValue? {
        try fields.nestedIfPresent(JSONValue.self, "document", expected: "an object", about: "of the kind")
    }
}

/// A proposal: a new document, or the document of an earlier version once more.
struct Proposal: Sendable {
    private enum Source {
        case document(JSONValue)
        case version(Int)
    }

    var kind: String
    private let source: Source

    init(_ fields: Fields) throws {
        kind = try VersionName.kind(fields)
        let document = try VersionName.document(fields)
        let version = try fields.integerIfPresent("copyOf", in: 0...PublishedDocument.versions.upperBound,
                                                  about: "instead of a document: that of this version, 0 for the standard one")
        switch (document, version) {
        case (let document?, nil): source = .document(document)
        case (nil, let version?): source = .version(version)
        case (nil, nil): throw fields.fault("document", "an object", found: "nothing")
        case (_?, _?): throw fields.fault("copyOf", "either document or copyOf", found: "both")
        }
    }

    /// Returns the proposed document. Throws where the named version does not exist.
    func body(in book: Publications) throws(Objections) -> JSONValue {
        do throws(Fault) {
            switch source {
            case .document(let document): return document
            case .version(let version): return try book.body(kind, version)
            }
        } catch {
            throw Objections(error)
        }
    }
}

/// A request to compare a version or a document with the one that it would replace.
struct DiffRequest: Sendable {
    var kind: String
    /// The number of the version; nil for the newest of its kind.
    var version: Int?
    /// A document that has not been proposed; nil where a version is compared.
    var document: JSONValue?
    var wantsOutlook: Bool

    init(_ fields: Fields) throws {
        kind = try VersionName.kind(fields)
        version = try fields.integerIfPresent("version", in: PublishedDocument.versions, about: "the newest by default")
        document = try VersionName.document(fields)
        wantsOutlook = try fields.flagIfPresent("outlook", about: "true: also what it leads to, simulated, which takes seconds") ?? false
        if version != nil, document != nil { throw fields.fault("document", "either version or document", found: "both") }
    }

    /// Returns the comparison. With an outlook it takes as long as the simulation; `progress` is called with the fraction that is done.
    func answer(_ book: Publications, _ declaration: Declaration, _ memories: [JSONValue],
                progress: Forecast.Progress) throws(Fault) -> DocumentDiff {
        let inForce = try book.inForce(kind)
        var diff = DocumentDiff(kind: kind, version: nil, former: inForce.version, changes: [], objections: [], outlook: nil)
        var (old, new) = (inForce.body, document ?? .null)
        if document == nil {
            let history = try book.history(kind)
            guard let last = history.last else {
                throw Fault(field: "kind", expected: "a kind of which something was proposed", found: "\"\(kind)\"")
            }
            let chosen = try book.version(version ?? last.version, of: kind)
            (diff.version, diff.former) = (chosen.version, chosen.former)
            (old, new) = (try book.body(kind, chosen.former), try book.body(kind, chosen.version))
        }
        diff.changes = DocumentChange.all(from: old, to: new)
        // A document that is in force was judged when it was published.
        let isOver = try diff.version.map { version throws(Fault) in try book.version(version, of: kind).state == .published } ?? false
        if !isOver { diff.objections = book.objections(to: new, of: kind, memories)?.faults.map(\.description) ?? [] }
        // A document that cannot be read cannot be simulated.
        guard wantsOutlook, diff.objections.isEmpty, let forecast = declaration.forecast else { return diff }
        var bodies = Dictionary(uniqueKeysWithValues: book.allInForce.map { ($0.kind, $0.body) })
        bodies[kind] = old
        let before = try forecast.measures(bodies, declaration) { progress($0 / 2) }
        bodies[kind] = new
        let after = try forecast.measures(bodies, declaration) { progress((1 + $0) / 2) }
        diff.outlook = DocumentDiff.Outlook(about: forecast.about, rows: zip(before, after).map {
            DocumentDiff.Outlook.Row(name: $0.name, unit: $0.unit, before: $0.value, after: $1.value)
        })
        return diff
    }
}

extension Publications {
    /// Returns the document of the kind `kind` in the version `number`; version 0 is the standard document.
    func body(_ kind: String, _ number: Int) throws(Fault) -> JSONValue {
        number == 0 ? try standard(kind) : Self.value(try version(number, of: kind).body)
    }

    /// Returns the report, for clients, of the version `number` of a document; nil stands for the version in force.
    func report(_ kind: String, _ number: Int?) throws(Fault) -> DocumentReport {
        let number = if let number { number } else { try inForce(kind).version }
        return number == 0 ? DocumentReport(standard: try standard(kind), of: kind)
            : DocumentReport(try version(number, of: kind), document: true)
    }

    /// Returns the report, for clients, of the documents of the kind `kind` and their versions; of all kinds where `kind` is nil.
    func historyReport(_ kind: String?) throws(Fault) -> DocumentHistory {
        let known = try history(kind)
        let versions = known.map { DocumentReport($0) }
        let kinds = declaration.configurations.filter { kind == nil || $0.kind == kind }.map { configuration in
            DocumentHistory.Kind(kind: configuration.kind, about: configuration.about,
                                 version: (try? inForce(configuration.kind).version) ?? 0)
        }
        return DocumentHistory(kinds: kinds, versions: versions)
    }
}
