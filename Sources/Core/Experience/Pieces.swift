extension [any Experience.Type] {
    /// What each declares. Not by a key path: the compiler crashes on one through an existential metatype (Swift 6.3.1).
    public var declarations: [Declaration] { map { $0.declaration } }

    /// The piece called so; nil when there is none.
    public func named(_ name: String) -> (any Experience.Type)? { first { $0.declaration.name == name } }
}
