/// One version of a document, with what has become of it. What was proposed never changes; its steps are only added.
public struct DocumentVersion: Equatable, Sendable {
    public enum State: String, CaseIterable, Codable, Sendable { case proposed, approved, published, withdrawn }

    /// Who did it, and when.
    public struct Step: Codable, Equatable, Sendable {
        /// The name of an operator's token, or of a user of this machine.
        public var by: String
        /// Seconds since 1970-01-01 in UTC.
        public var at: Int

        public init(by: String, at: Int) {
            self.by = by
            self.at = at
        }
    }

    public let kind: String
    /// Within `PublishedDocument.versions`.
    public let version: Int
    /// The version that was in force when it was proposed: it can take the place of no other. 0 for the standard document.
    public let former: Int
    /// JSON as `JSONWriter` writes it: equal documents are equal bytes.
    public let body: String
    public let proposed: Step
    public internal(set) var approved: Step?
    public internal(set) var published: Step?
    public internal(set) var withdrawn: Step?

    public init(kind: String, version: Int, former: Int, body: String, proposed: Step, approved: Step? = nil, published: Step? = nil,
                withdrawn: Step? = nil) {
        self.kind = kind
        self.version = version
        self.former = former
        self.body = body
        self.proposed = proposed
        self.approved = approved
        self.published = published
        self.withdrawn = withdrawn
    }

    /// The same under another number.
    func numbered(_ number: Int) -> DocumentVersion {
        DocumentVersion(kind: kind, version: number, former: former, body: body, proposed: proposed, approved: approved,
                        published: published, withdrawn: withdrawn)
    }

    public var state: State {
        if withdrawn != nil { return .withdrawn }
        if published != nil { return .published }
        return approved == nil ? .proposed : .approved
    }
}
