import Fields

/// A place at which two documents differ.
public struct DocumentChange: Codable, Equatable, Sendable {
    /// For instance `cure.gems`, or `items[tuna].price` in a list whose objects have an `id`.
    public var path: String
    /// Nil where there was nothing.
    public var old: JSONValue?
    /// Nil where there is nothing.
    public var new: JSONValue?

    public init(path: String, old: JSONValue?, new: JSONValue?) {
        self.path = path
        self.old = old
        self.new = new
    }

    /// All, in the order of the names; objects of a list that have an `id` are compared by that, other elements by their place.
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
        let (oldPlaces, newPlaces) = (places(before), places(after))
        var found = (before + after.filter { oldPlaces[$0] == nil }).flatMap { id in
            changes("\(path)[\(id)]", oldPlaces[id].map { old[$0] }, newPlaces[id].map { new[$0] })
        }
        let (stayed, stay) = (before.filter { newPlaces[$0] != nil }, after.filter { oldPlaces[$0] != nil })
        if stayed != stay {
            found.append(DocumentChange(path: "\(path) (order)", old: .list(stayed.map { .text($0) }), new: .list(stay.map { .text($0) })))
        }
        return found
    }

    /// Nil unless each element has one of its own.
    private static func ids(_ list: [JSONValue]) -> [String]? {
        let ids = list.compactMap { element -> String? in
            guard case .object(let members) = element, case .text(let id)? = members["id"] else { return nil }
            return id
        }
        return ids.count == list.count && Set(ids).count == ids.count ? ids : nil
    }

    private static func places(_ ids: [String]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    }
}
