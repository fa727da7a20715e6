import Fields
import Publishing
import Signals

/// The answer to `config.get`, and to every method that changes the state of a version.
public struct DocumentReport: Codable, Equatable, Sendable {
    public var kind: String
    /// The version's number; 0 for the standard document, which nobody has proposed.
    public var version: Int
    /// The number of the version that this one replaces; nil for the standard document, which replaces none.
    public var former: Int?
    public var state: DocumentVersion.State?
    public var proposed: DocumentVersion.Step?
    public var approved: DocumentVersion.Step?
    public var published: DocumentVersion.Step?
    public var withdrawn: DocumentVersion.Step?
    /// The document itself; nil in an answer that only lists the steps.
    public var document: JSONValue?

    public init(_ version: DocumentVersion, document: Bool = false) {
        kind = version.kind
        self.version = version.version
        former = version.former
        state = version.state
        proposed = version.proposed
        approved = version.approved
        published = version.published
        withdrawn = version.withdrawn
        self.document = document ? Publications.value(version.body) : nil
    }

    /// Creates the report on the standard document.
    public init(standard document: JSONValue, of kind: String) {
        self.kind = kind
        version = 0
        self.document = document
    }

    /// The reported version as a value; nil where the report does not contain all of it.
    public var whole: DocumentVersion? {
        guard let former, let proposed, let document, PublishedDocument.versions.contains(version) else { return nil }
        return DocumentVersion(kind: kind, version: version, former: former, body: Publications.text(document), proposed: proposed,
                               approved: approved, published: published, withdrawn: withdrawn)
    }
}

/// The answer to `config.history`.
public struct DocumentHistory: Codable, Equatable, Sendable {
    public struct Kind: Codable, Equatable, Sendable {
        public var kind: String
        /// Describes the kind for people, in a sentence.
        public var about: String
        /// The number of the version in force; 0 for the standard document.
        public var version: Int

        public init(kind: String, about: String, version: Int) {
            self.kind = kind
            self.about = about
            self.version = version
        }
    }

    public var kinds: [Kind]
    /// The versions without their documents, ordered by kind and number.
    public var versions: [DocumentReport]

    public init(kinds: [Kind], versions: [DocumentReport]) {
        self.kinds = kinds
        self.versions = versions
    }
}

/// The progress of a simulation that `config.diff` has started.
public struct OutlookProgress: Codable, Equatable, Sendable {
    public var kind: String
    /// The finished part of the simulation, 0…1.
    public var part: Double

    public init(kind: String, part: Double) {
        self.kind = kind
        self.part = part
    }
}

/// The answer to `config.diff`.
public struct DocumentDiff: Codable, Equatable, Sendable {
    /// The results of a simulation with the document, beside those with the former document.
    public struct Outlook: Codable, Equatable, Sendable {
        public struct Row: Codable, Equatable, Sendable {
            public var name: String
            public var unit: String?
            /// The figure with the former document; `after` is the figure with the new one. nil where the figure has no value, for instance
            /// the median of nothing.
            public var before: Double?
            public var after: Double?

            public init(name: String, unit: String?, before: Double?, after: Double?) {
                self.name = name
                self.unit = unit
                self.before = before
                self.after = after
            }
        }

        /// Describes what was simulated.
        public var about: String
        public var rows: [Row]

        public init(about: String, rows: [Row]) {
            self.about = about
            self.rows = rows
        }
    }

    public var kind: String
    /// The version number of the new document; nil where the document has not been proposed.
    public var version: Int?
    /// The version number of the former document, with which the new one is compared.
    public var former: Int
    public var changes: [DocumentChange]
    /// What is wrong with the document, in words.
    public var objections: [String]
    /// The results of the simulation; nil where nobody asked for it, and for a piece without a simulation.
    public var outlook: Outlook?

    public init(kind: String, version: Int?, former: Int, changes: [DocumentChange], objections: [String], outlook: Outlook?) {
        self.kind = kind
        self.version = version
        self.former = former
        self.changes = changes
        self.objections = objections
        self.outlook = outlook
    }
}

extension Example {
    private static let step = DocumentVersion.Step(by: "", at: 0)
    public static let document = DocumentReport(
        DocumentVersion(kind: "", version: 1, former: 0, body: "{}", proposed: step, approved: step, published: step, withdrawn: step),
        document: true)
    public static let documents = DocumentHistory(kinds: [DocumentHistory.Kind(kind: "", about: "", version: 1)], versions: [document])
    public static let diff = DocumentDiff(
        kind: "", version: 1, former: 0, changes: [DocumentChange(path: "", old: .null, new: .null)], objections: [""],
        outlook: DocumentDiff.Outlook(about: "", rows: [DocumentDiff.Outlook.Row(name: "", unit: nil, before: 0, after: 0)]))
}
