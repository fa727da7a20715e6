import Fields

/// One version of a document, with the steps that people took with it. The proposed text never changes; steps are only added.
public struct DocumentVersion: Equatable, Sendable {
    public enum State: String, CaseIterable, Codable, Sendable { case proposed, approved, published, withdrawn }

    /// A step: who took it, and when.
    public struct Step: Codable, Equatable, Sendable {
        /// The person who took the step: the name of an operator's token, or of a user of this machine.
        public var by: String
        /// When the step was taken, in seconds since 1970-01-01 in UTC.
        public var at: Int

        public init(by: String, at: Int) {
            self.by = by
            self.at = at
        }
    }

    public let kind: String
    /// The version's number, within `PublishedDocument.versions`.
    public let version: Int
    /// The version that was in force when this one was proposed; 0 for the standard document. This version can replace only that one.
    public let former: Int
    /// The document as JSON from `JSONWriter`, so that equal documents have equal bytes.
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

    /// Returns this version with another number.
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

/// Compares the names of people. Publishing needs two different people.
public enum PersonName {
    /// Whether two names belong to the same person. Case does not matter, so that nobody counts as two people by a capital letter.
    public static func areSame(_ name: String, _ other: String) -> Bool { name.lowercased() == other.lowercased() }
}

/// A place at which two documents differ.
public struct DocumentChange: Codable, Equatable, Sendable {
    /// The path to the place, for instance `cure.gems`. A list's element is named by its `id` where the elements have one:
    /// `items[tuna].price`.
    public var path: String
    /// The former value; nil where there was none.
    public var old: JSONValue?
    /// The new value; nil where there is none.
    public var new: JSONValue?

    public init(path: String, old: JSONValue?, new: JSONValue?) {
        self.path = path
        self.old = old
        self.new = new
    }

    /// Returns all changes, ordered by name. Elements of a list are compared by their `id` if all are objects with an `id` of their own,
    /// else by their index.
    public static func all(from old: JSONValue, to new: JSONValue) -> [DocumentChange] { changes("", old, new) }

    private static func changes(_ path: String, _ old: JSONValue?, _ new: JSONValue?) -> [DocumentChange] {
        switch (old, new) {
        case _ where old == new: return []
        case (.object(let old)?, .object(let new)?):
            return Set(old.keys).union(new.keys).sorted().flatMap { name in
                changes(path.isEmpty ? name : "\(path).\(name)", old[name], new[name])
            }
        case (.list(let old)?, .list(let new)?): return listChanges(path, old, new)
        default: return [DocumentChange(path: path, old: old, new: new)]
        }
    }

    private static func listChanges(_ path: String, _ old: [JSONValue], _ new: [JSONValue]) -> [DocumentChange] {
        guard let before = ids(old), let after = ids(new) else {
            return (0..<max(old.count, new.count)).flatMap { index in
                changes("\(path)[\(index)]", index < old.count ? old[index] : nil, index < new.count ? new[index] : nil)
            }
        }
        let (oldIndices, newIndices) = (indices(before), indices(after))
        var found = (before + after.filter { oldIndices[$0] == nil }).flatMap { id in
            changes("\(path)[\(id)]", oldIndices[id].map { old[$0] }, newIndices[id].map { new[$0] })
        }
        let (stayed, stay) = (before.filter { newIndices[$0] != nil }, after.filter { oldIndices[$0] != nil })
        if stayed != stay {
            found.append(DocumentChange(path: "\(path) (order)", old: .list(stayed.map { .text($0) }), new: .list(stay.map { .text($0) })))
        }
        return found
    }

    /// Returns the ids of a list's elements; nil unless every element has an id of its own.
    private static func ids(_ list: [JSONValue]) -> [String]? {
        let ids = list.compactMap { element -> String? in
            guard case .object(let members) = element, case .text(let id)? = members["id"] else { return nil }
            return id
        }
        return ids.count == list.count && Set(ids).count == ids.count ? ids : nil
    }

    private static func indices(_ ids: [String]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    }
}
