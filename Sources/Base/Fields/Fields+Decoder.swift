// What whoever decodes asks of the readers, in the decoder's `userInfo`.
extension Fields {
    /// The paths of all fields that are not among `known`, in alphabetical order. Empty unless somebody wants them (`strangersWanted`):
    /// finding them costs more than reading the others.
    public func strangers(to known: [String]) -> [String] {
        guard wantsStrangers else { return [] }
        let strangers = (container?.allKeys ?? []).map(\.stringValue).filter { !known.contains($0) }.sorted()
        return strangers.map(path(of:))
    }

    /// The path of a field whose value `text` is not known; empty unless somebody wants it.
    public func stranger(_ name: String, _ text: String) -> [String] { wantsStrangers ? [path(of: name) + " \(text)"] : [] }

    private var wantsStrangers: Bool {
        if case .foreign(_, let decoder?) = source { decoder.userInfo[.strangersWanted] != nil } else { false }
    }

    /// Whether field `name` was left out because it is wrong, so that its reader goes on with a value that would be right.
    func hasStandIn(_ name: String) -> Bool {
        guard case .foreign(_, let decoder?) = source, let standIns = decoder.userInfo[.standIns] as? StandIns else { return false }
        return !contains(name) && standIns.take(path(of: name))
    }
}

/// The paths of fields that were left out because they are wrong or missing. The readers of numbers, flags, texts and choices go on with a
/// value that would be right there, so that they find what else is wrong in the same object. What they return is of no use.
public final class StandIns {
    public private(set) var fields: Set<String> = []
    /// Those of `fields` that a reader asked for: the ones that may not be left out.
    public private(set) var taken: Set<String> = []

    public init() {}

    /// Returns false where the field is among them already.
    public func insert(_ field: String) -> Bool { fields.insert(field).inserted }

    fileprivate func take(_ field: String) -> Bool {
        guard fields.contains(field) else { return false }
        taken.insert(field)
        return true
    }
}

extension CodingUserInfoKey {
    /// In a decoder's `userInfo`, with any value: whoever decodes wants to know what is passed over.
    public static let strangersWanted = key("strangersWanted")

    /// In a decoder's `userInfo`, with a `StandIns`: whoever decodes looks for further faults.
    public static let standIns = key("standIns")

    private static func key(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("any text is a key") }
        return key
    }
}
