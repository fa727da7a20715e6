import Yams

extension Tag {
    /// Of keys, and of mappings that are asked for them. Yams compares keys by their tags. Its usual resolver finds a tag by trying seven
    /// regular expressions; this one tries none, because every key is a text.
    public static var plain: Tag { Tag(.implicit, .basic) }
}

extension Node {
    /// A mapping with these fields, in their order.
    public init(fields: [(name: String, value: Node)], mark: Mark? = nil) {
        self = .mapping(.init(fields.map { (.key($0.name), $0.value) }, .plain, .any, mark))
    }

    static func key(_ name: String, mark: Mark? = nil) -> Node { .scalar(.init(name, .plain, .any, mark)) }
}
